package org.mxinfer;

/** What a predictor, and whatever shares its plans, has done. Never changes. */
public final class PredictorStats {
  private final long[] counts;

  PredictorStats(long[] counts) {
    this.counts = counts;
  }

  /**
   * Runs of a plan that were begun, those of {@link Predictor#warmup} among them.
   *
   * @return their number
   */
  public long calls() {
    return counts[0];
  }

  /**
   * Of the calls and of the questions for shapes, those that found no plan.
   *
   * @return their number
   */
  public long planMisses() {
    return counts[1];
  }

  /**
   * Plans that were made. Many more than {@link #plans()} mean that the option "max_plans" is too small.
   *
   * @return their number
   */
  public long plansMade() {
    return counts[2];
  }

  /**
   * Plans that are kept now.
   *
   * @return their number
   */
  public long plans() {
    return counts[3];
  }

  /**
   * Calls that run now.
   *
   * @return their number
   */
  public long running() {
    return counts[4];
  }

  /**
   * Workspaces that wait for a call.
   *
   * @return their number
   */
  public long idleExecutors() {
    return counts[5];
  }

  /**
   * Memory of all workspaces.
   *
   * @return its bytes
   */
  public long executorBytes() {
    return counts[6];
  }

  /**
   * Memory of the model's weights.
   *
   * @return its bytes
   */
  public long weightBytes() {
    return counts[7];
  }
}
