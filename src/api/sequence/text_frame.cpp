#include "api/sequence/text_frame.h"

#include <limits>

#include "base/fail.h"
#include "text/tokenize/share_room.h"

namespace mxinfer::api {
namespace {

void append_part(const std::vector<std::int32_t>& part, std::int64_t count, Side cut, FramedIds& framed) {
  const auto first = cut == Side::left ? part.end() - count : part.begin();
  framed.ids.insert(framed.ids.end(), first, first + count);
}

}  // namespace

FramedIds TextFrame::around(const std::vector<std::int32_t>& first,
                            const std::vector<std::int32_t>* second) const {
  const std::int64_t special = (begin ? 1 : 0) + (end ? (second == nullptr ? 1 : 2) : 0);
  const std::int64_t limit =
      most ? static_cast<std::int64_t>(*most) : std::numeric_limits<std::int64_t>::max();
  if (special > limit) {
    fail(ErrorCode::invalid_argument, "begin and end take ", special, " ids, but the network takes at most ",
         limit, " at most");
  }
  const auto length = [](const std::vector<std::int32_t>& part) {
    return static_cast<std::int64_t>(part.size());
  };
  const auto kept =
      text::share_room({length(first), second == nullptr ? 0 : length(*second)}, limit - special);
  FramedIds framed;
  if (begin) framed.ids.push_back(*begin);
  append_part(first, kept.first, truncate_side, framed);
  if (end) framed.ids.push_back(*end);
  framed.segments.assign(framed.ids.size(), 0);
  if (second != nullptr) {
    append_part(*second, kept.second, truncate_side, framed);
    if (end) framed.ids.push_back(*end);
    framed.segments.resize(framed.ids.size(), 1);
  }
  if (framed.ids.empty())
    fail(ErrorCode::invalid_argument, "the text is empty or has no tokens; the network needs at least one");
  return framed;
}

}  // namespace mxinfer::api
