package org.mxinfer;

/** Counters and times of the calls that were submitted to a predictor. Never changes. */
public final class CallMetrics {
  private final double[] values;

  CallMetrics(double[] values) {
    this.values = values;
  }

  /**
   * Returns how many calls the queue took: waiting, running, done, failed, cancelled and expired ones.
   *
   * @return their number
   */
  public long submitted() {
    return (long) values[0];
  }

  /**
   * Returns how many calls wait now.
   *
   * @return their number
   */
  public long waiting() {
    return (long) values[1];
  }

  /**
   * Returns how many calls run now.
   *
   * @return their number
   */
  public long running() {
    return (long) values[2];
  }

  /**
   * Returns how many calls succeeded.
   *
   * @return their number
   */
  public long done() {
    return (long) values[3];
  }

  /**
   * Returns how many calls failed.
   *
   * @return their number
   */
  public long failed() {
    return (long) values[4];
  }

  /**
   * Returns how many calls were cancelled.
   *
   * @return their number
   */
  public long cancelled() {
    return (long) values[5];
  }

  /**
   * Returns how many calls expired: their timeout passed before they started.
   *
   * @return their number
   */
  public long expired() {
    return (long) values[6];
  }

  /**
   * Returns how many calls the queue refused. {@link #submitted()} does not count them.
   *
   * @return their number
   */
  public long refused() {
    return (long) values[7];
  }

  /**
   * Returns how many batches of several calls ran.
   *
   * @return their number
   */
  public long batches() {
    return (long) values[8];
  }

  /**
   * Returns how many calls ran in such a batch.
   *
   * @return their number
   */
  public long batched() {
    return (long) values[9];
  }

  /**
   * Returns the median of the time that calls waited.
   *
   * @return seconds, approximately
   */
  public double queueP50Seconds() {
    return values[10];
  }

  /**
   * Returns the 99th percentile of the time that calls waited.
   *
   * @return seconds, approximately
   */
  public double queueP99Seconds() {
    return values[11];
  }

  /**
   * Returns the median of the time that calls ran.
   *
   * @return seconds, approximately
   */
  public double runP50Seconds() {
    return values[12];
  }

  /**
   * Returns the 99th percentile of the time that calls ran.
   *
   * @return seconds, approximately
   */
  public double runP99Seconds() {
    return values[13];
  }
}
