package org.mxinfer;

import java.util.Arrays;
import java.util.Objects;

/** Sizes of the dimensions of an array, outermost first. Never changes. */
public final class Shape {
  private final long[] sizes;

  /**
   * Makes one of 32-bit sizes.
   *
   * @param sizes the sizes, -1 for a free one of a model's input; copied
   */
  public Shape(int... sizes) {
    this.sizes = Arrays.stream(Objects.requireNonNull(sizes, "sizes")).asLongStream().toArray();
  }

  private Shape(long[] sizes) {
    this.sizes = sizes;
  }

  /**
   * Makes an object of this class.
   *
   * @param sizes the sizes, -1 for a free one of a model's input; copied
   * @return the shape
   */
  public static Shape of(long... sizes) {
    return new Shape(Objects.requireNonNull(sizes, "sizes").clone());
  }

  /** Takes the array over. */
  static Shape ofOwn(long[] sizes) {
    return new Shape(sizes);
  }

  /**
   * Returns how many dimensions there are.
   *
   * @return their number
   */
  public int rank() {
    return sizes.length;
  }

  /**
   * Returns the size of a dimension.
   *
   * @param dimension from 0, which is the outermost
   * @return its size
   * @throws IndexOutOfBoundsException if there is no such dimension
   */
  public long get(int dimension) {
    return sizes[Objects.checkIndex(dimension, sizes.length)];
  }

  /**
   * Returns all sizes.
   *
   * @return a new array
   */
  public long[] toArray() {
    return sizes.clone();
  }

  /**
   * Returns how many elements an array of this shape has: the product of its sizes.
   *
   * @return their number, 1 for a shape without dimensions
   * @throws InvalidArgumentException if a size is below 0, or there are 2^63 elements or more
   */
  public long elements() {
    long product = 1;
    for (long size : sizes) {
      if (size < 0) {
        throw new InvalidArgumentException("shape " + this + " has a free size, where an array's sizes are 0 or more");
      }
      // A size of 0 makes the whole 0, whatever the others are.
      if (Math.multiplyHigh(product, size) != 0 || product * size < 0) {
        throw new InvalidArgumentException("shape " + this + " has more elements than a long can count");
      }
      product *= size;
    }
    return product;
  }

  /** The array itself, for callers that do not change it. */
  long[] sizes() {
    return sizes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Shape && Arrays.equals(sizes, ((Shape) other).sizes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(sizes);
  }

  /**
   * Returns the sizes as text.
   *
   * @return such as "(1, 3, 224, 224)"
   */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("(");
    for (int i = 0; i < sizes.length; i++) {
      text.append(i == 0 ? "" : ", ").append(sizes[i]);
    }
    return text.append(sizes.length == 1 ? ",)" : ")").toString();
  }
}
