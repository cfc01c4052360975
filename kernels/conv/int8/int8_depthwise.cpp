#include "kernels/conv/int8/int8_depthwise.h"

#include <algorithm>
#include <cstring>

#include "kernels/common/divide.h"

namespace mxinfer::kernels {
namespace {

std::int64_t blocks_of(const ConvProblem& s) {
  return ceil_div(s.channels, kDepthwiseBlock);
}
std::int64_t channels_of(const ConvProblem& s, std::int64_t block) {
  return std::min(kDepthwiseBlock, s.channels - block * kDepthwiseBlock);
}

/// Lines that the window of an output covers.
std::int64_t reach(const ConvProblem& s, std::size_t dimension) {
  return s.dilate[dimension] * (s.kernel[dimension] - 1) + 1;
}
/// Pixels of a line of the ring: those of all windows, and those that whole quads of taps read besides.
std::int64_t line_pixels(const ConvProblem& s) {
  const std::int64_t taps = round_up(s.kernel[2], kDepthwiseQuad);
  return (s.output[2] - 1) * s.stride[2] + s.dilate[2] * (taps - 1) + 1;
}

/// How many parts the rows of outputs are cut into: as with other convolutions rows come first, so that a
/// thread finds those that it has written in its cache. Each part copies a few lines that the one before has
/// copied, too. A power of two, which number of threads usually are.
std::int64_t row_blocks(const ConvProblem& s) {
  constexpr std::int64_t kLeastRows = 3;
  const std::int64_t wanted = std::min(ceil_div(s.task_hint, 2 * s.batch), s.output[1] / kLeastRows);
  std::int64_t blocks = 1;
  while (2 * blocks <= wanted) blocks *= 2;
  return blocks;
}
/// Rows of outputs of a task, at most.
std::int64_t task_rows(const ConvProblem& s) {
  return ceil_div(s.output[1], row_blocks(s));
}

/// Some lines of one image and one block of channels.
class LineRing {
 public:
  LineRing(const Int8ConvArgs& args, std::int64_t image, std::int64_t block, std::byte* scratch)
      : s_(args.problem),
        data_(typed<std::uint8_t>(args.src) + image * volume(s_.input) * s_.channels +
              block * kDepthwiseBlock),
        channels_(channels_of(s_, block)),
        flip_(args.src_type == Int8Type::s8 ? 0x80 : 0),
        lines_(reinterpret_cast<std::uint8_t*>(scratch)) {}

  /// Makes the window of output row `row` complete. Rows are asked for in ascending order.
  void advance(std::int64_t row) {
    const std::int64_t top = row * s_.stride[1] - s_.pad[1], end = top + reach(s_, 1);
    next_ = std::max(next_, top);
    for (; next_ < end; ++next_) fill(next_);
  }

  const std::uint8_t* line(std::int64_t row, std::int64_t tap) const {
    return slot(row * s_.stride[1] - s_.pad[1] + tap * s_.dilate[1]);
  }

 private:
  std::uint8_t* slot(std::int64_t line) const {
    const std::int64_t slots = reach(s_, 1);
    return lines_ + (line + s_.pad[1]) % slots * line_pixels(s_) * kDepthwiseBlock;
  }

  void fill(std::int64_t line) {
    std::uint8_t* to = slot(line);
    const std::int64_t pixels = line_pixels(s_), left = s_.pad[2];
    if (line < 0 || line >= s_.input[1]) {
      std::memset(to, flip_, static_cast<std::size_t>(pixels * kDepthwiseBlock));
      return;
    }
    const std::int64_t inside = std::clamp<std::int64_t>(pixels - left, 0, s_.input[2]);
    const std::int64_t before = std::min(left, pixels);
    std::memset(to, flip_, static_cast<std::size_t>(before * kDepthwiseBlock));
    to += before * kDepthwiseBlock;
    const std::uint8_t* from = data_ + line * s_.input[2] * s_.channels;
    for (std::int64_t x = 0; x < inside; ++x, to += kDepthwiseBlock, from += s_.channels)
      copy_pixel(from, to);
    std::memset(to, flip_, static_cast<std::size_t>((pixels - before - inside) * kDepthwiseBlock));
  }

  void copy_pixel(const std::uint8_t* from, std::uint8_t* to) const {
    constexpr std::int64_t kChunk = 16;  // without a call
    if (channels_ == kDepthwiseBlock) {
      std::memcpy(to, from, kDepthwiseBlock);
    } else if (channels_ % kChunk == 0) {
      for (std::int64_t i = 0; i < channels_; i += kChunk) std::memcpy(to + i, from + i, kChunk);
    } else {
      std::memcpy(to, from, static_cast<std::size_t>(channels_));
    }
    if (flip_ == 0) return;
    for (std::int64_t i = 0; i < kDepthwiseBlock; ++i) to[i] ^= 0x80;
  }

  const ConvProblem& s_;
  const std::uint8_t* data_;
  std::int64_t channels_;
  int flip_;
  std::uint8_t* lines_;
  std::int64_t next_ = -(std::int64_t{1} << 40);
};

/// Where the outputs of a row begin.
Int8PostOpsArgs post_ops_at(const Int8ConvArgs& args, std::int64_t image, std::int64_t row,
                            std::int64_t block) {
  const ConvProblem& s = args.problem;
  const std::int64_t channel = block * kDepthwiseBlock;
  const std::int64_t at = (image * s.output[1] + row) * s.output[2] * s.channels + channel;
  Int8PostOpsArgs post;
  post.conv = &args;
  post.dst_stride = s.channels;
  if (args.bias != nullptr) post.bias = args.bias + channel;
  if (args.scale != nullptr) post.scale = args.scale + channel;
  post.dst = static_cast<std::byte*>(args.dst) + at * bytes_of(args.dst_type);
  if (args.residual != nullptr)
    post.residual = static_cast<const std::byte*>(args.residual) + at * bytes_of(args.residual_type);
  return post;
}

}  // namespace

std::size_t Int8Depthwise::packed_bytes(const Int8DepthwiseKernel& kernel, const ConvProblem& s) {
  return static_cast<std::size_t>(blocks_of(s)) * kernel.block_bytes(s);
}

void Int8Depthwise::pack(const Int8DepthwiseKernel& kernel, const ConvProblem& s, Int8Type src,
                         const std::int8_t* weight, std::byte* packed) {
  const std::int64_t taps = volume(s.kernel);
  std::memset(packed, 0, packed_bytes(kernel, s));
  for (std::int64_t b = 0; b < blocks_of(s); ++b, packed += kernel.block_bytes(s)) {
    kernel.pack_block(s, weight + b * kDepthwiseBlock * taps, channels_of(s, b), src == Int8Type::s8, packed);
  }
}

std::int64_t Int8Depthwise::tasks(const ConvProblem& s) {
  return s.batch * blocks_of(s) * row_blocks(s);
}

std::size_t Int8Depthwise::scratch_bytes(const ConvProblem& s) {
  return static_cast<std::size_t>(reach(s, 1) * line_pixels(s) * kDepthwiseBlock);
}

void Int8Depthwise::run(const Int8DepthwiseKernel& kernel, Target target, const Int8ConvArgs& args,
                        std::int64_t begin, std::int64_t end, std::byte* scratch) {
  const ConvProblem& s = args.problem;
  const Int8PostOpsFn post_ops = int8_post_ops(args, target);
  const bool is_plain = bytes_of(args.dst_type) == 1 && args.residual == nullptr && has_plain_post_ops(args);
  const auto* weights = reinterpret_cast<const std::byte*>(args.weight);
  const std::uint8_t* lines[kMaxDepthwiseWidth];
  for (std::int64_t task = begin; task < end; ++task) {
    const std::int64_t block = task % blocks_of(s), rows = task / blocks_of(s) % row_blocks(s);
    const std::int64_t image = task / blocks_of(s) / row_blocks(s);
    LineRing ring(args, image, block, scratch);
    const std::int64_t last = std::min(s.output[1], (rows + 1) * task_rows(s));
    for (std::int64_t y = rows * task_rows(s); y < last; ++y) {
      ring.advance(y);
      for (std::int64_t tap = 0; tap < s.kernel[1]; ++tap) lines[tap] = ring.line(y, tap);
      kernel.run({&s, lines, weights + static_cast<std::size_t>(block) * kernel.block_bytes(s),
                  channels_of(s, block), post_ops, is_plain, post_ops_at(args, image, y, block)});
    }
  }
}

}  // namespace mxinfer::kernels
