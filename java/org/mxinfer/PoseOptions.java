package org.mxinfer;

import java.util.List;
import java.util.Objects;

/**
 * Which objects of an image a {@link KeypointDetector} uses, and how it reads their points. Never changes; each {@code
 * with} returns another.
 */
public final class PoseOptions {
  /** Where in a heat map a point is taken to be. */
  public enum Peak {
    /** At the largest element. */
    CELL,
    /** A quarter of an element from there towards the larger neighbour, as for AlphaPose. */
    QUARTER
  }

  /** Boxes 1.25 times as large, the largest element, objects of class "person" that score 0.5 or more. */
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
   * Sets the size of the part of the image that the network sees, as a multiple of the object's box. It has the same
   * centre and is cut at the edges of the image.
   *
   * @param scale above 0
   * @return the new options
   */
  public PoseOptions withBoxScale(float scale) {
    return new PoseOptions(scale, peak, classes, threshold, most);
  }

  /**
   * Sets where in a heat map a point is.
   *
   * @param peak the largest element, or between it and its neighbour
   * @return the new options
   */
  public PoseOptions withPeak(Peak peak) {
    return new PoseOptions(boxScale, Objects.requireNonNull(peak, "peak"), classes, threshold, most);
  }

  /**
   * With a detector, sets the classes of the objects to use.
   *
   * @param classes labels of the detector; none: all objects
   * @return the new options
   */
  public PoseOptions withClasses(String... classes) {
    return new PoseOptions(boxScale, peak, List.of(Objects.requireNonNull(classes, "classes")), threshold, most);
  }

  /**
   * With a detector, leaves out objects that score less.
   *
   * @param threshold the score
   * @return the new options
   */
  public PoseOptions withScoreThreshold(float threshold) {
    return new PoseOptions(boxScale, peak, classes, threshold, most);
  }

  /**
   * With a detector, sets the most objects to use, best first.
   *
   * @param most how many; 0: all
   * @return the new options
   */
  public PoseOptions withMaxObjects(int most) {
    return new PoseOptions(boxScale, peak, classes, threshold, most);
  }
}
