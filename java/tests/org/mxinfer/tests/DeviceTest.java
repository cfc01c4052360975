package org.mxinfer.tests;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.Test;
import org.mxinfer.DType;
import org.mxinfer.DeviceTensor;
import org.mxinfer.ErrorCode;
import org.mxinfer.Options;
import org.mxinfer.PinnedTensor;
import org.mxinfer.Predictor;
import org.mxinfer.Tensor;

/** Arrays in the memory of a GPU, or of its emulator. */
public class DeviceTest {
  private static final Options ON_GPU = new Options().set("device", "cuda:0");
  private static final float[] PIXELS = TestData.samples(2);

  private static float[] expected() {
    try (Predictor onCpu = new Predictor(TestData.DIGITS)) {
      return onCpu.predict(PIXELS)[0];
    }
  }

  @Test
  public void theResultsAreThoseOfTheCpu() {
    long stream = DeviceFloats.createStream();
    assertNotEquals(0, stream);
    try (Predictor predictor = new Predictor(TestData.DIGITS, ON_GPU);
        DeviceFloats from = new DeviceFloats(PIXELS);
        DeviceFloats to = new DeviceFloats(new float[20])) {
      predictor.predictOnDevice(List.of(from.tensor(2, 1, 32, 32)), List.of(to.tensor(2, 10)), stream);
      assertEquals(0, DeviceFloats.synchronize(stream));
      assertArrayEquals(expected(), to.values(), 1e-4f);
    } finally {
      DeviceFloats.destroyStream(stream);
    }
  }

  @Test
  public void namesAndTheDefaultStream() {
    try (Predictor predictor = new Predictor(TestData.DIGITS, ON_GPU);
        DeviceFloats from = new DeviceFloats(PIXELS);
        DeviceFloats to = new DeviceFloats(new float[20])) {
      String output = predictor.outputs().get(0).name();
      DeviceTensor data = from.tensor(2, 1, 32, 32);
      predictor.predictOnDevice(List.of(data.named("data")), List.of(to.tensor(2, 10).named(output)), 0);
      assertEquals(0, DeviceFloats.synchronize(0));
      assertArrayEquals(expected(), to.values(), 1e-4f);
      List<DeviceTensor> scores = List.of(to.tensor(2, 10));
      TestData.assertInvalid(() -> predictor.predictOnDevice(List.of(data.named("pixels")), scores, 0), "pixels");
    }
  }

  @Test
  public void whatDoesNotFit() {
    try (Predictor predictor = new Predictor(TestData.DIGITS, ON_GPU);
        DeviceFloats from = new DeviceFloats(PIXELS);
        DeviceFloats to = new DeviceFloats(new float[20])) {
      List<DeviceTensor> inputs = List.of(from.tensor(2, 1, 32, 32));
      List<DeviceTensor> outputs = List.of(to.tensor(2, 10));
      TestData.assertInvalid(
          () -> predictor.predictOnDevice(inputs, List.of(to.tensor(2, 9)), 0), "(2, 9)", "(2, 10)");
      TestData.assertInvalid(
          () -> predictor.predictOnDevice(inputs, List.of(DeviceTensor.of(to.address, DType.INT32, 0, 2, 10)), 0),
          "int32", "float32");
      TestData.assertInvalid(
          () -> predictor.predictOnDevice(List.of(DeviceTensor.of(from.address, DType.FLOAT32, 1, 2, 1, 32, 32)),
              outputs, 0), "data", "in the memory of cuda:1", "cuda:0");
      TestData.assertInvalid(
          () -> predictor.predictOnDevice(List.of(DeviceTensor.of(0, DType.FLOAT32, 0, 2, 1, 32, 32)), outputs, 0),
          "(2, 1, 32, 32)", "NULL");
      TestData.assertInvalid(() -> predictor.predictOnDevice(inputs, List.of(), 0), "output");
      TestData.assertFails(ErrorCode.UNSUPPORTED,
          () -> predictor.predictOnDevice(List.of(DeviceTensor.of(from.address, DType.INT32, 0, 2, 1, 32, 32)),
              outputs, 0), "int32");
      TestData.assertInvalid(() -> DeviceTensor.of(0, DType.FLOAT32, -1, 2), "-1");
      TestData.assertInvalid(() -> DeviceTensor.of(0, DType.FLOAT32, 0, -2), "(-2,)");
    }
  }

  @Test
  public void aPredictorOfTheCpuHasNone() {
    try (Predictor predictor = new Predictor(TestData.DIGITS);
        DeviceFloats from = new DeviceFloats(PIXELS);
        DeviceFloats to = new DeviceFloats(new float[20])) {
      TestData.assertFails(ErrorCode.UNSUPPORTED,
          () -> predictor.predictOnDevice(List.of(from.tensor(2, 1, 32, 32)), List.of(to.tensor(2, 10)), 0),
          "the predictor runs on the CPU");
    }
  }

  @Test
  public void pinnedInputsAndOutputs() {
    try (Predictor predictor = new Predictor(TestData.DIGITS, ON_GPU);
        PinnedTensor images = PinnedTensor.allocate("cuda:0", DType.FLOAT32, 2, 1, 32, 32);
        PinnedTensor scores = PinnedTensor.allocate("cuda:0", DType.FLOAT32, 2, 10)) {
      assertTrue(DeviceFloats.isPinned(images.tensor().buffer()));
      assertFalse(DeviceFloats.isPinned(Tensor.allocate(DType.FLOAT32, 4).buffer()));
      assertArrayEquals(new float[20], scores.tensor().toFloatArray(), 0);
      images.tensor().asFloatBuffer().put(PIXELS);
      for (int call = 0; call < 3; call++) {
        predictor.predictInto(List.of(images.tensor()), List.of(scores.tensor()));
        assertArrayEquals(expected(), scores.tensor().toFloatArray(), 1e-4f);
      }
    }
  }

  @Test
  public void closingFreesPinnedMemory() {
    PinnedTensor pinned = PinnedTensor.allocate("cuda:0", DType.FLOAT32, 2, 1, 32, 32);
    Tensor tensor = pinned.tensor().named("data").reshaped(2, 1024);
    ByteBuffer memory = tensor.buffer();
    assertTrue(DeviceFloats.isPinned(memory));
    pinned.close();
    pinned.close();
    assertFalse(DeviceFloats.isPinned(memory));
    assertThrows(IllegalStateException.class, pinned::tensor);
    assertThrows(IllegalStateException.class, tensor::buffer);
    assertThrows(IllegalStateException.class, tensor::asFloatBuffer);
    try (Predictor predictor = new Predictor(TestData.DIGITS, ON_GPU)) {
      assertThrows(IllegalStateException.class, () -> predictor.predict(List.of(tensor)));
    }
  }

  @Test
  public void pinnedMemoryOfOtherDevices() {
    try (PinnedTensor ordinary = PinnedTensor.allocate("cpu", DType.INT64, 0, 3)) {
      assertFalse(DeviceFloats.isPinned(ordinary.tensor().buffer()));
      assertEquals(0, ordinary.tensor().elements());
    }
    TestData.assertInvalid(() -> PinnedTensor.allocate("tpu", DType.FLOAT32, 2), "tpu", "cuda:0");
    TestData.assertInvalid(() -> PinnedTensor.allocate("cuda:0", DType.FLOAT32, -2), "-2");
    TestData.assertFails(ErrorCode.DEVICE, () -> PinnedTensor.allocate("cuda:9", DType.FLOAT32, 2), "cuda:9");
  }

  @Test
  public void tensorsAreValues() {
    DeviceTensor tensor = DeviceTensor.of(4096, DType.FLOAT16, 1, 2, 3);
    assertEquals(tensor, DeviceTensor.of(4096, DType.FLOAT16, 1, 2, 3));
    assertEquals(tensor.hashCode(), DeviceTensor.of(4096, DType.FLOAT16, 1, 2, 3).hashCode());
    assertNotEquals(tensor, tensor.named("data"));
    assertNotEquals(tensor, DeviceTensor.of(8192, DType.FLOAT16, 1, 2, 3));
    assertEquals("data float16 (2, 3) of cuda:1", tensor.named("data").toString());
  }
}
