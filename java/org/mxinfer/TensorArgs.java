package org.mxinfer;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Arrays as the native code takes them. Holds what it borrows. */
final class TensorArgs {
  final byte[][] names;
  final Object[] data;
  final int[] dtypes;
  final long[][] shapes;

  private TensorArgs(byte[][] names, int count) {
    this.names = names;
    data = new Object[count];
    dtypes = new int[count];
    shapes = new long[count][];
  }

  /** `what` is the argument's name. */
  static TensorArgs of(List<Tensor> list, String what) {
    Tensor[] tensors = Objects.requireNonNull(list, what).toArray(new Tensor[0]);
    TensorArgs args = new TensorArgs(namesOf(tensors, what), tensors.length);
    for (int i = 0; i < tensors.length; i++) {
      args.set(i, tensors[i].data(), tensors[i].dtype(), tensors[i].shape().sizes());
    }
    return args;
  }

  /** Of arrays that are to be written into. */
  static TensorArgs ofOutputs(List<Tensor> list) {
    for (Tensor tensor : Objects.requireNonNull(list, "outputs")) {
      if (Objects.requireNonNull(tensor, "an element of outputs").isReadOnly()) {
        throw new InvalidArgumentException(
            "the buffer of output " + tensor + " is read-only, where results are to be written into it");
      }
    }
    return of(list, "outputs");
  }

  /** Of flat arrays of primitive types, one for each input. */
  static TensorArgs ofFlat(Object[] arrays, List<DataDesc> inputs) {
    TensorArgs args = new TensorArgs(null, arrays.length);
    for (int i = 0; i < arrays.length; i++) {
      Object array = Objects.requireNonNull(arrays[i], "an element of inputs");
      args.set(i, array, dtypeOf(array, i < inputs.size() ? inputs.get(i) : null),
          new long[] {java.lang.reflect.Array.getLength(array)});
    }
    return args;
  }

  /** Copies of flat arrays in the shapes of the inputs, whose one free size follows from the number of elements. */
  static List<Tensor> copiesOfFlat(Object[] arrays, List<DataDesc> inputs) {
    List<Tensor> tensors = new ArrayList<>();
    for (int i = 0; i < arrays.length; i++) {
      Object array = Objects.requireNonNull(arrays[i], "an element of inputs");
      DataDesc desc = i < inputs.size() ? inputs.get(i) : null;
      tensors.add(copyOf(array, dtypeOf(array, desc), shapeFor(java.lang.reflect.Array.getLength(array), desc)));
    }
    return tensors;
  }

  private void set(int index, Object values, DType dtype, long[] shape) {
    data[index] = values;
    dtypes[index] = dtype.ordinal();
    shapes[index] = shape;
  }

  private static byte[][] namesOf(Tensor[] tensors, String what) {
    boolean any = false;
    for (Tensor tensor : tensors) {
      any |= !Objects.requireNonNull(tensor, "an element of " + what).name().isEmpty();
    }
    if (!any) {
      return null;
    }
    byte[][] names = new byte[tensors.length][];
    for (int i = 0; i < names.length; i++) {
      names[i] = tensors[i].name().isEmpty() ? null : Text.utf8(tensors[i].name(), "the name of a tensor");
    }
    return names;
  }

  /** Whole numbers are taken as the input's type if that has their size. */
  private static DType dtypeOf(Object array, DataDesc input) {
    DType own;
    if (array instanceof float[]) {
      return DType.FLOAT32;
    } else if (array instanceof double[]) {
      return DType.FLOAT64;
    } else if (array instanceof int[]) {
      own = DType.INT32;
    } else if (array instanceof long[]) {
      own = DType.INT64;
    } else if (array instanceof byte[]) {
      own = DType.UINT8;
    } else if (array instanceof short[]) {
      own = DType.INT16;
    } else {
      throw new InvalidArgumentException("an element of inputs is of " + array.getClass().getTypeName()
          + ", where float[], double[], int[], long[], byte[] or short[] is needed");
    }
    boolean fits = input != null && input.dtype().bytes() == own.bytes()
        && (input.dtype().isInteger() || array instanceof short[]);
    return fits ? input.dtype() : own;
  }

  private static long[] shapeFor(long elements, DataDesc input) {
    if (input == null) {
      return new long[] {elements};
    }
    long[] shape = input.shape().toArray();
    long known = 1;
    int free = -1;
    for (int i = 0; i < shape.length; i++) {
      if (shape[i] < 0 && free >= 0) {
        throw new InvalidArgumentException("input '" + input.name() + "' has shape " + input.shape()
            + ", of which more than one size is free; give a tensor with a shape instead of a flat array");
      }
      free = shape[i] < 0 ? i : free;
      known *= shape[i] < 0 ? 1 : shape[i];
    }
    if (known == 0 || elements % known != 0 || (free < 0 && elements != known)) {
      throw new InvalidArgumentException("input '" + input.name() + "' got " + elements + " elements; its shape "
          + input.shape() + " takes " + (free < 0 ? "" : "multiples of ") + known);
    }
    if (free >= 0) {
      shape[free] = elements / known;
    }
    return shape;
  }

  private static Tensor copyOf(Object array, DType dtype, long[] shape) {
    Tensor tensor = Tensor.allocate(dtype, shape);
    if (array instanceof float[]) {
      tensor.buffer().asFloatBuffer().put((float[]) array);
    } else if (array instanceof double[]) {
      tensor.buffer().asDoubleBuffer().put((double[]) array);
    } else if (array instanceof int[]) {
      tensor.buffer().asIntBuffer().put((int[]) array);
    } else if (array instanceof long[]) {
      tensor.buffer().asLongBuffer().put((long[]) array);
    } else if (array instanceof short[]) {
      tensor.buffer().asShortBuffer().put((short[]) array);
    } else {
      tensor.buffer().put((byte[]) array);
    }
    return tensor;
  }

  /** The results at an address, which is freed. */
  static List<Tensor> takeTensors(long tensors, List<DataDesc> outputs) {
    try {
      Tensor[] list = new Tensor[Native.tensorCount(tensors)];
      for (int i = 0; i < list.length; i++) {
        long[] info = Native.tensorInfo(tensors, i);
        Shape shape = Shape.ofOwn(java.util.Arrays.copyOfRange(info, 1, info.length));
        list[i] = Tensor.allocate(i < outputs.size() ? outputs.get(i).name() : "", DType.of((int) info[0]), shape);
        Native.copyTensor(tensors, i, list[i].data());
      }
      return List.of(list);
    } finally {
      Native.freeTensors(tensors);
    }
  }

  /** Names and shapes, for functions that take shapes alone. */
  static byte[][] namesOf(java.util.Map<String, Shape> shapes) {
    byte[][] names = new byte[Objects.requireNonNull(shapes, "shapes").size()][];
    int i = 0;
    for (String name : shapes.keySet()) {
      names[i++] = Objects.requireNonNull(name, "a name in shapes").getBytes(StandardCharsets.UTF_8);
    }
    return names;
  }

  static long[][] sizesOf(java.util.Map<String, Shape> shapes) {
    long[][] sizes = new long[shapes.size()][];
    int i = 0;
    for (Shape shape : shapes.values()) {
      sizes[i++] = Objects.requireNonNull(shape, "a shape in shapes").sizes();
    }
    return sizes;
  }
}
