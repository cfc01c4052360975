package org.mxinfer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.Objects;

/**
 * A dense row-major array in memory outside the heap: a direct {@link ByteBuffer} with a dtype, a shape and optionally
 * a name.
 *
 * <p>The JVM frees the memory when neither the tensor nor a view of its buffer is reachable: there is nothing to
 * close, except for {@link PinnedTensor}. You may write to the elements from one thread at a time, but not while a call
 * reads them.
 */
public final class Tensor {
  private static final int MAX_RANK = 16;

  private final String name;
  private final DType dtype;
  private final Shape shape;
  private final ByteBuffer data;
  private final NativeHandle pinned;  // of its memory; null: the JVM's

  private Tensor(String name, DType dtype, Shape shape, ByteBuffer data) {
    this(name, dtype, shape, data, null);
  }

  private Tensor(String name, DType dtype, Shape shape, ByteBuffer data, NativeHandle pinned) {
    this.name = name;
    this.dtype = dtype;
    this.shape = shape;
    this.data = data;
    this.pinned = pinned;
  }

  static Tensor ofPinned(ByteBuffer data, DType dtype, Shape shape, NativeHandle pinned) {
    return new Tensor("", dtype, shape, data, pinned);
  }

  /**
   * Makes an array of zeros, such as for {@link Predictor#predictInto(java.util.List, java.util.List)} to write into.
   *
   * @param dtype the type of its elements
   * @param shape the sizes of its dimensions
   * @return the array
   * @throws InvalidArgumentException if a size is below 0, or the array has more than 2^31 - 1 bytes
   */
  public static Tensor allocate(DType dtype, long... shape) {
    return allocate("", Objects.requireNonNull(dtype, "dtype"), Shape.of(shape));
  }

  static Tensor allocate(String name, DType dtype, Shape shape) {
    int bytes = bytesOf(dtype, shape);
    return new Tensor(name, dtype, shape, ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder()));
  }

  /**
   * Copies an array of float32.
   *
   * @param data its elements, row by row
   * @param shape the sizes of its dimensions; none: one dimension of all elements
   * @return the tensor
   * @throws InvalidArgumentException if the shape has another number of elements
   */
  public static Tensor of(float[] data, long... shape) {
    Tensor tensor = allocateFor(Objects.requireNonNull(data, "data").length, DType.FLOAT32, shape);
    tensor.data.asFloatBuffer().put(data);
    return tensor;
  }

  /**
   * Copies an array of float64.
   *
   * @param data its elements, row by row
   * @param shape the sizes of its dimensions; none: one dimension of all elements
   * @return the tensor
   * @throws InvalidArgumentException if the shape has another number of elements
   */
  public static Tensor of(double[] data, long... shape) {
    Tensor tensor = allocateFor(Objects.requireNonNull(data, "data").length, DType.FLOAT64, shape);
    tensor.data.asDoubleBuffer().put(data);
    return tensor;
  }

  /**
   * Copies an array of int32.
   *
   * @param data its elements, row by row
   * @param shape the sizes of its dimensions; none: one dimension of all elements
   * @return the tensor
   * @throws InvalidArgumentException if the shape has another number of elements
   */
  public static Tensor of(int[] data, long... shape) {
    Tensor tensor = allocateFor(Objects.requireNonNull(data, "data").length, DType.INT32, shape);
    tensor.data.asIntBuffer().put(data);
    return tensor;
  }

  /**
   * Copies an array of int64.
   *
   * @param data its elements, row by row
   * @param shape the sizes of its dimensions; none: one dimension of all elements
   * @return the tensor
   * @throws InvalidArgumentException if the shape has another number of elements
   */
  public static Tensor of(long[] data, long... shape) {
    Tensor tensor = allocateFor(Objects.requireNonNull(data, "data").length, DType.INT64, shape);
    tensor.data.asLongBuffer().put(data);
    return tensor;
  }

  /**
   * Copies an array of uint8.
   *
   * @param data its elements, row by row
   * @param shape the sizes of its dimensions; none: one dimension of all elements
   * @return the tensor
   * @throws InvalidArgumentException if the shape has another number of elements
   */
  public static Tensor of(byte[] data, long... shape) {
    Tensor tensor = allocateFor(Objects.requireNonNull(data, "data").length, DType.UINT8, shape);
    tensor.data.duplicate().put(data);
    return tensor;
  }

  /**
   * Converts float64 to float32, each to the nearest, and copies it.
   *
   * @param data its elements, row by row
   * @param shape the sizes of its dimensions; none: one dimension of all elements
   * @return the float32 tensor
   * @throws InvalidArgumentException if the shape has another number of elements
   */
  public static Tensor float32Of(double[] data, long... shape) {
    Tensor tensor = allocateFor(Objects.requireNonNull(data, "data").length, DType.FLOAT32, shape);
    FloatBuffer to = tensor.data.asFloatBuffer();
    for (double element : data) {
      to.put((float) element);
    }
    return tensor;
  }

  /**
   * Makes a tensor from the elements between a buffer's current position and limit. A direct buffer is shared: the
   * tensor sees what you write to it later. Any other buffer is copied. Memory of an {@code Arena} must live until the
   * calls with it have ended.
   *
   * @param buffer the elements; of the machine's byte order, if an element has more than one byte
   * @param dtype the type of the elements
   * @param shape the sizes of the dimensions
   * @return the tensor
   * @throws InvalidArgumentException if the shape needs another number of bytes, the byte order is not the machine's,
   *     or a direct buffer is not aligned for the dtype
   */
  public static Tensor of(ByteBuffer buffer, DType dtype, long... shape) {
    ByteOrder order = Objects.requireNonNull(buffer, "buffer").order();
    ByteBuffer part = buffer.slice().order(ByteOrder.nativeOrder());
    Shape sizes = Shape.of(shape);
    int bytes = bytesOf(Objects.requireNonNull(dtype, "dtype"), sizes);
    if (part.capacity() != bytes) {
      throw new InvalidArgumentException("the buffer has " + part.capacity() + " bytes between position and limit; "
          + dtype + " of shape " + sizes + " has " + bytes);
    }
    if (dtype.bytes() > 1 && order != ByteOrder.nativeOrder()) {
      throw new InvalidArgumentException("the buffer's byte order is " + order + ", which is not the machine's; call "
          + "buffer.order(ByteOrder.nativeOrder()) before anything is put into it");
    }
    if (!part.isDirect()) {
      Tensor copy = allocate("", dtype, sizes);
      copy.data.duplicate().put(part);
      return copy;
    }
    if (part.alignmentOffset(0, dtype.bytes()) != 0) {
      throw new InvalidArgumentException("the buffer begins at an address that is no multiple of " + dtype.bytes()
          + ", the size of " + dtype + "; give a buffer whose position is one");
    }
    return new Tensor("", dtype, sizes, part);
  }

  /** Of an array of a primitive type, as the dtype, if its elements have that size. */
  private static Tensor allocateFor(int elements, DType dtype, long[] shape) {
    Objects.requireNonNull(shape, "shape");
    Shape sizes = shape.length == 0 ? Shape.of(elements) : Shape.of(shape);
    if (sizes.elements() != elements) {
      throw new InvalidArgumentException(
          "shape " + sizes + " has " + sizes.elements() + " elements, and the data has " + elements);
    }
    return allocate("", dtype, sizes);
  }

  static int bytesOf(DType dtype, Shape shape) {
    if (shape.rank() > MAX_RANK) {
      throw new InvalidArgumentException("shape " + shape + " has " + shape.rank() + " dimensions; at most " + MAX_RANK
          + " are possible");
    }
    long elements = shape.elements();
    if (elements > Integer.MAX_VALUE / dtype.bytes()) {
      throw new InvalidArgumentException("shape " + shape + " of " + dtype + " has more bytes than a buffer of Java can"
          + " hold (2^31 - 1); use smaller batches");
    }
    return (int) elements * dtype.bytes();
  }

  /**
   * Returns a tensor of the same memory with a name, for calls by name.
   *
   * @param name the name of the model's input or output; "" for none
   * @return another tensor of the same elements
   */
  public Tensor named(String name) {
    return new Tensor(Objects.requireNonNull(name, "name"), dtype, shape, data, pinned);
  }

  /**
   * Returns a tensor of the same memory with another shape.
   *
   * @param shape the sizes of its dimensions
   * @return another tensor of the same elements
   * @throws InvalidArgumentException if the shape has another number of elements
   */
  public Tensor reshaped(long... shape) {
    Shape sizes = Shape.of(shape);
    if (bytesOf(dtype, sizes) != data.capacity()) {
      throw new InvalidArgumentException("shape " + sizes + " has " + sizes.elements() + " elements, and the tensor has "
          + elements());
    }
    return new Tensor(name, dtype, sizes, data, pinned);
  }

  /**
   * Returns the name.
   *
   * @return the name; for a result, the name of the model's output; "" for none
   */
  public String name() {
    return name;
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
   * Returns the shape.
   *
   * @return the shape
   */
  public Shape shape() {
    return shape;
  }

  /**
   * Returns how many elements there are.
   *
   * @return their number
   */
  public int elements() {
    return data.capacity() / dtype.bytes();
  }

  /**
   * Returns the memory itself.
   *
   * @return a new direct buffer of the machine's byte order over all bytes
   */
  public ByteBuffer buffer() {
    requireOpen();
    return data.duplicate().order(ByteOrder.nativeOrder());
  }

  /**
   * Returns the memory as floats.
   *
   * @return a new buffer over all elements
   * @throws InvalidArgumentException if the dtype is not float32
   */
  public FloatBuffer asFloatBuffer() {
    requireOpen();
    require(dtype == DType.FLOAT32, "float32");
    return data.asFloatBuffer();
  }

  /**
   * Returns the memory as doubles.
   *
   * @return a new buffer over all elements
   * @throws InvalidArgumentException if the dtype is not float64
   */
  public DoubleBuffer asDoubleBuffer() {
    requireOpen();
    require(dtype == DType.FLOAT64, "float64");
    return data.asDoubleBuffer();
  }

  /**
   * Returns the memory as ints.
   *
   * @return a new buffer over all elements
   * @throws InvalidArgumentException if the dtype is not int32 or uint32
   */
  public IntBuffer asIntBuffer() {
    requireOpen();
    require(dtype == DType.INT32 || dtype == DType.UINT32, "int32 or uint32");
    return data.asIntBuffer();
  }

  /**
   * Returns the memory as longs.
   *
   * @return a new buffer over all elements
   * @throws InvalidArgumentException if the dtype is not int64 or uint64
   */
  public LongBuffer asLongBuffer() {
    requireOpen();
    require(dtype == DType.INT64 || dtype == DType.UINT64, "int64 or uint64");
    return data.asLongBuffer();
  }

  /**
   * Returns the memory as shorts.
   *
   * @return a new buffer over all elements
   * @throws InvalidArgumentException if an element does not have two bytes
   */
  public ShortBuffer asShortBuffer() {
    requireOpen();
    require(dtype.bytes() == 2, "a dtype of two bytes");
    return data.asShortBuffer();
  }

  /**
   * Copies the elements.
   *
   * @return a new array
   * @throws InvalidArgumentException if the dtype is not float32
   */
  public float[] toFloatArray() {
    float[] array = new float[asFloatBuffer().capacity()];
    asFloatBuffer().get(array);
    return array;
  }

  /**
   * Copies the elements.
   *
   * @return a new array
   * @throws InvalidArgumentException if the dtype is not float64
   */
  public double[] toDoubleArray() {
    double[] array = new double[asDoubleBuffer().capacity()];
    asDoubleBuffer().get(array);
    return array;
  }

  /**
   * Copies the elements.
   *
   * @return a new array
   * @throws InvalidArgumentException if the dtype is not int32 or uint32
   */
  public int[] toIntArray() {
    int[] array = new int[asIntBuffer().capacity()];
    asIntBuffer().get(array);
    return array;
  }

  /**
   * Copies the elements.
   *
   * @return a new array
   * @throws InvalidArgumentException if the dtype is not int64 or uint64
   */
  public long[] toLongArray() {
    long[] array = new long[asLongBuffer().capacity()];
    asLongBuffer().get(array);
    return array;
  }

  /**
   * Copies the bytes of the elements, of any dtype.
   *
   * @return a new array
   */
  public byte[] toByteArray() {
    byte[] array = new byte[data.capacity()];
    buffer().get(array);
    return array;
  }

  private void require(boolean fits, String expected) {
    if (!fits) {
      throw new InvalidArgumentException((name.isEmpty() ? "the tensor" : "tensor '" + name + "'") + " is of " + dtype
          + ", where " + expected + " is needed");
    }
  }

  /** Throws IllegalStateException for pinned memory that has been freed. */
  void requireOpen() {
    if (pinned != null && pinned.isClosed()) {
      throw new IllegalStateException("the pinned memory of this tensor is freed; it cannot be used after close()");
    }
  }

  /** Frees its pinned memory. */
  void free() {
    pinned.close();
  }

  boolean isReadOnly() {
    return data.isReadOnly();
  }

  /** The memory, for the native code. */
  ByteBuffer data() {
    requireOpen();
    return data;
  }

  /**
   * Returns name, dtype and shape as text.
   *
   * @return such as "data float32 (1, 3, 224, 224)"
   */
  @Override
  public String toString() {
    return (name + " " + dtype + " " + shape).trim();
  }
}
