package org.mxinfer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Which of the objects that a detector finds are returned. Never changes; each {@code with} returns another.
 *
 * <pre>{@code
 * DetectOptions people = DetectOptions.DEFAULT.withClasses("person").withClassThreshold("person", 0.3f);
 * }</pre>
 */
public final class DetectOptions {
  /** All objects that score {@link ObjectDetector#DEFAULT_THRESHOLD} or more. */
  public static final DetectOptions DEFAULT =
      new DetectOptions(ObjectDetector.DEFAULT_THRESHOLD, 0, List.of(), Map.of(), null);

  final float threshold;
  final int most;
  private final List<String> classes;
  private final Map<String, Float> classThresholds;
  private final NmsOptions nms;

  private DetectOptions(float threshold, int most, List<String> classes, Map<String, Float> classThresholds,
      NmsOptions nms) {
    this.threshold = threshold;
    this.most = most;
    this.classes = classes;
    this.classThresholds = classThresholds;
    this.nms = nms;
  }

  static DetectOptions of(float threshold, int most) {
    return new DetectOptions(threshold, most, List.of(), Map.of(), null);
  }

  /**
   * Leaves out objects that score less.
   *
   * @param threshold the score
   * @return the new options
   */
  public DetectOptions withThreshold(float threshold) {
    return new DetectOptions(threshold, most, classes, classThresholds, nms);
  }

  /**
   * Sets the most objects to return for each image, best first.
   *
   * @param most how many; 0: all
   * @return the new options
   */
  public DetectOptions withMaxDetections(int most) {
    return new DetectOptions(threshold, most, classes, classThresholds, nms);
  }

  /**
   * Leaves out objects of other classes.
   *
   * @param classes labels, or their positions as text; none: all classes
   * @return the new options
   */
  public DetectOptions withClasses(String... classes) {
    return new DetectOptions(threshold, most, List.of(Objects.requireNonNull(classes, "classes")), classThresholds, nms);
  }

  /**
   * Sets the threshold of one class, which replaces the common threshold.
   *
   * @param name the class's label, or its position as text
   * @param threshold the score
   * @return the new options
   */
  public DetectOptions withClassThreshold(String name, float threshold) {
    Map<String, Float> thresholds = new LinkedHashMap<>(classThresholds);
    thresholds.put(Objects.requireNonNull(name, "name"), threshold);
    return new DetectOptions(this.threshold, most, classes, thresholds, nms);
  }

  /**
   * Suppresses overlapping objects, in addition to what the network does.
   *
   * @param nms how
   * @return the new options
   */
  public DetectOptions withNms(NmsOptions nms) {
    return new DetectOptions(threshold, most, classes, classThresholds, Objects.requireNonNull(nms, "nms"));
  }

  byte[][] classes() {
    return utf8(classes);
  }

  byte[][] thresholdClasses() {
    return utf8(List.copyOf(classThresholds.keySet()));
  }

  float[] thresholds() {
    float[] numbers = new float[classThresholds.size()];
    int next = 0;
    for (float threshold : classThresholds.values()) {
      numbers[next++] = threshold;
    }
    return numbers;
  }

  /** Null: none. */
  float[] nms() {
    return nms == null ? null : nms.numbers();
  }

  private static byte[][] utf8(List<String> texts) {
    return texts.stream().map(text -> Text.utf8(text, "a class")).toArray(byte[][]::new);
  }
}
