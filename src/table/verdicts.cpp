#include "table/verdicts.h"

#include <string>
#include <string_view>

#include "base/fail.h"

namespace mxinfer::table {
namespace {

/// A message without the image's position in its list, "image 7 › ", which is not its row.
std::string without_place(const std::string& message) {
  constexpr std::string_view kImage = "image ";
  if (message.compare(0, kImage.size(), kImage) != 0) return message;
  const std::size_t end = message.find_first_not_of("0123456789", kImage.size());
  const std::string_view trail = kTrail;
  const bool is_place = end != std::string::npos && message.compare(end, trail.size(), trail) == 0;
  return is_place ? message.substr(end + trail.size()) : message;
}

}  // namespace

void set_verdicts(const std::vector<ItemError>& errors, const std::vector<std::int64_t>& rows,
                  Verdicts& verdicts) {
  for (const ItemError& error : errors)
    verdicts.set(rows[error.item], Error(error.error.code(), without_place(error.error.what())));
}

}  // namespace mxinfer::table
