// Sequences of different lengths in one tensor: masking and reversing. Elements are opaque bytes; lengths are
// int64.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mxinfer::kernels {

/// Arrays are [steps][batch][inner], or [batch][steps][inner] if batch_first. Sequence b has lengths[b]
/// steps; less than 0 counts as 0, more than `steps` as `steps`.
struct SequenceArgs {
  std::int64_t steps = 0;
  std::int64_t batch = 0;
  std::int64_t inner = 0;
  bool batch_first = false;
  std::size_t element_bytes = 0;  ///< 1, 2, 4 or 8
  unsigned char value[8] = {};    ///< one element, for the mask
};

/// dst = src, and `value` in the steps from lengths[b] on. Computes rows [begin, end) of steps * batch.
void sequence_mask(const SequenceArgs& args, const std::int64_t* lengths, const std::byte* src,
                   std::byte* dst, std::int64_t begin, std::int64_t end);
/// The first lengths[b] steps in reverse order, the others as they are. Computes rows [begin, end) of steps *
/// batch. lengths may be null: all steps.
void sequence_reverse(const SequenceArgs& args, const std::int64_t* lengths, const std::byte* src,
                      std::byte* dst, std::int64_t begin, std::int64_t end);

}  // namespace mxinfer::kernels
