package org.mxinfer;

import java.util.Objects;

/**
 * How to suppress overlapping objects, in addition to what the network does. Never changes; each {@code with} returns
 * another.
 */
public final class NmsOptions {
  /** What happens to an object that overlaps a better one. */
  public enum Method {
    /** It is left out if the overlap is above the threshold. */
    HARD,
    /** If the overlap is above the threshold, its score is multiplied by 1 - overlap. */
    LINEAR,
    /** Its score is multiplied by exp(-overlap * overlap / sigma); the threshold does not matter. */
    GAUSSIAN
  }

  /** How the overlap of two boxes is measured. */
  public enum Overlap {
    /** The intersection divided by the union. */
    IOU,
    /** The intersection divided by the smaller box. */
    MIN
  }

  /** Hard suppression within each class, of boxes that share more than half. */
  public static final NmsOptions DEFAULT = new NmsOptions(0.5f, false, Method.HARD, 0.5f, 0, 0, Overlap.IOU);

  private final float iouThreshold;
  private final boolean allClasses;
  private final Method method;
  private final float sigma;
  private final float scoreThreshold;
  private final int maxDetections;
  private final Overlap overlap;

  private NmsOptions(float iouThreshold, boolean allClasses, Method method, float sigma, float scoreThreshold,
      int maxDetections, Overlap overlap) {
    this.iouThreshold = iouThreshold;
    this.allClasses = allClasses;
    this.method = method;
    this.sigma = sigma;
    this.scoreThreshold = scoreThreshold;
    this.maxDetections = maxDetections;
    this.overlap = overlap;
  }

  /**
   * Sets the overlap above which a box is suppressed.
   *
   * @param threshold 0 to 1
   * @return the new options
   */
  public NmsOptions withIouThreshold(float threshold) {
    return new NmsOptions(threshold, allClasses, method, sigma, scoreThreshold, maxDetections, overlap);
  }

  /**
   * Lets objects of different classes suppress each other.
   *
   * @return the new options
   */
  public NmsOptions acrossClasses() {
    return new NmsOptions(iouThreshold, true, method, sigma, scoreThreshold, maxDetections, overlap);
  }

  /**
   * Sets what happens to an object that overlaps a better one.
   *
   * @param method hard, or one of the two that lower scores
   * @return the new options
   */
  public NmsOptions withMethod(Method method) {
    Objects.requireNonNull(method, "method");
    return new NmsOptions(iouThreshold, allClasses, method, sigma, scoreThreshold, maxDetections, overlap);
  }

  /**
   * Sets how fast the gaussian method lowers scores.
   *
   * @param sigma above 0
   * @return the new options
   */
  public NmsOptions withSigma(float sigma) {
    return new NmsOptions(iouThreshold, allClasses, method, sigma, scoreThreshold, maxDetections, overlap);
  }

  /**
   * Leaves out objects with a lower score, before and after their score is lowered.
   *
   * @param threshold the score
   * @return the new options
   */
  public NmsOptions withScoreThreshold(float threshold) {
    return new NmsOptions(iouThreshold, allClasses, method, sigma, threshold, maxDetections, overlap);
  }

  /**
   * Sets the most objects to keep, best first.
   *
   * @param most how many; 0: all
   * @return the new options
   */
  public NmsOptions withMaxDetections(int most) {
    return new NmsOptions(iouThreshold, allClasses, method, sigma, scoreThreshold, most, overlap);
  }

  /**
   * Sets how the overlap of two boxes is measured.
   *
   * @param overlap relative to the union, or to the smaller box
   * @return the new options
   */
  public NmsOptions withOverlap(Overlap overlap) {
    Objects.requireNonNull(overlap, "overlap");
    return new NmsOptions(iouThreshold, allClasses, method, sigma, scoreThreshold, maxDetections, overlap);
  }

  /** As Native.detect takes them. */
  float[] numbers() {
    // Numbers above 2^24 are no floats, and as good as all objects.
    int most = maxDetections > 1 << 24 ? 0 : maxDetections;
    return new float[] {iouThreshold, allClasses ? 1 : 0, method.ordinal(), sigma, scoreThreshold, most,
        overlap.ordinal()};
  }
}
