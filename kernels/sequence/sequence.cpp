#include "kernels/sequence/sequence.h"

#include <algorithm>
#include <cstring>

namespace mxinfer::kernels {
namespace {

struct Place {
  std::int64_t step;
  std::int64_t batch;
};

Place place_of(const SequenceArgs& args, std::int64_t row) {
  if (args.batch_first) return {row % args.steps, row / args.steps};
  return {row / args.batch, row % args.batch};
}

std::int64_t row_of(const SequenceArgs& args, const Place& place) {
  return args.batch_first ? place.batch * args.steps + place.step : place.step * args.batch + place.batch;
}

template <typename T>
void fill(std::byte* dst, const unsigned char* value, std::int64_t count) {
  T element;
  std::memcpy(&element, value, sizeof(T));
  std::fill_n(reinterpret_cast<T*>(dst), count, element);
}

void fill_row(const SequenceArgs& args, std::byte* dst) {
  switch (args.element_bytes) {
    case 1:
      return fill<std::uint8_t>(dst, args.value, args.inner);
    case 2:
      return fill<std::uint16_t>(dst, args.value, args.inner);
    case 4:
      return fill<std::uint32_t>(dst, args.value, args.inner);
    default:
      return fill<std::uint64_t>(dst, args.value, args.inner);
  }
}

}  // namespace

void sequence_mask(const SequenceArgs& args, const std::int64_t* lengths, const std::byte* src,
                   std::byte* dst, std::int64_t begin, std::int64_t end) {
  const std::size_t bytes = static_cast<std::size_t>(args.inner) * args.element_bytes;
  for (std::int64_t row = begin; row < end; ++row) {
    const Place place = place_of(args, row);
    const std::size_t at = static_cast<std::size_t>(row) * bytes;
    if (place.step < lengths[place.batch]) {
      std::memcpy(dst + at, src + at, bytes);
    } else {
      fill_row(args, dst + at);
    }
  }
}

void sequence_reverse(const SequenceArgs& args, const std::int64_t* lengths, const std::byte* src,
                      std::byte* dst, std::int64_t begin, std::int64_t end) {
  const std::size_t bytes = static_cast<std::size_t>(args.inner) * args.element_bytes;
  for (std::int64_t row = begin; row < end; ++row) {
    Place place = place_of(args, row);
    const std::int64_t length = lengths == nullptr ? args.steps : std::min(lengths[place.batch], args.steps);
    if (place.step < length) place.step = length - 1 - place.step;
    std::memcpy(dst + static_cast<std::size_t>(row) * bytes,
                src + static_cast<std::size_t>(row_of(args, place)) * bytes, bytes);
  }
}

}  // namespace mxinfer::kernels
