package org.mxinfer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One object and its key points. Never changes. */
public final class Pose {
  private final Box box;
  private final float score;
  private final List<Keypoint> points;

  private Pose(Box box, float score, List<Keypoint> points) {
    this.box = box;
    this.score = score;
    this.points = points;
  }

  /** Of the objects that NativeVision.keypoints() gives. */
  static List<Pose> listOf(Object[] objects) {
    float[] numbers = (float[]) objects[1];
    byte[][] labels = (byte[][]) objects[2];
    List<Pose> poses = new ArrayList<>();
    int at = 0;
    int label = 0;
    for (int count : (int[]) objects[0]) {
      Box box = new Box(numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3]);
      float score = numbers[at + 4];
      at += 5;
      Keypoint[] points = new Keypoint[count];
      for (int i = 0; i < count; i++, at += 3) {
        points[i] = new Keypoint(Text.of(labels[label++]), numbers[at], numbers[at + 1], numbers[at + 2]);
      }
      poses.add(new Pose(box, score, List.of(points)));
    }
    return List.copyOf(poses);
  }

  /**
   * Returns where the object is.
   *
   * @return the box that you passed or the detector found
   */
  public Box box() {
    return box;
  }

  /**
   * Returns how sure the object detector is.
   *
   * @return its score; 1 without a detector
   */
  public float score() {
    return score;
  }

  /**
   * Returns the points.
   *
   * @return in the model's order
   */
  public List<Keypoint> points() {
    return points;
  }

  /**
   * Returns the coordinates of the points, as {@link Drawing#drawSkeleton} takes them.
   *
   * @return x and y of one point after another; a copy
   */
  public float[] coordinates() {
    float[] numbers = new float[2 * points.size()];
    for (int i = 0; i < points.size(); i++) {
      numbers[2 * i] = points.get(i).x();
      numbers[2 * i + 1] = points.get(i).y();
    }
    return numbers;
  }

  /**
   * Returns box and points as text.
   *
   * @return such as "(0.0, 0.0) to (64.0, 48.0): [nose 0.9 at (30.0, 12.0)]"
   */
  @Override
  public String toString() {
    return box + ": " + Arrays.toString(points.toArray());
  }
}
