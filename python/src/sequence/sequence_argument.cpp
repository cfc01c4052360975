#include "sequence/sequence_argument.h"

#include <mxinfer/error.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "core/read_items.h"
#include "sequence/texts.h"

namespace mxinfer::python {
namespace nb = nanobind;
namespace {

[[noreturn]] void no_id(const char* what, const std::string& given) {
  throw Error(ErrorCode::invalid_argument,
              std::string(what) + ": " + given + " is no id; expected a whole number of 32 bits");
}

std::string element(const char* what, std::size_t position) {
  return std::string(what) + "[" + std::to_string(position) + "]";
}

template <typename T>
std::vector<std::int32_t> copied_ids(const TensorView& view, const char* what) {
  std::vector<std::int32_t> ids;
  const T* const from = view.data<T>();
  const auto count = static_cast<std::size_t>(view.shape().elements());
  ids.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::in_range<std::int32_t>(from[i])) no_id(element(what, i).c_str(), std::to_string(from[i]));
    ids.push_back(static_cast<std::int32_t>(from[i]));
  }
  return ids;
}

std::optional<std::vector<std::int32_t>> ids_of_array(const TensorView& view, const char* what) {
  if (view.shape().rank() != 1) return std::nullopt;
  switch (view.dtype()) {
    case DType::int8:
      return copied_ids<std::int8_t>(view, what);
    case DType::uint8:
      return copied_ids<std::uint8_t>(view, what);
    case DType::int16:
      return copied_ids<std::int16_t>(view, what);
    case DType::uint16:
      return copied_ids<std::uint16_t>(view, what);
    case DType::int32:
      return copied_ids<std::int32_t>(view, what);
    case DType::uint32:
      return copied_ids<std::uint32_t>(view, what);
    case DType::int64:
      return copied_ids<std::int64_t>(view, what);
    case DType::uint64:
      return copied_ids<std::uint64_t>(view, what);
    default:
      return std::nullopt;
  }
}

/// `what` is called where it is needed: a list may have many ids.
template <typename What>
std::int32_t id_of(nb::handle id, const What& what) {
  if (!is_id(id)) no_id(what().c_str(), "a " + class_name(id));
  const nb::object whole = nb::steal(PyNumber_Index(id.ptr()));
  if (!whole.is_valid()) throw nb::python_error();
  int overflow = 0;
  const long value = PyLong_AsLongAndOverflow(whole.ptr(), &overflow);
  if (overflow != 0 || !std::in_range<std::int32_t>(value)) no_id(what().c_str(), nb::str(whole).c_str());
  return static_cast<std::int32_t>(value);
}

std::vector<std::int32_t> ids_of_list(const nb::list& list, const char* what) {
  std::vector<std::int32_t> ids;
  ids.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const nb::object item = list[i];
    ids.push_back(id_of(item, [&] { return element(what, i); }));
  }
  return ids;
}

}  // namespace

ByteSpan span_of(const HeldArray& bytes) {
  const TensorView& view = bytes.view();
  return {view.raw(), static_cast<std::size_t>(view.shape().elements()) * size_of(view.dtype())};
}

bool is_id(nb::handle object) {
  if (PyLong_Check(object.ptr()) != 0) return true;
  return PyIndex_Check(object.ptr()) != 0 && PySequence_Check(object.ptr()) == 0;
}

std::int32_t id_of(nb::handle id, const char* what) {
  return id_of(id, [&] { return std::string(what); });
}

std::vector<std::int32_t> ids_of(nb::handle ids, const char* what) {
  if (PyObject_CheckBuffer(ids.ptr()) == 0 || nb::isinstance<nb::bytes>(ids))
    return ids_of_list(list_of(ids, what), what);
  const HeldArray array(ids, {what, "", DType::int32});
  auto found = ids_of_array(array.view(), what);
  if (found) return *std::move(found);
  throw Error(ErrorCode::invalid_argument, std::string(what) +
                                               ": ids are whole numbers in one dimension; this array has " +
                                               std::to_string(array.view().shape().rank()) +
                                               " dimensions of " + to_string(array.view().dtype()));
}

NamedArrays::NamedArrays(nb::handle dict, const char* what, const std::vector<DataDesc>& descs,
                         DType otherwise) {
  const std::string name_of_what = std::string(what) + ": a name";
  for (const auto& [key, value] : nb::cast<nb::dict>(dict)) {
    const std::string name = utf8_of(key, name_of_what.c_str());
    const auto desc =
        std::find_if(descs.begin(), descs.end(), [&](const DataDesc& d) { return d.name == name; });
    arrays_.emplace(name, HeldArray(value, {what, name, desc == descs.end() ? otherwise : desc->dtype}));
  }
}

std::map<std::string, TensorView> NamedArrays::views() const {
  std::map<std::string, TensorView> views;
  for (const auto& [name, array] : arrays_) views.emplace(name, array.view());
  return views;
}

}  // namespace mxinfer::python
