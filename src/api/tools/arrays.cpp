#include <mxinfer/tools/arrays.h>

#include <utility>

#include "base/fail.h"
#include "formats/arrays/params.h"
#include "sources/source.h"

namespace mxinfer {
namespace {

std::vector<NamedTensor> arrays_of(const sources::Source& source) {
  std::vector<NamedTensor> arrays;
  for (formats::NamedArray& array : formats::read_params(source))
    arrays.push_back({std::move(array.name), std::move(array.tensor)});
  return arrays;
}

}  // namespace

std::vector<NamedTensor> MXINFER_ABI::read_arrays(ByteSpan file) try {
  return arrays_of(*sources::from_memory(file.as<std::byte>(), "(memory)"));
} catch (...) {
  throw_as_error();
}

std::vector<NamedTensor> MXINFER_ABI::read_arrays_file(const std::string& path) try {
  return arrays_of(*sources::open_file(path));
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
