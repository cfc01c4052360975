// The functions of existing handles.
#include "c_predict/call.h"
#include "c_predict/handle.h"

using namespace mxinfer;
using namespace mxinfer::c_predict;

int MXPredGetOutputShape(PredictorHandle handle, mx_uint index, mx_uint** shape_data, mx_uint* shape_ndim) {
  return call([&] {
    const std::vector<std::uint32_t>& shape = handle_of<Handle>(handle).output_shape(index);
    need(shape_data, "shape_data") = const_cast<mx_uint*>(shape.data());
    need(shape_ndim, "shape_ndim") = static_cast<mx_uint>(shape.size());
  });
}

int MXPredGetOutputType(PredictorHandle handle, mx_uint out_index, int* out_dtype) {
  return call([&] {
    const DType dtype = handle_of<Handle>(handle).output_dtype(out_index);
    need(out_dtype, "out_dtype") = static_cast<int>(dtype);
  });
}

int MXPredSetInput(PredictorHandle handle, const char* key, const mx_float* data, mx_uint size) {
  return call([&] { handle_of<Handle>(handle).set_input(&need(key, "key"), data, size); });
}

int MXPredForward(PredictorHandle handle) {
  return call([&] { handle_of<Handle>(handle).forward(); });
}

int MXPredPartialForward(PredictorHandle handle, int step, int* step_left) {
  return call([&] {
    Handle& self = handle_of<Handle>(handle);
    int& left = need(step_left, "step_left");
    left = self.forward_until(step);
  });
}

int MXPredGetOutput(PredictorHandle handle, mx_uint index, mx_float* data, mx_uint size) {
  return call([&] { handle_of<Handle>(handle).get_output(index, data, size); });
}

int MXPredFree(PredictorHandle handle) {
  return call([&] { delete static_cast<Handle*>(handle); });
}
