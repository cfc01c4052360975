package org.mxinfer.tests;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.Test;
import org.mxinfer.DType;
import org.mxinfer.DataDesc;
import org.mxinfer.Shape;
import org.mxinfer.Tensor;

public class TensorTest {
  @Test
  public void arraysAreCopied() {
    float[] data = {1, 2, 3, 4, 5, 6};
    Tensor tensor = Tensor.of(data, 2, 3);
    data[0] = 9;
    assertEquals(DType.FLOAT32, tensor.dtype());
    assertEquals(Shape.of(2, 3), tensor.shape());
    assertEquals(6, tensor.elements());
    assertEquals("", tensor.name());
    assertArrayEquals(new float[] {1, 2, 3, 4, 5, 6}, tensor.toFloatArray(), 0);
    assertArrayEquals(new double[] {1.5}, Tensor.of(new double[] {1.5}).toDoubleArray(), 0);
    assertArrayEquals(new int[] {7, -1}, Tensor.of(new int[] {7, -1}).toIntArray());
    assertArrayEquals(new long[] {1L << 40}, Tensor.of(new long[] {1L << 40}).toLongArray());
    assertArrayEquals(new byte[] {1, -1}, Tensor.of(new byte[] {1, -1}).toByteArray());
    assertArrayEquals(new float[] {0.1f}, Tensor.float32Of(new double[] {0.1}).toFloatArray(), 0);
    assertEquals("float32 (2, 3)", tensor.toString());
  }

  @Test
  public void viewsAreOfTheSameMemory() {
    Tensor tensor = Tensor.allocate(DType.FLOAT32, 2, 2);
    tensor.asFloatBuffer().put(3, 5f);
    assertEquals(5f, tensor.named("x").reshaped(4).buffer().getFloat(12), 0);
    assertEquals("x", tensor.named("x").name());
    Tensor.allocate(DType.FLOAT64, 1).asDoubleBuffer().put(0, 1);
    Tensor.allocate(DType.INT32, 1).asIntBuffer().put(0, 1);
    Tensor.allocate(DType.INT64, 1).asLongBuffer().put(0, 1);
    Tensor.allocate(DType.FLOAT16, 1).asShortBuffer().put(0, (short) 1);
    assertTrue(tensor.buffer().isDirect());
    assertEquals(ByteOrder.nativeOrder(), tensor.buffer().order());
  }

  @Test
  public void wrongShapesAndTypesAreTold() {
    TestData.assertInvalid(() -> Tensor.of(new float[3], 2, 2), "(2, 2)", "4", "3");
    TestData.assertInvalid(() -> Tensor.of(new float[3], -1), "free");
    TestData.assertInvalid(() -> Tensor.allocate(DType.FLOAT64, 1 << 20, 1 << 20), "bytes");
    TestData.assertInvalid(() -> Tensor.allocate(DType.FLOAT64, Long.MAX_VALUE, 3), "elements");
    TestData.assertInvalid(() -> Tensor.allocate(DType.UINT8, new long[17]), "17", "16");
    TestData.assertInvalid(() -> Tensor.of(new float[3]).toIntArray(), "float32", "int32");
    TestData.assertInvalid(() -> Tensor.of(new int[3]).toFloatArray(), "int32", "float32");
    TestData.assertInvalid(() -> Tensor.of(new float[3]).toDoubleArray(), "float64");
    TestData.assertInvalid(() -> Tensor.of(new float[3]).toLongArray(), "int64");
    TestData.assertInvalid(() -> Tensor.of(new float[3]).asShortBuffer(), "two bytes");
    TestData.assertInvalid(() -> Tensor.of(new float[4]).reshaped(3), "(3,)", "4");
  }

  @Test
  public void directBuffersAreBorrowedBetweenPositionAndLimit() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(32).order(ByteOrder.nativeOrder());
    buffer.position(8).limit(16);
    Tensor tensor = Tensor.of(buffer, DType.FLOAT32, 2);
    buffer.limit(12);  // read once: the tensor stays as it is
    buffer.putFloat(8, 4f);
    assertArrayEquals(new float[] {4, 0}, tensor.toFloatArray(), 0);
    ByteBuffer heap = ByteBuffer.wrap(new byte[] {1, 2});
    Tensor copy = Tensor.of(heap, DType.UINT8, 2);
    heap.put(0, (byte) 9);
    assertArrayEquals(new byte[] {1, 2}, copy.toByteArray());
  }

  @Test
  public void buffersThatDoNotFitAreTold() {
    ByteBuffer big = ByteBuffer.allocateDirect(8).order(ByteOrder.BIG_ENDIAN);
    TestData.assertInvalid(() -> Tensor.of(big, DType.FLOAT32, 2), "BIG_ENDIAN", "nativeOrder");
    TestData.assertInvalid(() -> Tensor.of(big.order(ByteOrder.nativeOrder()), DType.FLOAT32, 3), "8", "12");
    ByteBuffer odd = ByteBuffer.allocateDirect(9).order(ByteOrder.nativeOrder()).position(1);
    TestData.assertInvalid(() -> Tensor.of(odd, DType.FLOAT32, 2), "multiple of 4");
  }

  @Test
  public void shapesAndDescriptors() {
    Shape shape = new Shape(1, 3, 224, 224);
    assertEquals(Shape.of(1, 3, 224, 224), shape);
    assertEquals(shape.hashCode(), Shape.of(1, 3, 224, 224).hashCode());
    assertNotEquals(shape, Shape.of(1, 3));
    assertEquals("(1, 3, 224, 224)", shape.toString());
    assertEquals(4, shape.rank());
    assertEquals(224, shape.get(3));
    assertEquals(150528, shape.elements());
    assertEquals(1, new Shape().elements());
    assertArrayEquals(new long[] {1, 3, 224, 224}, shape.toArray());
    TestData.assertThrows(IndexOutOfBoundsException.class, () -> shape.get(4));
    TestData.assertInvalid(() -> Shape.of(-1, 3).elements(), "free");
    TestData.assertInvalid(() -> Shape.of(1L << 62, 4).elements(), "long");
    assertEquals(0, Shape.of(1L << 40, 0).elements());

    DataDesc desc = new DataDesc("data", shape, DType.UINT8, "NCHW");
    assertEquals("data (1, 3, 224, 224) uint8 NCHW", desc.toString());
    assertEquals(List.of("data", shape, DType.UINT8, "NCHW", ""),
        List.of(desc.name(), desc.shape(), desc.dtype(), desc.layout(), desc.meaning()));
    assertEquals(2, DataDesc.getBatchAxis("TCN"));
    assertEquals(0, DataDesc.getBatchAxis(""));
    TestData.assertInvalid(() -> DataDesc.getBatchAxis("CHW"), "CHW");
    TestData.assertInvalid(() -> new DataDesc("data", shape, DType.FLOAT32, "NC"), "NC", "4");
  }
}
