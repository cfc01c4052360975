package org.mxinfer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * An array in pinned memory, for inputs and outputs of predictors on a GPU: transfers between this memory and the GPU
 * need no extra copy on the CPU. This holds for every GPU of the process. Pinning takes longer than most calls, so make
 * such arrays once and reuse them.
 *
 * <pre>{@code
 * try (PinnedTensor image = PinnedTensor.allocate("cuda:0", DType.FLOAT32, 1, 3, 224, 224)) {
 *   image.tensor().asFloatBuffer().put(pixels);
 *   List<Tensor> scores = predictor.predict(List.of(image.tensor()));
 * }
 * }</pre>
 *
 * <p>{@link #close()} frees the memory. Without it, the JVM does, when neither this object nor its tensor nor a view of its
 * buffer is reachable.
 */
public final class PinnedTensor implements AutoCloseable {
  private final Tensor tensor;

  private PinnedTensor(Tensor tensor) {
    this.tensor = tensor;
  }

  /**
   * Makes an array of zeros.
   *
   * @param device the device of the predictor, such as "cuda:0"; for "cpu", the memory is ordinary, so that you can pass
   *     the device of your options
   * @param dtype the type of its elements
   * @param shape the sizes of its dimensions
   * @return the array
   * @throws InvalidArgumentException if {@code device} is not a device, a size is below 0, or the array has more than
   *     2^31 - 1 bytes
   * @throws MxinferException if there is no such GPU or no library of kernels ({@link ErrorCode#DEVICE}), or not that much
   *     memory
   */
  public static PinnedTensor allocate(String device, DType dtype, long... shape) {
    Shape sizes = Shape.of(shape);
    Tensor.bytesOf(Objects.requireNonNull(dtype, "dtype"), sizes);  // throws where Java cannot hold so many
    long address = Native.createPinned(Text.utf8(Objects.requireNonNull(device, "device"), "device"), dtype.ordinal(),
        sizes.sizes());
    try {
      ByteBuffer memory = (ByteBuffer) Native.pinnedMemory(address);
      // Views of the buffer refer to it: the memory is freed after the last one.
      NativeHandle handle = new NativeHandle(memory, "PinnedTensor", address, Native::freeTensors);
      address = 0;
      return new PinnedTensor(Tensor.ofPinned(memory.order(ByteOrder.nativeOrder()), dtype, sizes, handle));
    } finally {
      if (address != 0) {
        Native.freeTensors(address);
      }
    }
  }

  /**
   * Returns the array, for calls.
   *
   * @return the tensor over this memory, always the same one
   * @throws IllegalStateException after {@link #close()}
   */
  public Tensor tensor() {
    tensor.requireOpen();
    return tensor;
  }

  /**
   * Frees the memory. No call may be using the tensor. Later calls with the tensor throw IllegalStateException; do not
   * use buffers that you got from it any more. Another close() does nothing.
   */
  @Override
  public void close() {
    tensor.free();
  }
}
