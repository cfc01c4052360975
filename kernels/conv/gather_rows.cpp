#include "kernels/conv/gather_rows.h"

#include <algorithm>
#include <cstring>

#include "kernels/common/divide.h"
#include "kernels/conv/conv_positions.h"

namespace mxinfer::kernels {
namespace {

// All sizes are bytes.

/// Short runs are copied and cleared by whole chunks: up to kChunk - 1 bytes more are written.
constexpr std::int64_t kChunk = 16;

/// `end`: of the memory that may be read.
inline void copy_run(const std::byte* from, std::int64_t count, const std::byte* end, std::byte* to) {
  // Longer runs are worth a call of memcpy.
  constexpr std::int64_t kMostChunks = 8;
  const std::int64_t whole = round_up(count, kChunk);
  if (whole > kMostChunks * kChunk || end - from < whole) {
    std::memcpy(to, from, static_cast<std::size_t>(count));
    return;
  }
  for (std::int64_t i = 0; i < whole; i += kChunk) std::memcpy(to + i, from + i, kChunk);
}
void clear_run(std::byte* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; i += kChunk) std::memset(to + i, 0, kChunk);
}

/// What rows are gathered from. By value, so that the compiler knows that stores do not alias it.
struct Pixels {
  const std::byte *data, *end;  ///< the group's channels of all images; `end` is that of all channels
  std::int64_t width, step;     ///< positions of a line; bytes from one to the next
  std::int64_t channels, taps, dilate;
  bool together;  ///< whether the taps of a row of the filter are one run
};

Pixels pixels_of(const ConvProblem& s, const GatherSource& src, std::int64_t group) {
  Pixels p{};
  p.step = s.channels * src.element_bytes;
  p.channels = s.group_channels() * src.element_bytes;
  p.data = src.data + group * p.channels;
  p.end = src.data + s.batch * volume(s.input) * p.step;
  p.width = s.input[2];
  p.taps = s.kernel[2];
  p.dilate = s.dilate[2];
  p.together = s.groups == 1 && s.dilate[2] == 1;
  return p;
}

/// The taps of a row of the filter, from column `left` of `line` on; one run: they follow each other.
inline void gather_taps(const Pixels p, const std::byte* line, std::int64_t left, bool one_run,
                        std::byte* to) {
  if (one_run) {
    copy_run(line + left * p.step, p.taps * p.channels, p.end, to);
    return;
  }
  for (std::int64_t kw = 0, w = left; kw < p.taps; ++kw, w += p.dilate, to += p.channels) {
    if (w < 0 || w >= p.width) {
      clear_run(to, p.channels);
    } else {
      copy_run(line + w * p.step, p.channels, p.end, to);
    }
  }
}

/// What a short run is copied as, without a loop.
constexpr std::int64_t kShortRun = 32;

/// Whether the taps of a row of the filter are one run for positions whose window is inside of the image.
bool has_runs(const ConvProblem& s, const Pixels& p) {
  return p.together && s.input[0] == 1 && s.kernel[0] == 1 && s.pad[0] == 0;
}

/// How many positions from `at` on, `most` of a row of outputs at most, have all taps inside of the image,
/// with memory to read a short run from each. `image` is that of `at`.
std::int64_t inside_from(const ConvProblem& s, const Pixels& p, const ConvPositions& at, std::int64_t most,
                         const std::byte* image) {
  const std::int64_t top = at.corner(1), left = at.corner(2);
  const std::int64_t bottom = top + (s.kernel[1] - 1) * s.dilate[1], room = s.input[2] - left - s.kernel[2];
  if (top < 0 || left < 0 || bottom >= s.input[1] || room < 0) return 0;
  const std::int64_t count = std::min({most, at.left_in_row(), room / s.stride[2] + 1});
  const std::int64_t last = left + (count - 1) * s.stride[2];
  return p.end - image - (bottom * p.width + last) * p.step >= kShortRun ? count : 0;
}

/// `count` positions as gather_rows() has them: the first window begins at `corner`, all taps are inside.
/// copy(from, to) copies a run.
template <class Copy>
void gather_inside(const ConvProblem& s, const Pixels p, const std::byte* corner, std::int64_t count,
                   std::int64_t behind, GatheredRows rows, const Copy& copy) {
  const std::int64_t run = p.taps * p.channels, lines = s.kernel[1];
  const std::int64_t line = s.dilate[1] * p.width * p.step, next = s.stride[2] * p.step;
  for (std::int64_t i = 0; i < count; ++i, corner += next, rows.first += rows.stride) {
    const std::byte* from = corner;
    std::byte* to = rows.first;
    for (std::int64_t kh = 0; kh < lines; ++kh, from += line, to += run) copy(from, to);
    clear_run(to, behind);
  }
}

void gather_inside(const ConvProblem& s, const Pixels& p, const std::byte* corner, std::int64_t count,
                   std::int64_t behind, GatheredRows rows) {
  const std::int64_t run = p.taps * p.channels;
  if (run <= kShortRun) {
    const auto copy = [](const std::byte* from, std::byte* to) { std::memcpy(to, from, kShortRun); };
    return gather_inside(s, p, corner, count, behind, rows, copy);
  }
  const auto copy = [run, end = p.end](const std::byte* from, std::byte* to) {
    copy_run(from, run, end, to);
  };
  gather_inside(s, p, corner, count, behind, rows, copy);
}

}  // namespace

// Each run may overwrite the start of the next one, which is written later, and the last the padding behind
// its row.
void gather_rows(const ConvProblem& s, const GatherSource& src, std::int64_t group, std::int64_t first,
                 std::int64_t count, GatheredRows rows) {
  const Pixels p = pixels_of(s, src, group);
  const std::int64_t run = p.taps * p.channels, line_step = p.width * p.step;
  const std::int64_t depth = s.input[0], height = s.input[1], image_step = depth * height * line_step;
  const std::int64_t kernel_d = s.kernel[0], kernel_h = s.kernel[1];
  const std::int64_t dilate_d = s.dilate[0], dilate_h = s.dilate[1];
  const std::int64_t behind = rows.padded - s.depth() * src.element_bytes;
  const bool runs = has_runs(s, p);
  ConvPositions at(s, first);
  for (std::int64_t i = 0, passed = 1; i < count; i += passed, at.advance(passed)) {
    const std::byte* image = p.data + at.image() * image_step;
    const std::int64_t top = at.corner(1), left = at.corner(2);
    const std::int64_t inside = runs ? inside_from(s, p, at, count - i, image) : 0;
    passed = std::max<std::int64_t>(inside, 1);
    if (inside > 0) {
      gather_inside(s, p, image + top * line_step + left * p.step, inside, behind, rows);
      rows.first += passed * rows.stride;
      continue;
    }
    const bool one_run = p.together && left >= 0 && left + p.taps <= p.width;
    std::byte* to = rows.first;
    rows.first += rows.stride;
    for (std::int64_t kd = 0, d = at.corner(0); kd < kernel_d; ++kd, d += dilate_d) {
      for (std::int64_t kh = 0, h = top; kh < kernel_h; ++kh, h += dilate_h, to += run) {
        if (d >= 0 && d < depth && h >= 0 && h < height) {
          gather_taps(p, image + (d * height + h) * line_step, left, one_run, to);
        } else {
          clear_run(to, run);
        }
      }
    }
    clear_run(to, behind);
  }
}

}  // namespace mxinfer::kernels
