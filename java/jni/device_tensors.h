// Arrays in the memory of a GPU: addresses of Java as the C interface takes them.
#pragma once

#include <jni.h>
#include <mxinfer_c.h>

#include <vector>

#include "support.h"
#include "tensors.h"

namespace mxinfer::jni {

/// The five lists that stand for arrays of a device: names (may be null, also single ones), addresses,
/// numbers of GPUs, dtypes, shapes.
struct DeviceTensorLists {
  jobjectArray names;
  jlongArray addresses;
  jintArray devices;
  jintArray dtypes;
  jobjectArray shapes;
};

class DeviceTensors : private Tensors {
 public:
  DeviceTensors(JNIEnv* env, const DeviceTensorLists& lists);
  using Tensors::data;
  using Tensors::size;
};

}  // namespace mxinfer::jni
