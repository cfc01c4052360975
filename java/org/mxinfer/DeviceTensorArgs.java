package org.mxinfer;

import java.util.List;
import java.util.Objects;

/** Arrays in the memory of a GPU as the native code takes them. */
final class DeviceTensorArgs {
  final byte[][] names;
  final long[] addresses;
  final int[] devices;
  final int[] dtypes;
  final long[][] shapes;

  /** `what` is the argument's name. */
  DeviceTensorArgs(List<DeviceTensor> list, String what) {
    DeviceTensor[] tensors = Objects.requireNonNull(list, what).toArray(new DeviceTensor[0]);
    String[] texts = new String[tensors.length];
    addresses = new long[tensors.length];
    devices = new int[tensors.length];
    dtypes = new int[tensors.length];
    shapes = new long[tensors.length][];
    for (int i = 0; i < tensors.length; i++) {
      DeviceTensor tensor = Objects.requireNonNull(tensors[i], "an element of " + what);
      texts[i] = tensor.name();
      addresses[i] = tensor.address();
      devices[i] = tensor.device();
      dtypes[i] = tensor.dtype().ordinal();
      shapes[i] = tensor.shape().sizes();
    }
    names = TensorArgs.namesOf(texts);
  }
}
