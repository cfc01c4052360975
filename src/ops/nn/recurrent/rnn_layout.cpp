#include "ops/nn/recurrent/rnn_layout.h"

#include <string>

#include "base/checked.h"
#include "base/fail.h"

namespace mxinfer::ops {
namespace {

// The most layers that a model may state; each needs an entry of its own.
constexpr std::int64_t kMostLayers = 4096;

RnnMode mode_of(const std::string& mode) {
  if (mode == "rnn_relu") return RnnMode::relu;
  if (mode == "rnn_tanh") return RnnMode::tanh;
  return mode == "lstm" ? RnnMode::lstm : RnnMode::gru;
}

// Hands out one piece of the packed array after another.
class Pieces {
 public:
  std::int64_t take(std::int64_t rows, std::int64_t columns) {
    const std::int64_t at = next_;
    const auto size = checked_mul(rows, columns);
    const auto end = size ? checked_add(next_, *size) : std::nullopt;
    if (!end) fail(ErrorCode::malformed, "the parameters would have more than 2^63 elements");
    next_ = *end;
    return at;
  }
  std::int64_t end() const { return next_; }

 private:
  std::int64_t next_ = 0;
};

}  // namespace

RnnLayout rnn_layout(const graph::Attrs& attrs, std::int64_t input_size) {
  RnnLayout layout;
  layout.mode = mode_of(attrs.choice("mode"));
  layout.gates = layout.mode == RnnMode::lstm ? 4 : layout.mode == RnnMode::gru ? 3 : 1;
  layout.hidden = attrs.integer("state_size");
  layout.layers = attrs.integer("num_layers");
  layout.directions = attrs.flag("bidirectional") ? 2 : 1;
  if (layout.layers > kMostLayers) {
    fail(ErrorCode::malformed, "attribute num_layers=", layout.layers, ": expected at most ", kMostLayers);
  }
  if (attrs.has("projection_size")) {
    layout.projection = attrs.integer("projection_size");
    if (layout.mode != RnnMode::lstm)
      fail(ErrorCode::malformed, "projection_size is for mode=lstm only; mode is ", attrs.choice("mode"));
  }

  Pieces pieces;
  const auto rows = checked_mul(layout.gates, layout.hidden);
  if (!rows) fail(ErrorCode::malformed, "attribute state_size=", layout.hidden, " is too large");
  for (std::int64_t layer = 0; layer < layout.layers; ++layer) {
    for (std::int64_t direction = 0; direction < layout.directions; ++direction) {
      RnnCellOffsets cell;
      cell.input = layer == 0 ? input_size : layout.output() * layout.directions;
      cell.w = pieces.take(*rows, cell.input);
      cell.r = pieces.take(*rows, layout.output());
      if (layout.projection > 0) cell.p = pieces.take(layout.projection, layout.hidden);
      layout.cells.push_back(cell);
    }
  }
  for (RnnCellOffsets& cell : layout.cells) {
    cell.w_bias = pieces.take(*rows, 1);
    cell.r_bias = pieces.take(*rows, 1);
  }
  layout.elements = pieces.end();
  return layout;
}

double rnn_flops(const RnnLayout& layout, std::int64_t samples) {
  double flops = 0;
  for (const RnnCellOffsets& cell : layout.cells) {
    const double depth = static_cast<double>(cell.input + layout.output());
    flops += 2.0 * depth * static_cast<double>(layout.gates * layout.hidden) * static_cast<double>(samples);
  }
  return flops;
}

}  // namespace mxinfer::ops
