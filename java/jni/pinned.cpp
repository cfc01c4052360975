// Arrays in pinned memory.
#include <mxinfer_c.h>

#include <cstdint>
#include <cstring>

#include "org_mxinfer_Native.h"
#include "support.h"
#include "values.h"

using namespace mxinfer::jni;

namespace {

/// The only array.
mxinfer_tensor array_of(JNIEnv* env, const mxinfer_tensors* tensors) {
  mxinfer_tensor tensor{};
  tensor.struct_size = sizeof tensor;
  check(env, mxinfer_tensors_get(tensors, 0, &tensor));
  return tensor;
}

std::size_t bytes_of(const mxinfer_tensor& tensor) {
  std::size_t bytes = mxinfer_dtype_size(tensor.dtype);
  for (std::int32_t i = 0; i < tensor.rank; ++i) bytes *= static_cast<std::size_t>(tensor.shape[i]);
  return bytes;
}

}  // namespace

jlong Java_org_mxinfer_Native_createPinned(JNIEnv* env, jclass /*type*/, jbyteArray device, jint dtype,
                                           jlongArray shape) {
  return guard(env, [&] {
    const std::vector<std::int64_t> sizes = to_int64s(env, shape);
    mxinfer_tensor like{};
    like.struct_size = sizeof like;
    like.shape = sizes.data();
    like.rank = static_cast<std::int32_t>(sizes.size());
    like.dtype = dtype;
    mxinfer_tensors* tensors = nullptr;
    check(env, mxinfer_tensors_create_pinned(&like, 1, to_string(env, device).c_str(), &tensors));
    const mxinfer_tensor made = array_of(env, tensors);
    std::memset(made.data, 0, bytes_of(made));
    return address_of(tensors);
  });
}

jobject Java_org_mxinfer_Native_pinnedMemory(JNIEnv* env, jclass /*type*/, jlong tensors) {
  return guard(env, [&] {
    const mxinfer_tensor tensor = array_of(env, object<const mxinfer_tensors>(tensors));
    jobject buffer = env->NewDirectByteBuffer(tensor.data, static_cast<jlong>(bytes_of(tensor)));
    check_java(env);
    return buffer;
  });
}
