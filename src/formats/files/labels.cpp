#include "formats/files/labels.h"

#include <cstdint>
#include <string_view>

#include "base/fail.h"
#include "base/text/take_line.h"
#include "base/utf8.h"
#include "formats/foreign_file.h"

namespace mxinfer::formats {
namespace {

constexpr std::int64_t kByteLimit = std::int64_t{64} << 20;

}  // namespace

std::vector<std::string> read_labels(const sources::Source& source) {
  const std::string text = sources::read_text(source, kByteLimit);
  std::string_view rest = without_byte_order_mark(text);
  return in_context([&] { return printable(source.name()); },
                    [&] {
                      const std::string foreign = recognize_foreign(rest);
                      if (!foreign.empty())
                        fail(ErrorCode::malformed, "these are not labels, one per line, but ", foreign);
                      std::vector<std::string> labels;
                      while (!rest.empty()) {
                        const std::string_view line = take_line(rest);
                        if (!is_utf8(line)) {
                          fail(ErrorCode::malformed, "line ", labels.size() + 1,
                               " is not UTF-8; save the labels as UTF-8");
                        }
                        labels.emplace_back(line);
                      }
                      while (!labels.empty() && labels.back().empty()) labels.pop_back();
                      return labels;
                    });
}

}  // namespace mxinfer::formats
