#include "sequence/pieces.h"

#include <algorithm>

#include "base/fail.h"

namespace mxinfer::api {
namespace {

[[noreturn]] void fail_length(std::int64_t length, const std::vector<std::int64_t>& lengths,
                              const std::string& name) {
  std::string list;
  for (const std::int64_t each : lengths) list += concat(list.empty() ? "" : ", ", each);
  fail(ErrorCode::invalid_argument, "a piece of length ", length, " was given to a session of ", name,
       ", which takes only pieces that can be composed of the lengths ", list,
       ", because padding would change its states");
}

}  // namespace

std::vector<std::int64_t> pieces_of(std::int64_t length, const std::vector<std::int64_t>& lengths,
                                    const std::string& name) {
  const std::int64_t longest = lengths.back();
  std::vector<std::int64_t> pieces;
  // Any sum has a shortest form with fewer than `longest` pieces that are not the longest: among that many,
  // some add up to a multiple of it. So everything beyond longest * longest consists of the longest.
  const std::int64_t limit = std::min<std::int64_t>(longest, 4096);
  while (length > limit * longest) {
    pieces.push_back(longest);
    length -= longest;
  }
  // fewest[n] pieces make n; the last of them is piece[n].
  constexpr std::int64_t kNone = -1;
  std::vector<std::int64_t> fewest(static_cast<std::size_t>(length) + 1, kNone), piece(fewest);
  fewest[0] = 0;
  for (std::int64_t n = 1; n <= length; ++n) {
    for (const std::int64_t each : lengths) {
      if (each > n || fewest[static_cast<std::size_t>(n - each)] == kNone) continue;
      auto& best = fewest[static_cast<std::size_t>(n)];
      const std::int64_t count = fewest[static_cast<std::size_t>(n - each)] + 1;
      if (best != kNone && best < count) continue;
      best = count;
      piece[static_cast<std::size_t>(n)] = each;
    }
  }
  if (fewest.back() == kNone)
    fail_length(length + static_cast<std::int64_t>(pieces.size()) * longest, lengths, name);
  std::vector<std::int64_t> rest;
  for (std::int64_t n = length; n > 0; n -= rest.back()) rest.push_back(piece[static_cast<std::size_t>(n)]);
  std::sort(rest.rbegin(), rest.rend());
  pieces.insert(pieces.end(), rest.begin(), rest.end());
  return pieces;
}

}  // namespace mxinfer::api
