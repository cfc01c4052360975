package org.mxinfer;

import java.util.List;
import java.util.Objects;

/**
 * Which objects of an image a {@link KeypointDetector} looks at, and how it reads their points. Never changes; each
 * {@code with} returns another.
 */
public final class PoseOptions {
  /** Where in a heat map a point is taken to be. */
  public enum Peak {
    /** At the largest element. */
    CELL,
    /** A quarter of an element from there towards the larger neighbour, as for AlphaPose. */
    QUARTER
  }

  /** Boxes 1.25 times as large, the largest element, persons that score 0.5 or more. */
  public static final PoseOptions DEFAULT = new PoseOptions(1.25f, Peak.CELL, List.of("person"), 0.5f, 0);

  final float boxScale;
  final Peak peak;
  final List<String> classes;
  final float threshold;
  final int most;

  private PoseOptions(float boxScale, Peak peak, List<String> classes, float threshold, int most) {
    this.boxScale = boxScale;
    this.peak = peak;
    this.classes = classes;
    this.threshold = threshold;
    this.most = most;
  }

  /**
   * Sets how much larger than its box the part of the image is that the network sees. It has the same centre and ends
   * at the edges of the image.
   *
   * @param scale above 0
   * @return such options
   */
  public PoseOptions withBoxScale(float scale) {
    return new PoseOptions(scale, peak, classes, threshold, most);
  }

  /**
   * Sets where in a heat map a point is.
   *
   * @param peak the largest element, or between it and its neighbour
   * @return such options
   */
  public PoseOptions withPeak(Peak peak) {
    return new PoseOptions(boxScale, Objects.requireNonNull(peak, "peak"), classes, threshold, most);
  }

  /**
   * Sets the classes of objects that are looked at, with a detector.
   *
   * @param classes labels of the detector; none: all objects
   * @return such options
   */
  public PoseOptions withClasses(String... classes) {
    return new PoseOptions(boxScale, peak, List.of(Objects.requireNonNull(classes, "classes")), threshold, most);
  }

  /**
   * Leaves out objects that score less, with a detector.
   *
   * @param threshold the score
   * @return such options
   */
  public PoseOptions withScoreThreshold(float threshold) {
    return new PoseOptions(boxScale, peak, classes, threshold, most);
  }

  /**
   * Looks at so many objects, the best ones, with a detector.
   *
   * @param most how many; 0: all
   * @return such options
   */
  public PoseOptions withMaxObjects(int most) {
    return new PoseOptions(boxScale, peak, classes, threshold, most);
  }
}
