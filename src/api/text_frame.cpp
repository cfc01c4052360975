#include "api/text_frame.h"

#include <algorithm>
#include <limits>

#include "base/fail.h"

namespace mxinfer::api {
namespace {

struct Lengths {
  std::size_t first, second;
};

/// As if tokens were taken one by one, from the longer text or from the second of two that are as long.
Lengths fitted(Lengths given, std::size_t most) {
  if (given.first + given.second <= most) return given;
  if (given.second <= most / 2) return {most - given.second, given.second};
  const std::size_t half = most - most / 2;  // of the first, which keeps the odd one
  if (given.first <= half) return {given.first, most - given.first};
  return {half, most - half};
}

void append_part(const std::vector<std::int32_t>& part, std::size_t count, Side cut, FramedIds& framed) {
  const auto first = part.begin() + static_cast<std::ptrdiff_t>(cut == Side::left ? part.size() - count : 0);
  framed.ids.insert(framed.ids.end(), first, first + static_cast<std::ptrdiff_t>(count));
}

}  // namespace

FramedIds TextFrame::around(const std::vector<std::int32_t>& first,
                            const std::vector<std::int32_t>* second) const {
  const std::size_t ends = second == nullptr ? 1 : 2;
  const std::size_t special = (begin ? 1 : 0) + (end ? ends : 0);
  const std::size_t limit = most.value_or(std::numeric_limits<std::size_t>::max());
  if (special > limit) {
    fail(ErrorCode::invalid_argument, "begin and end take ", special, " ids, and the network takes ", limit,
         " at most");
  }
  const Lengths kept = fitted({first.size(), second == nullptr ? 0 : second->size()}, limit - special);
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
    fail(ErrorCode::invalid_argument, "the text is empty, or has no token; the network takes one or more");
  return framed;
}

}  // namespace mxinfer::api
