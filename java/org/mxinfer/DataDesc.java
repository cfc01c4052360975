package org.mxinfer;

import java.util.List;
import java.util.Objects;

/** An input or output of a model: its name, shape, dtype and layout. Never changes. */
public final class DataDesc {
  private final String name;
  private final Shape shape;
  private final DType dtype;
  private final String layout;
  private final String meaning;
  private final boolean guess;
  private final boolean optional;
  private final boolean nullable;

  /**
   * Describes a float32 array without a layout.
   *
   * @param name its name in the model
   * @param shape its shape, -1 for sizes that are free
   */
  public DataDesc(String name, Shape shape) {
    this(name, shape, DType.FLOAT32, "");
  }

  /**
   * Describes an array without a layout.
   *
   * @param name its name in the model
   * @param shape its shape, -1 for sizes that are free
   * @param dtype the type of its elements
   */
  public DataDesc(String name, Shape shape, DType dtype) {
    this(name, shape, dtype, "");
  }

  /**
   * Describes an array.
   *
   * @param name its name in the model
   * @param shape its shape, -1 for sizes that are free
   * @param dtype the type of its elements
   * @param layout one letter for each dimension, such as "NCHW"; "" for none
   * @throws InvalidArgumentException if the layout has another number of letters than the shape has dimensions
   */
  public DataDesc(String name, Shape shape, DType dtype, String layout) {
    this(name, shape, dtype, layout, "", false, false, false);
    if (!layout.isEmpty() && layout.length() != shape.rank()) {
      throw new InvalidArgumentException("layout '" + layout + "' of '" + name + "' has " + layout.length()
          + " letters, and shape " + shape + " has " + shape.rank() + " dimensions; give one letter for each, or \"\"");
    }
  }

  DataDesc(String name, Shape shape, DType dtype, String layout, String meaning, boolean guess, boolean optional,
      boolean nullable) {
    this.name = Objects.requireNonNull(name, "name");
    this.shape = Objects.requireNonNull(shape, "shape");
    this.dtype = Objects.requireNonNull(dtype, "dtype");
    this.layout = Objects.requireNonNull(layout, "layout");
    this.meaning = meaning;
    this.guess = guess;
    this.optional = optional;
    this.nullable = nullable;
  }

  /**
   * Returns the name.
   *
   * @return the name in the model
   */
  public String name() {
    return name;
  }

  /**
   * Returns the same description with another shape.
   *
   * @param other its sizes, -1 where one is free
   * @return the description, whose shape is not a guess
   */
  public DataDesc withShape(Shape other) {
    return new DataDesc(name, other, dtype, layout, meaning, false, optional, nullable);
  }

  /**
   * Returns the shape.
   *
   * @return its sizes, -1 where one is free
   */
  public Shape shape() {
    return shape;
  }

  /**
   * Returns the type of the elements.
   *
   * @return the dtype
   */
  public DType dtype() {
    return dtype;
  }

  /**
   * Returns the layout.
   *
   * @return one letter for each dimension, or ""
   */
  public String layout() {
    return layout;
  }

  /**
   * Returns what the array holds, if the model says so.
   *
   * @return "image", "encoded_image", "image_path", "scores", "ids", "boxes", "landmarks", "text", or ""
   */
  public String meaning() {
    return meaning;
  }

  /**
   * Tells whether height and width, or the length, of an input were guessed.
   *
   * @return true if so
   */
  public boolean isGuess() {
    return guess;
  }

  /**
   * Tells whether you may leave an input out; it is then zeros.
   *
   * @return true if so
   */
  public boolean isOptional() {
    return optional;
  }

  /**
   * Tells whether a row of an input may be null, which is NaN in numbers and a row of zero bytes in text.
   *
   * @return true if so
   */
  public boolean isNullable() {
    return nullable;
  }

  /**
   * Returns the position of the batch in a layout.
   *
   * @param layout such as "NCHW"
   * @return the position of 'N'; 0 for ""
   * @throws InvalidArgumentException if a layout that is not empty has no 'N'
   */
  public static int getBatchAxis(String layout) {
    int axis = Objects.requireNonNull(layout, "layout").indexOf('N');
    if (axis < 0 && !layout.isEmpty()) {
      throw new InvalidArgumentException("layout '" + layout + "' has no 'N', which says where the batch is");
    }
    return Math.max(axis, 0);
  }

  /** As the value of the option "inputs". */
  static String toJson(List<DataDesc> descs) {
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < descs.size(); i++) {
      DataDesc desc = Objects.requireNonNull(descs.get(i), "an element of inputs");
      text.append(i == 0 ? "" : ",").append("{\"name\":").append(Text.json(desc.name)).append(",\"shape\":[");
      for (int d = 0; d < desc.shape.rank(); d++) {
        text.append(d == 0 ? "" : ",").append(desc.shape.get(d));
      }
      text.append("],\"dtype\":").append(Text.json(desc.dtype.toString()));
      text.append(",\"layout\":").append(Text.json(desc.layout));
      if (!desc.meaning.isEmpty()) {
        text.append(",\"meaning\":").append(Text.json(desc.meaning));
      }
      text.append(desc.nullable ? ",\"nullable\":true" : "");
      text.append("}");
    }
    return text.append("]").toString();
  }

  /** Of what the native code gives: five entries for each. */
  static List<DataDesc> listOf(Object[] parts) {
    DataDesc[] descs = new DataDesc[parts.length / 5];
    for (int i = 0; i < descs.length; i++) {
      int[] numbers = (int[]) parts[i * 5 + 2];
      descs[i] = new DataDesc(Text.of((byte[]) parts[i * 5]), Shape.ofOwn((long[]) parts[i * 5 + 1]),
          DType.of(numbers[0]), Text.of((byte[]) parts[i * 5 + 3]), Text.of((byte[]) parts[i * 5 + 4]), numbers[1] != 0,
          numbers[2] != 0, numbers[3] != 0);
    }
    return List.of(descs);
  }

  /**
   * Returns all of it as text.
   *
   * @return such as "data (1, 3, 224, 224) float32 NCHW"
   */
  @Override
  public String toString() {
    return (name + " " + shape + " " + dtype + " " + layout).trim();
  }
}
