package org.mxinfer;

/** Counters of a predictor and its copies. Never changes. */
public final class PredictorStats {
  private final long[] counts;

  PredictorStats(long[] counts) {
    this.counts = counts;
  }

  /**
   * Returns how many runs of a plan have begun, those of {@link Predictor#warmup} included.
   *
   * @return their number
   */
  public long calls() {
    return counts[0];
  }

  /**
   * Returns how many calls and shape queries found no plan.
   *
   * @return their number
   */
  public long planMisses() {
    return counts[1];
  }

  /**
   * Returns how many plans were made. If there are many more than {@link #plans()}, the option "max_plans" is too
   * small.
   *
   * @return their number
   */
  public long plansMade() {
    return counts[2];
  }

  /**
   * Returns how many plans are kept now.
   *
   * @return their number
   */
  public long plans() {
    return counts[3];
  }

  /**
   * Returns how many calls run now.
   *
   * @return their number
   */
  public long running() {
    return counts[4];
  }

  /**
   * Returns how many workspaces wait for a call.
   *
   * @return their number
   */
  public long idleExecutors() {
    return counts[5];
  }

  /**
   * Returns the memory of all workspaces.
   *
   * @return the bytes
   */
  public long executorBytes() {
    return counts[6];
  }

  /**
   * Returns the memory of the model's weights.
   *
   * @return the bytes
   */
  public long weightBytes() {
    return counts[7];
  }
}
