package org.mxinfer;

/** A rectangle in an image, in pixels from its upper left corner. Never changes. */
public final class Box {
  private final float left;
  private final float top;
  private final float right;
  private final float bottom;

  /**
   * Makes a box.
   *
   * @param left the left edge
   * @param top the upper edge
   * @param right the right edge
   * @param bottom the lower edge
   */
  public Box(float left, float top, float right, float bottom) {
    this.left = left;
    this.top = top;
    this.right = right;
    this.bottom = bottom;
  }

  /**
   * Returns the left edge.
   *
   * @return pixels from the left of the image
   */
  public float left() {
    return left;
  }

  /**
   * Returns the upper edge.
   *
   * @return pixels from the top of the image
   */
  public float top() {
    return top;
  }

  /**
   * Returns the right edge.
   *
   * @return pixels from the left of the image
   */
  public float right() {
    return right;
  }

  /**
   * Returns the lower edge.
   *
   * @return pixels from the top of the image
   */
  public float bottom() {
    return bottom;
  }

  /**
   * Returns the corners as text.
   *
   * @return such as "(12.0, 30.5) to (200.0, 180.25)"
   */
  @Override
  public String toString() {
    return "(" + left + ", " + top + ") to (" + right + ", " + bottom + ")";
  }
}
