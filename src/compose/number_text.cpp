#include "compose/number_text.h"

#include <array>
#include <charconv>
#include <system_error>

namespace mxinfer::api {
namespace {

template <typename Number>
std::string shortest(Number value) {
  std::array<char, 64> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? std::string(text.data(), end) : std::to_string(value);
}

}  // namespace

std::string number_text(double value) {
  return shortest(value);
}
std::string number_text(float value) {
  return shortest(value);
}

}  // namespace mxinfer::api
