package org.mxinfer;

import java.util.Locale;

/** The type of the elements of a {@link Tensor}. */
public enum DType {
  /** 32 bits, Java's {@code float}. */
  FLOAT32(4),
  /** 64 bits, Java's {@code double}. */
  FLOAT64(8),
  /** IEEE binary16 as stored, in a {@code short}. */
  FLOAT16(2),
  /** 0 to 255, in a {@code byte}. */
  UINT8(1),
  /** Java's {@code int}. */
  INT32(4),
  /** Java's {@code byte}. */
  INT8(1),
  /** Java's {@code long}. */
  INT64(8),
  /** One byte, 0 or 1. */
  BOOL(1),
  /** Java's {@code short}. */
  INT16(2),
  /** 0 to 65535, in a {@code short}. */
  UINT16(2),
  /** 32 bits without a sign, in an {@code int}. */
  UINT32(4),
  /** 64 bits without a sign, in a {@code long}. */
  UINT64(8),
  /** The upper half of a float32 as stored, in a {@code short}. */
  BFLOAT16(2);

  private static final DType[] TYPES = values();

  private final int bytes;

  DType(int bytes) {
    this.bytes = bytes;
  }

  /**
   * Returns the size of an element.
   *
   * @return the bytes
   */
  public int bytes() {
    return bytes;
  }

  /**
   * Returns the name that NumPy and the library's messages use.
   *
   * @return such as "float32"
   */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Of a number of the C interface, which are these ordinals. */
  static DType of(int number) {
    return TYPES[number];
  }

  boolean isInteger() {
    return this != FLOAT32 && this != FLOAT64 && this != FLOAT16 && this != BFLOAT16;
  }
}
