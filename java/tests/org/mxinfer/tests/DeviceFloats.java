package org.mxinfer.tests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;

import org.mxinfer.DType;
import org.mxinfer.DeviceTensor;

/** Floats in the memory of cuda:0, a GPU's or the emulator's. */
final class DeviceFloats implements AutoCloseable {
  static {
    System.load(System.getProperty("mxinfer.device.floats"));
  }

  final long address;
  private final int count;

  DeviceFloats(float... values) {
    count = values.length;
    address = upload(values);
    assertNotEquals(0, address);
  }

  DeviceTensor tensor(long... shape) {
    return DeviceTensor.of(address, DType.FLOAT32, 0, shape);
  }

  float[] values() {
    float[] values = new float[count];
    assertEquals(0, download(address, values));
    return values;
  }

  @Override
  public void close() {
    free(address);
  }

  /** Whether a direct buffer is in pinned memory. */
  static native boolean isPinned(Object buffer);

  static native long createStream();

  static native int synchronize(long stream);

  static native void destroyStream(long stream);

  private static native long upload(float[] values);

  private static native int download(long address, float[] values);

  private static native void free(long address);
}
