package org.mxinfer;

/** What became of the calls with futures of a predictor. Never changes. */
public final class CallMetrics {
  private final double[] values;

  CallMetrics(double[] values) {
    this.values = values;
  }

  /**
   * All that were taken: waiting, running, done, failed, cancelled and expired ones.
   *
   * @return their number
   */
  public long submitted() {
    return (long) values[0];
  }

  /**
   * Those that wait now.
   *
   * @return their number
   */
  public long waiting() {
    return (long) values[1];
  }

  /**
   * Those that run now.
   *
   * @return their number
   */
  public long running() {
    return (long) values[2];
  }

  /**
   * Those that ended well.
   *
   * @return their number
   */
  public long done() {
    return (long) values[3];
  }

  /**
   * Those that ended with an error.
   *
   * @return their number
   */
  public long failed() {
    return (long) values[4];
  }

  /**
   * Those that were cancelled.
   *
   * @return their number
   */
  public long cancelled() {
    return (long) values[5];
  }

  /**
   * Those whose timeout passed before they started.
   *
   * @return their number
   */
  public long expired() {
    return (long) values[6];
  }

  /**
   * Those that were not taken, none of {@link #submitted()}.
   *
   * @return their number
   */
  public long refused() {
    return (long) values[7];
  }

  /**
   * Batches that calls ran together in.
   *
   * @return their number
   */
  public long batches() {
    return (long) values[8];
  }

  /**
   * Calls that ran in a batch.
   *
   * @return their number
   */
  public long batched() {
    return (long) values[9];
  }

  /**
   * Half of the calls waited at most this long.
   *
   * @return seconds, about
   */
  public double queueP50Seconds() {
    return values[10];
  }

  /**
   * 99 of 100 calls waited at most this long.
   *
   * @return seconds, about
   */
  public double queueP99Seconds() {
    return values[11];
  }

  /**
   * Half of the calls ran at most this long.
   *
   * @return seconds, about
   */
  public double runP50Seconds() {
    return values[12];
  }

  /**
   * 99 of 100 calls ran at most this long.
   *
   * @return seconds, about
   */
  public double runP99Seconds() {
    return values[13];
  }
}
