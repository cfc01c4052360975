package org.mxinfer;

/** One object in one image: what it is, how sure the network is, and where it is in pixels. Never changes. */
public final class Detection {
  private final String label;
  private final float score;
  private final int index;
  private final float left;
  private final float top;
  private final float right;
  private final float bottom;
  private final float[] landmarks;

  Detection(String label, float score, int index, float left, float top, float right, float bottom, float[] landmarks) {
    this.label = label;
    this.score = score;
    this.index = index;
    this.left = left;
    this.top = top;
    this.right = right;
    this.bottom = bottom;
    this.landmarks = landmarks;
  }

  /**
   * Returns the class.
   *
   * @return its name; its index as text if the model has no labels
   */
  public String getClassName() {
    return label;
  }

  /**
   * Returns how sure the network is.
   *
   * @return the score
   */
  public float getProbability() {
    return score;
  }

  /**
   * Returns the position of the class in the labels.
   *
   * @return the position, from 0
   */
  public int getIndex() {
    return index;
  }

  /**
   * Returns the left edge.
   *
   * @return pixels of your image, from its left
   */
  public float getXMin() {
    return left;
  }

  /**
   * Returns the right edge.
   *
   * @return pixels of your image, from its left
   */
  public float getXMax() {
    return right;
  }

  /**
   * Returns the upper edge.
   *
   * @return pixels of your image, from its top
   */
  public float getYMin() {
    return top;
  }

  /**
   * Returns the lower edge.
   *
   * @return pixels of your image, from its top
   */
  public float getYMax() {
    return bottom;
  }

  /**
   * Returns the points of the object, such as the eyes of a face, in the model's order.
   *
   * @return x and y of one point after another, in pixels of your image; empty if the model returns none; a copy
   */
  public float[] getLandmarks() {
    return landmarks.clone();
  }

  /**
   * Returns all of it as text.
   *
   * @return such as "dog 0.93 at (12.0, 30.5) to (200.0, 180.25)"
   */
  @Override
  public String toString() {
    return label + " " + score + " at (" + left + ", " + top + ") to (" + right + ", " + bottom + ")";
  }
}
