// Truncates a pair of texts like gluonnlp.data.BERTSentenceTransform, for operators and classes.
//
//   share_room({9, 4}, 10);      // 6 and 4
#pragma once

#include <cstdint>

namespace mxinfer::text {

struct PairLengths {
  std::int64_t first = 0;
  std::int64_t second = 0;
};

/// Returns lengths of at most `room` together, as if tokens were removed one by one from the longer text, or
/// from the second if both are equal. Precondition: no argument is negative.
constexpr PairLengths share_room(PairLengths given, std::int64_t room) {
  if (given.first + given.second <= room) return given;
  const std::int64_t half = room / 2;  // of the second; the first keeps the odd one
  if (given.second <= half) return {room - given.second, given.second};
  if (given.first <= room - half) return {given.first, room - given.first};
  return {room - half, half};
}

}  // namespace mxinfer::text
