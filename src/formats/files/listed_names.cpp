#include "formats/files/listed_names.h"

#include <cstddef>

#include "base/fail.h"

namespace mxinfer::formats {

std::string listed_names(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 10;
  std::string list;
  for (std::size_t i = 0; i < names.size() && i < kShown; ++i)
    list += (i > 0 ? ", " : "") + printable(names[i]);
  if (names.size() > kShown) list += concat(" and ", names.size() - kShown, " more");
  return list;
}

}  // namespace mxinfer::formats
