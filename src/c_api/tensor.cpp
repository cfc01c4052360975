#include <mxinfer/dtype.h>
#include <mxinfer_c/tensor.h>

#include "c_api/call.h"
#include "c_api/handles.h"
#include "c_api/structs.h"
#include "c_api/views.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

namespace {

bool is_dtype(std::int32_t number) {
  return number >= 0 && number <= static_cast<std::int32_t>(DType::bfloat16);
}

/// The name of an array: its own, or that of an output of the model.
const char* name_of(const mxinfer_tensors& tensors, std::size_t index) {
  if (!tensors.has_names) return nullptr;
  if (index < tensors.names.size()) return tensors.names[index].c_str();
  if (!tensors.model) return "";
  const std::vector<DataDesc>& outputs = tensors.model->signature().outputs;
  return index < outputs.size() ? outputs[index].name.c_str() : "";
}

}  // namespace

mxinfer_status c_api::item_status(const std::vector<ItemError>& errors, std::size_t item,
                                  const char** message) {
  if (message != nullptr) *message = "";
  for (const ItemError& error : errors) {
    if (error.item != item) continue;
    if (message != nullptr) *message = error.error.what();
    return status_of(error.error.code());
  }
  return MXINFER_OK;
}

size_t mxinfer_dtype_size(int32_t dtype) {
  return is_dtype(dtype) ? size_of(static_cast<DType>(dtype)) : 0;
}

const char* mxinfer_dtype_name(int32_t dtype) {
  return to_string(static_cast<DType>(dtype));
}

mxinfer_status mxinfer_tensors_create_pinned(const mxinfer_tensor* like, size_t count, const char* device,
                                             mxinfer_tensors** out) {
  return give(out, [&] {
    const std::string name = need_text(device, "device");
    if (count > 0) need(like, "like");
    auto made = std::make_unique<mxinfer_tensors>();
    made->has_names = are_named(like, count);
    for (std::size_t i = 0; i < count; ++i) {
      const mxinfer_tensor one = read_element(like, i);
      const TensorView type = type_view_of(one);
      made->list.push_back(Tensor::pinned(type.dtype(), type.shape(), name));
      if (made->has_names) made->names.emplace_back(one.name);
    }
    return made.release();
  });
}

size_t mxinfer_tensors_count(const mxinfer_tensors* tensors) {
  return tensors == nullptr ? 0 : tensors->list.size();
}

mxinfer_status mxinfer_tensors_get(const mxinfer_tensors* tensors, size_t index, mxinfer_tensor* tensor) {
  return call([&] {
    const mxinfer_tensors& from = need(tensors, "tensors");
    if (index >= from.list.size()) no_such("tensor", index, from.list.size());
    const Tensor& found = from.list[index];
    write_struct(need(tensor, "tensor"),
                 {0, name_of(from, index), const_cast<void*>(TensorView(found).raw()), found.shape().data(),
                  static_cast<std::int32_t>(found.shape().rank()), static_cast<std::int32_t>(found.dtype()),
                  static_cast<std::int32_t>(DeviceType::cpu), 0});
  });
}

mxinfer_status mxinfer_tensors_item_status(const mxinfer_tensors* tensors, size_t index,
                                           const char** message) {
  return item_status_of(tensors, "tensors", index, message);
}

void mxinfer_tensors_free(mxinfer_tensors* tensors) {
  delete tensors;
}

size_t mxinfer_descs_count(const mxinfer_descs* descs) {
  return descs == nullptr ? 0 : descs->list.size();
}

mxinfer_status mxinfer_descs_get(const mxinfer_descs* descs, size_t index, mxinfer_desc* desc) {
  return call([&] {
    const mxinfer_descs& from = need(descs, "descs");
    if (index >= from.list.size()) no_such("descriptor", index, from.list.size());
    const DataDesc& found = from.list[index];
    write_struct(need(desc, "desc"),
                 {0, found.name.c_str(), found.shape.data(), static_cast<std::int32_t>(found.shape.rank()),
                  static_cast<std::int32_t>(found.dtype), found.layout.c_str(), to_string(found.meaning),
                  found.is_guess ? 1 : 0, found.is_optional ? 1 : 0, found.is_nullable ? 1 : 0});
  });
}

void mxinfer_descs_free(mxinfer_descs* descs) {
  delete descs;
}
