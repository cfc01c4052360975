package org.mxinfer;

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
      requireReadable(tensors[i]);
      args.set(i, tensors[i].data(), tensors[i].dtype(), tensors[i].shape().sizes());
    }
    return args;
  }

  /** Throws where it is memory of an Arena that was closed. */
  static void requireReadable(Tensor tensor) {
    if (tensor.data().capacity() > 0) {
      tensor.data().get(0);
    }
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
      args.set(i, array, dtypeOf(array, descOf(i, arrays.length, inputs)),
          new long[] {java.lang.reflect.Array.getLength(array)});
    }
    return args;
  }

  /** Of the array at an index: where only as many are given as must be, those that may be left out are. */
  private static DataDesc descOf(int index, int count, List<DataDesc> inputs) {
    boolean all = count >= inputs.size();
    for (DataDesc input : inputs) {
      if ((all || !input.isOptional()) && index-- == 0) {
        return input;
      }
    }
    return null;
  }

  private void set(int index, Object values, DType dtype, long[] shape) {
    data[index] = values;
    dtypes[index] = dtype.ordinal();
    shapes[index] = shape;
  }

  private static byte[][] namesOf(Tensor[] tensors, String what) {
    String[] names = new String[tensors.length];
    for (int i = 0; i < names.length; i++) {
      names[i] = Objects.requireNonNull(tensors[i], "an element of " + what).name();
    }
    return namesOf(names);
  }

  /** Null if all are "". */
  static byte[][] namesOf(String[] texts) {
    boolean any = false;
    for (String text : texts) {
      any |= !text.isEmpty();
    }
    if (!any) {
      return null;
    }
    byte[][] names = new byte[texts.length][];
    for (int i = 0; i < names.length; i++) {
      names[i] = texts[i].isEmpty() ? null : Text.utf8(texts[i], "the name of a tensor");
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

  /** Names and shapes, for functions that take shapes alone. The map may be changed by others meanwhile. */
  static TensorArgs ofShapes(java.util.Map<String, Shape> shapes) {
    List<java.util.Map.Entry<String, Shape>> entries = new ArrayList<>();
    Objects.requireNonNull(shapes, "shapes").forEach((name, shape) -> {
      entries.add(java.util.Map.entry(Objects.requireNonNull(name, "a name in shapes"),
          Objects.requireNonNull(shape, "a shape in shapes")));
    });
    TensorArgs args = new TensorArgs(new byte[entries.size()][], entries.size());
    for (int i = 0; i < entries.size(); i++) {
      args.names[i] = Text.utf8(entries.get(i).getKey(), "a name in shapes");
      args.shapes[i] = entries.get(i).getValue().sizes();
    }
    return args;
  }
}
