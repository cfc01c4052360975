#include "device_tensors.h"

#include "org_mxinfer_Native.h"

namespace mxinfer::jni {
namespace {

constexpr std::int32_t kCuda = 2;  // mxinfer_tensor::device_type

}  // namespace

DeviceTensors::DeviceTensors(JNIEnv* env, const DeviceTensorLists& lists)
    : Tensors(env, lists.names, lists.dtypes, lists.shapes) {
  std::vector<jlong> addresses(tensors_.size());
  std::vector<jint> devices(tensors_.size());
  const auto count = static_cast<jsize>(tensors_.size());
  env->GetLongArrayRegion(lists.addresses, 0, count, addresses.data());
  env->GetIntArrayRegion(lists.devices, 0, count, devices.data());
  check_java(env);
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    tensors_[i].data = object<void>(addresses[i]);
    tensors_[i].device_type = kCuda;
    tensors_[i].device_index = devices[i];
  }
}

}  // namespace mxinfer::jni

using namespace mxinfer::jni;

void Java_org_mxinfer_Native_predictOnDevice(JNIEnv* env, jclass /*type*/, jlong address, jobjectArray names,
                                             jlongArray addresses, jintArray devices, jintArray dtypes,
                                             jobjectArray shapes, jobjectArray out_names,
                                             jlongArray out_addresses, jintArray out_devices,
                                             jintArray out_dtypes, jobjectArray out_shapes, jlong stream) {
  guard(env, [&] {
    const DeviceTensors inputs(env, {names, addresses, devices, dtypes, shapes});
    const DeviceTensors outputs(env, {out_names, out_addresses, out_devices, out_dtypes, out_shapes});
    check(env, mxinfer_predictor_predict_on_device(object<const mxinfer_predictor>(address), inputs.data(),
                                                   inputs.size(), outputs.data(), outputs.size(),
                                                   object<void>(stream)));
  });
}
