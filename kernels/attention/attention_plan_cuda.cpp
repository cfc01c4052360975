#include <algorithm>

#include "kernels/attention/attention_cuda.h"
#include "kernels/attention/attention_tiles.h"

namespace mxinfer::kernels::cuda {
namespace {

template <int BYTES>
std::size_t shared_bytes_of(int width) {
  switch (width) {
    case 32:
      return AttentionTile<BYTES, 32>::shared_bytes;
    case 64:
      return AttentionTile<BYTES, 64>::shared_bytes;
    case 96:
      return AttentionTile<BYTES, 96>::shared_bytes;
    case 128:
      return AttentionTile<BYTES, 128>::shared_bytes;
    default:
      return AttentionTile<BYTES, 256>::shared_bytes;
  }
}

bool has_instructions(const AttentionArgs& args, Precision precision, const AttentionGpu& gpu) {
  if (args.type == FloatType::float16) return true;
  return gpu.major >= 8 && (args.type == FloatType::bfloat16 || precision != Precision::float32);
}

/// Whether a tile's rows, and a mask's elements, are counted from the first by 32 bits.
bool is_near(const AttentionArgs& args) {
  constexpr std::int64_t kMost = std::int64_t{1} << 24;
  return std::max({args.q.word, args.k.word, args.v.word, args.mask.key}) < kMost;
}

/// Whether a tile's code has the types of the mask.
bool has_mask_form(const AttentionMask& mask) {
  const bool is_float = mask.masking == AttentionMasking::add || mask.multiplies;
  return !is_float || mask.type == ElementType::float32;
}

}  // namespace

AttentionPlan plan_attention(const AttentionArgs& args, Precision precision, const AttentionGpu& gpu) {
  if (!is_near(args) || !has_mask_form(args.mask) || !has_instructions(args, precision, gpu)) return {};
  const std::int64_t width = std::max(args.width, args.value_width);
  for (const int tile : kAttentionWidths) {
    if (width > tile) continue;
    const bool fits = (args.type == FloatType::float32 ? shared_bytes_of<4>(tile)
                                                       : shared_bytes_of<2>(tile)) <= gpu.shared_bytes;
    return fits ? AttentionPlan{AttentionKernel::tile, tile} : AttentionPlan{};
  }
  return {};
}

std::string name_of(const AttentionPlan& plan, const AttentionArgs& args) {
  const bool is_tile = plan.kernel == AttentionKernel::tile;
  const std::string type =
      is_tile && args.type == FloatType::float32 ? short_name(Precision::tf32) : short_name(args.type);
  return "attention_" + (is_tile ? std::to_string(plan.width) : std::string("rows")) + "_" + type;
}

}  // namespace mxinfer::kernels::cuda
