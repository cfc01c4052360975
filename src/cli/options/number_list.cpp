#include "cli/options/number_list.h"

#include <charconv>
#include <string_view>
#include <system_error>

#include "cli/output/output.h"
#include "cli/output/usage_error.h"

namespace mxinfer::cli {
namespace {

[[noreturn]] void reject_list(const std::string& option, const std::string& text, const std::string& wanted) {
  throw UsageError(invalid_value(option, clean(text), wanted));
}

}  // namespace

std::vector<std::int32_t> parse_numbers(const std::string& option, const std::string& text,
                                        const std::string& wanted) {
  std::vector<std::int32_t> list;
  std::string_view rest = text;
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view word = rest.substr(0, comma);
    std::int32_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value < 0)
      reject_list(option, text, wanted);
    list.push_back(value);
    if (comma == std::string_view::npos) return list;
    rest.remove_prefix(comma + 1);
  }
}

std::vector<std::int64_t> parse_buckets(const std::string& text) {
  const std::string wanted = "ascending lengths, such as 16,32,64";
  std::vector<std::int64_t> buckets;
  if (text.empty()) return buckets;
  for (const std::int32_t length : parse_numbers("--buckets", text, wanted)) {
    if (length <= (buckets.empty() ? 0 : buckets.back())) reject_list("--buckets", text, wanted);
    buckets.push_back(length);
  }
  return buckets;
}

}  // namespace mxinfer::cli
