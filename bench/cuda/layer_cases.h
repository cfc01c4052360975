// Layers of networks at batch 32 and of BERT base that differ in what bounds them.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace mxinfer::bench {

/// A convolution with bias and ReLU, channels last.
struct ConvLayer {
  std::int64_t batch = 32, channels = 0, filters = 0;
  std::int64_t size = 0;  ///< of the sides of the input
  std::int64_t kernel = 1, stride = 1;
  bool residual = false;
};

/// A dense layer with bias.
struct DenseLayer {
  std::int64_t rows = 0, columns = 0, depth = 0;
  bool residual = false;
};

/// One of the products of attention, of queries, keys and values that lie interleaved in one array, as
/// (words, batch, heads, 3, width) has them.
struct AttentionLayer {
  enum class Part { scores, softmax, sum } part = Part::scores;
  std::int64_t batch = 32, words = 128, heads = 12, width = 64;  ///< width: of a head
};

/// Layers that memory bounds, channels last.

/// A convolution with a filter to each channel, bias and ReLU6.
struct DepthwiseLayer {
  std::int64_t batch = 32, channels = 0;
  std::int64_t size = 0;  ///< of the sides of the input
  std::int64_t kernel = 3, stride = 1;
};

/// BatchNorm and ReLU.
struct ScaleShiftLayer {
  std::int64_t batch = 32, channels = 0, size = 0;
};

/// The sum of two values and ReLU.
struct AddLayer {
  std::int64_t batch = 32, channels = 0, size = 0;
};

struct LayerNormLayer {
  std::int64_t rows = 0, length = 0;
};

/// The largest of each window.
struct PoolLayer {
  std::int64_t batch = 32, channels = 0, size = 0;
  std::int64_t kernel = 3, stride = 2;
};

/// LSTM layers, without the products of their inputs, which are dense layers.
struct LstmLayer {
  std::int64_t batch = 32, steps = 35, hidden = 0, layers = 2;
};

using Layer = std::variant<ConvLayer, DenseLayer, AttentionLayer, DepthwiseLayer, ScaleShiftLayer, AddLayer,
                           LayerNormLayer, PoolLayer, LstmLayer>;

struct LayerCase {
  std::string title;
  Layer layer;
};

/// `tiny`: sizes that an emulator computes in a moment.
std::vector<LayerCase> layer_cases(bool tiny);

}  // namespace mxinfer::bench
