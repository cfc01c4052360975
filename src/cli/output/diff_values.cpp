#include "cli/output/diff_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tensor/read_element.h"

namespace mxinfer::cli {
namespace {

double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  if (!std::isfinite(a) || !std::isfinite(b)) return std::numeric_limits<double>::infinity();
  return std::abs(a - b);
}

bool stays_as_it_is(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' ||
         c == '-' || c == '~';
}

}  // namespace

ValueDifference difference(const TensorView& reference, const TensorView& actual) {
  const ElementReader expected = element_reader(reference.dtype());
  const ElementReader given = element_reader(actual.dtype());
  ValueDifference result;
  for (std::int64_t i = 0; i < reference.shape().elements(); ++i) {
    const double value = expected(reference.raw(), i);
    if (std::isfinite(value)) result.scale = std::max(result.scale, std::abs(value));
    result.largest = std::max(result.largest, distance(value, given(actual.raw(), i)));
  }
  result.relative = result.scale > 0 ? result.largest / result.scale : result.largest;
  return result;
}

std::string reference_file(std::string_view value_name) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string file;
  for (const char letter : value_name) {
    const auto byte = static_cast<unsigned char>(letter);
    if (stays_as_it_is(byte)) {
      file += letter;
    } else {
      file += {'%', kHex[byte / 16], kHex[byte % 16]};
    }
  }
  return file + ".npy";
}

}  // namespace mxinfer::cli
