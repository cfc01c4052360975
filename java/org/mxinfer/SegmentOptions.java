package org.mxinfer;

/** How pixels get their labels. Never changes; each {@code with} returns another. */
public final class SegmentOptions {
  /** No minimum score, smooth borders. */
  public static final SegmentOptions DEFAULT = new SegmentOptions(null, true);

  /** Null: none; otherwise of one number. */
  final float[] minScore;
  final boolean smooth;

  private SegmentOptions(float[] minScore, boolean smooth) {
    this.minScore = minScore;
    this.smooth = smooth;
  }

  /**
   * Sets the minimum score. A pixel whose best class scores less is {@link Segmentation#UNKNOWN}.
   *
   * @param score the score
   * @return the new options
   */
  public SegmentOptions withMinScore(float score) {
    return new SegmentOptions(new float[] {score}, smooth);
  }

  /**
   * Sets how labels come from the network's map, which may be smaller than the image. True, the default, interpolates
   * the scores at each pixel before the best is taken, which gives smooth borders. False takes the class of the
   * nearest element.
   *
   * @param smooth whether scores are interpolated
   * @return the new options
   */
  public SegmentOptions withSmooth(boolean smooth) {
    return new SegmentOptions(minScore, smooth);
  }
}
