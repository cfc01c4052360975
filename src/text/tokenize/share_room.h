// How a pair of texts is cut, by operators of graphs and outside of them, as by
// gluonnlp.data.BERTSentenceTransform.
//
//   share_room({9, 4}, 10);      // 6 and 4
#pragma once

#include <cstdint>

namespace mxinfer::text {

struct PairLengths {
  std::int64_t first = 0;
  std::int64_t second = 0;
};

/// Lengths that together are `room` at most, as if tokens were taken one by one, from the longer text or from
/// the second of two that are as long. Precondition: none is negative.
constexpr PairLengths share_room(PairLengths given, std::int64_t room) {
  if (given.first + given.second <= room) return given;
  const std::int64_t half = room / 2;  // of the second; the first keeps the odd one
  if (given.second <= half) return {room - given.second, given.second};
  if (given.first <= room - half) return {given.first, room - given.first};
  return {room - half, half};
}

}  // namespace mxinfer::text
