package org.mxinfer;

/** How much of an image shows one class. Never changes. */
public final class SegmentArea {
  private final String label;
  private final int index;
  private final long pixels;
  private final double part;

  SegmentArea(String label, int index, long pixels, double part) {
    this.label = label;
    this.index = index;
    this.pixels = pixels;
    this.part = part;
  }

  /**
   * Returns the class.
   *
   * @return its name; its index as text if the model has no labels
   */
  public String label() {
    return label;
  }

  /**
   * Returns the position of the class in the labels.
   *
   * @return the position, from 0
   */
  public int index() {
    return index;
  }

  /**
   * Returns how many pixels show the class.
   *
   * @return their number
   */
  public long pixels() {
    return pixels;
  }

  /**
   * Returns the fraction of the image that shows the class.
   *
   * @return the fraction of all pixels, 0 to 1
   */
  public double part() {
    return part;
  }

  /**
   * Returns the class and the fraction as text.
   *
   * @return such as "person 0.25"
   */
  @Override
  public String toString() {
    return label + " " + part;
  }
}
