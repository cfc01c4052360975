package org.mxinfer;

import java.util.Objects;

/**
 * A dense row-major array in the memory of a GPU, for {@link Predictor#predictOnDevice(java.util.List, java.util.List,
 * long)}: its address, dtype and shape. The memory is yours, and you free it. Never changes.
 *
 * <pre>{@code
 * DeviceTensor image = DeviceTensor.of(pointer, DType.FLOAT32, 0, 1, 3, 224, 224);   // of cuda:0
 * }</pre>
 */
public final class DeviceTensor {
  private final String name;
  private final long address;
  private final DType dtype;
  private final int device;
  private final Shape shape;

  private DeviceTensor(String name, long address, DType dtype, int device, Shape shape) {
    this.name = name;
    this.address = address;
    this.dtype = dtype;
    this.device = device;
    this.shape = shape;
  }

  /**
   * Describes memory of your program.
   *
   * @param address where the elements begin: a CUDA pointer, such as one from {@code cudaMalloc}
   * @param dtype the type of the elements
   * @param device the number of the GPU, among those that the process sees
   * @param shape the sizes of the dimensions
   * @return the tensor
   * @throws InvalidArgumentException if the number of the GPU or a size is below 0
   */
  public static DeviceTensor of(long address, DType dtype, int device, long... shape) {
    Shape sizes = Shape.of(shape);
    sizes.elements();  // throws where there is no such number
    if (device < 0) {
      throw new InvalidArgumentException("the GPU of a tensor is " + device + "; it is 0 or more");
    }
    return new DeviceTensor("", address, Objects.requireNonNull(dtype, "dtype"), device, sizes);
  }

  /**
   * Returns a tensor of the same memory with a name, for calls by name.
   *
   * @param name the name of the model's input or output; "" for none
   * @return another tensor of the same elements
   */
  public DeviceTensor named(String name) {
    return new DeviceTensor(Objects.requireNonNull(name, "name"), address, dtype, device, shape);
  }

  /**
   * Returns the name.
   *
   * @return the name; "" for none
   */
  public String name() {
    return name;
  }

  /**
   * Returns the address of the elements.
   *
   * @return the pointer
   */
  public long address() {
    return address;
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
   * Returns the number of the GPU that has the memory.
   *
   * @return the number, from 0
   */
  public int device() {
    return device;
  }

  /**
   * Returns the shape.
   *
   * @return the shape
   */
  public Shape shape() {
    return shape;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof DeviceTensor)) {
      return false;
    }
    DeviceTensor that = (DeviceTensor) other;
    return name.equals(that.name) && address == that.address && dtype == that.dtype && device == that.device
        && shape.equals(that.shape);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, address, dtype, device, shape);
  }

  /**
   * Returns name, dtype and shape as text.
   *
   * @return such as "data float32 (1, 3, 224, 224) of cuda:0"
   */
  @Override
  public String toString() {
    return (name + " " + dtype + " " + shape + " of cuda:" + device).trim();
  }
}
