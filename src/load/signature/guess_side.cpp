#include "load/signature/guess_side.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "base/fail.h"
#include "model/trial.h"

namespace mxinfer::api {
namespace {

using graph::Graph;

// Common sides of images and lengths of sequences, the usual ones first.
constexpr std::int64_t kSides[] = {224, 299, 112, 48,  96,  24,  12,  160, 28,  32,  64,  128, 227,
                                   256, 300, 320, 331, 384, 416, 448, 480, 512, 600, 640, 8,   16,
                                   20,  36,  40,  44,  50,  56,  60,  72,  80,  84,  94,  100, 108,
                                   110, 120, 144, 150, 168, 176, 180, 192, 200, 208, 240, 1,   4};

// Rounding inside a network never equates two sides that differ by this much.
constexpr std::int64_t kFar = 64;

// The last fitting side from `fits` in the direction of `beyond`, which does not fit. Precondition: the
// fitting sides are contiguous.
template <typename Fits>
std::int64_t last_that_fits(std::int64_t fits, std::int64_t beyond, const Fits& fits_too) {
  // Usually the next one does not fit.
  const std::int64_t next = fits + (beyond > fits ? 1 : -1);
  if (next == beyond || !fits_too(next)) return fits;
  fits = next;
  while (std::abs(beyond - fits) > 1) {
    const std::int64_t middle = fits + (beyond - fits) / 2;
    (fits_too(middle) ? fits : beyond) = middle;
  }
  return fits;
}

}  // namespace

bool has_free_side(const DataDesc& input) {
  if (input.shape.rank() == 0) return false;
  const auto batch = batch_axis(input);
  for (std::size_t i = 0; i < input.shape.rank(); ++i) {
    if (batch != i && input.shape[i] < 0) return true;
  }
  return false;
}

std::optional<GuessedSide> find_side(const Graph& graph, const std::vector<DataDesc>& inputs,
                                     std::int64_t batch) {
  const auto fits = [&](std::int64_t side) { return try_shapes(graph, inputs, batch, side).has_value(); };
  const auto* first = std::find_if(std::begin(kSides), std::end(kSides), fits);
  if (first == std::end(kSides)) return std::nullopt;
  GuessedSide side;
  if (fits(*first + kFar)) return side;
  side.lowest = last_that_fits(*first, std::max<std::int64_t>(*first - kFar, 0), fits);
  side.highest = last_that_fits(*first, *first + kFar, fits);
  side.taken = *std::find_if(std::begin(kSides), std::end(kSides), [&](std::int64_t usual) {
    return side.lowest <= usual && usual <= side.highest;
  });
  return side;
}

std::string warning_of(const GuessedSide& side, const Signature& signature) {
  std::string names, example;
  for (std::size_t i = 0; i < side.open_shapes.size(); ++i) {
    if (side.open_shapes[i].rank() == 0) continue;
    const DataDesc& input = signature.inputs[i];
    names += concat(names.empty() ? "'" : ", '", printable(input.name), "'");
    if (example.empty()) example = to_string(input.shape);
  }
  return concat(
      "the file does not state the size of input ", names, ": ", side.lowest, " to ", side.highest, " fit, ",
      side.taken, " is used, as in ", example,
      "; state it in LoadOptions::inputs (--describe), or permanently with `mxinfer sign --describe`");
}

}  // namespace mxinfer::api
