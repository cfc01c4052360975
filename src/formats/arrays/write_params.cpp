#include "formats/arrays/write_params.h"

#include <cstdint>
#include <functional>
#include <set>
#include <string_view>

#include "base/fail.h"
#include "base/files/atomic_file.h"

namespace mxinfer::formats {
namespace {

// All numbers are little-endian, as on every processor this library runs on.
constexpr std::uint64_t kContainerMagic = 0x112;
constexpr std::uint32_t kArrayMagic = 0xF993FAC9;
constexpr std::int32_t kDenseStorage = 0;
constexpr std::int32_t kCpu = 1;

using Sink = std::function<void(const void* data, std::size_t bytes)>;

template <typename T>
void put(const Sink& sink, T value) {
  sink(&value, sizeof value);
}

bool is_none(const Shape& shape) {
  return shape.rank() == 1 && shape[0] == 0;
}

void check(const std::vector<ArrayToWrite>& arrays) {
  std::set<std::string_view> names;
  for (const ArrayToWrite& array : arrays) {
    const Shape& shape = array.tensor.shape();
    if (!names.insert(array.name).second) {
      fail(ErrorCode::invalid_argument, "two arrays are named '", printable(array.name),
           "'; a .params file has each name once");
    }
    if (is_none(shape)) continue;
    if (shape.rank() == 0 || shape.elements() == 0) {
      fail(ErrorCode::invalid_argument, "array '", printable(array.name), "' has shape ", to_string(shape),
           "; a .params file holds arrays with at least one dimension and one element: save a single number "
           "as shape (1,)");
    }
  }
}

void put_array(const Sink& sink, const TensorView& array) {
  put(sink, kArrayMagic);
  put(sink, kDenseStorage);
  if (is_none(array.shape())) {
    put(sink, std::int32_t{0});
    return;
  }
  put(sink, static_cast<std::int32_t>(array.shape().rank()));
  for (std::int64_t dim : array.shape()) put(sink, dim);
  put(sink, kCpu);
  put(sink, std::int32_t{0});
  put(sink, static_cast<std::int32_t>(array.dtype()));
  sink(array.raw(), static_cast<std::size_t>(array.shape().elements()) * size_of(array.dtype()));
}

void put_file(const Sink& sink, const std::vector<ArrayToWrite>& arrays) {
  put(sink, kContainerMagic);
  put(sink, std::uint64_t{0});
  put(sink, std::uint64_t{arrays.size()});
  for (const ArrayToWrite& array : arrays) put_array(sink, array.tensor);
  put(sink, std::uint64_t{arrays.size()});
  for (const ArrayToWrite& array : arrays) {
    put(sink, std::uint64_t{array.name.size()});
    sink(array.name.data(), array.name.size());
  }
}

}  // namespace

void write_params(const std::string& path, const std::vector<ArrayToWrite>& arrays) {
  check(arrays);
  AtomicFile file(path);
  put_file([&](const void* data, std::size_t bytes) { file.write(data, bytes); }, arrays);
  file.commit();
}

std::vector<std::byte> write_params(const std::vector<ArrayToWrite>& arrays) {
  check(arrays);
  std::vector<std::byte> result;
  put_file(
      [&](const void* data, std::size_t bytes) {
        const auto* first = static_cast<const std::byte*>(data);
        result.insert(result.end(), first, first + bytes);
      },
      arrays);
  return result;
}

}  // namespace mxinfer::formats
