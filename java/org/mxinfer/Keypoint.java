package org.mxinfer;

/** One point of an object, such as a joint of a person. Never changes. */
public final class Keypoint {
  private final String label;
  private final float x;
  private final float y;
  private final float score;

  Keypoint(String label, float x, float y, float score) {
    this.label = label;
    this.x = x;
    this.y = y;
    this.score = score;
  }

  /**
   * Returns the name of the point.
   *
   * @return the model's label of its position; the position as text, unless the model has one label for each point
   */
  public String label() {
    return label;
  }

  /**
   * Returns where the point is from the left.
   *
   * @return pixels of your image
   */
  public float x() {
    return x;
  }

  /**
   * Returns where the point is from the top.
   *
   * @return pixels of your image
   */
  public float y() {
    return y;
  }

  /**
   * Returns how sure the network is.
   *
   * @return the largest element of the heat map
   */
  public float score() {
    return score;
  }

  /**
   * Returns the point as text.
   *
   * @return such as "left_wrist 0.93 at (12.0, 30.5)"
   */
  @Override
  public String toString() {
    return label + " " + score + " at (" + x + ", " + y + ")";
  }
}
