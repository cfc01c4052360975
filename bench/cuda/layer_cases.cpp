#include "cuda/layer_cases.h"

#include <algorithm>

namespace mxinfer::bench {
namespace {

std::string title_of(const ConvLayer& c) {
  const std::string side = std::to_string(c.size), kernel = std::to_string(c.kernel);
  std::string title = "conv " + kernel + "x" + kernel + " " + std::to_string(c.channels) + ">" +
                      std::to_string(c.filters) + ", " + side + "x" + side;
  if (c.stride > 1) title += ", stride " + std::to_string(c.stride);
  if (c.residual) title += " + residual";
  return title + ", batch " + std::to_string(c.batch);
}

std::string title_of(const DenseLayer& d) {
  return "dense " + std::to_string(d.rows) + " x " + std::to_string(d.columns) + " x " +
         std::to_string(d.depth) + (d.residual ? " + residual" : "");
}

std::string title_of(const AttentionLayer& a) {
  const char* const parts[] = {"scores of attention", "softmax of attention", "sum of attention"};
  return std::string(parts[static_cast<int>(a.part)]) + ", " + std::to_string(a.heads) + " heads, " +
         std::to_string(a.words) + " x " + std::to_string(a.width) + ", batch " + std::to_string(a.batch);
}

std::string sizes_of(std::int64_t channels, std::int64_t size, std::int64_t batch) {
  const std::string side = std::to_string(size);
  return std::to_string(channels) + " channels, " + side + "x" + side + ", batch " + std::to_string(batch);
}

std::string title_of(const DepthwiseLayer& d) {
  const std::string kernel = std::to_string(d.kernel);
  return "depthwise " + kernel + "x" + kernel + ", stride " + std::to_string(d.stride) + ", " +
         sizes_of(d.channels, d.size, d.batch);
}

std::string title_of(const ScaleShiftLayer& s) {
  return "scale_shift, " + sizes_of(s.channels, s.size, s.batch);
}

std::string title_of(const AddLayer& a) {
  return "add, " + sizes_of(a.channels, a.size, a.batch);
}

std::string title_of(const LayerNormLayer& n) {
  return "layer norm " + std::to_string(n.rows) + " x " + std::to_string(n.length);
}

std::string title_of(const PoolLayer& p) {
  const std::string kernel = std::to_string(p.kernel);
  return "max pooling " + kernel + "x" + kernel + ", stride " + std::to_string(p.stride) + ", " +
         sizes_of(p.channels, p.size, p.batch);
}

std::string title_of(const LstmLayer& l) {
  return "lstm of " + std::to_string(l.layers) + " x " + std::to_string(l.hidden) + ", " +
         std::to_string(l.steps) + " steps, batch " + std::to_string(l.batch);
}

void shrink(ConvLayer& c) {
  c.batch = 1;
  c.size = std::max<std::int64_t>(c.size / 14, 2);
  c.filters = std::max<std::int64_t>(c.filters / 16, 4);
  if (c.channels > 3) c.channels = std::max<std::int64_t>(c.channels / 16, 4);
}

void shrink(DenseLayer& d) {
  d.rows = std::max<std::int64_t>(d.rows / 512, 5);
  d.columns /= 96;
  d.depth /= 96;
}

void shrink(AttentionLayer& a) {
  a.batch = 1;
  a.heads = 2;
  a.words = 8;
  a.width = 4;
}

void shrink(DepthwiseLayer& d) {
  d.batch = 1;
  d.channels = 16;
  d.size = 7;
}

void shrink(ScaleShiftLayer& s) {
  s.batch = 1;
  s.channels = 16;
  s.size = 3;
}

void shrink(AddLayer& a) {
  a.batch = 1;
  a.channels = 16;
  a.size = 3;
}

void shrink(LayerNormLayer& n) {
  n.rows = 5;
}

void shrink(PoolLayer& p) {
  p.batch = 1;
  p.channels = 16;
  p.size = 7;
}

void shrink(LstmLayer& l) {
  l.batch = l.batch == 1 ? 1 : 9;
  l.steps = 3;
  l.hidden = 20;
}

/// What memory bounds, of MobileNetV2, DenseNet-121, BERT and ResNet-50.
void add_bounded_by_memory(std::vector<Layer>& layers) {
  layers.insert(
      layers.end(),
      {DepthwiseLayer{.channels = 96, .size = 112, .stride = 2}, DepthwiseLayer{.channels = 144, .size = 56},
       DepthwiseLayer{.channels = 576, .size = 14}, DepthwiseLayer{.channels = 240, .size = 28, .kernel = 5},
       DepthwiseLayer{.batch = 1, .channels = 144, .size = 56}, ScaleShiftLayer{.channels = 256, .size = 28},
       ScaleShiftLayer{.channels = 512, .size = 14}, AddLayer{.channels = 256, .size = 56},
       LayerNormLayer{4096, 768}, PoolLayer{.channels = 64, .size = 112}});
}

}  // namespace

std::vector<LayerCase> layer_cases(bool tiny) {
  std::vector<Layer> layers{ConvLayer{.channels = 64, .filters = 256, .size = 56, .residual = true},
                            ConvLayer{.channels = 256, .filters = 64, .size = 56},
                            ConvLayer{.channels = 64, .filters = 64, .size = 56, .kernel = 3},
                            ConvLayer{.channels = 128, .filters = 128, .size = 28, .kernel = 3},
                            ConvLayer{.channels = 256, .filters = 256, .size = 14, .kernel = 3},
                            ConvLayer{.channels = 256, .filters = 1024, .size = 14, .residual = true},
                            ConvLayer{.channels = 512, .filters = 512, .size = 7, .kernel = 3},
                            ConvLayer{.channels = 3, .filters = 64, .size = 224, .kernel = 7, .stride = 2},
                            ConvLayer{.channels = 3, .filters = 32, .size = 224, .kernel = 3, .stride = 2},
                            ConvLayer{.channels = 3, .filters = 64, .size = 224, .kernel = 3},
                            ConvLayer{.batch = 1, .channels = 256, .filters = 256, .size = 14, .kernel = 3},
                            DenseLayer{4096, 3072, 768},
                            DenseLayer{4096, 768, 3072, true},
                            DenseLayer{4096, 2304, 768},
                            DenseLayer{128, 3072, 768}};
  for (const auto part :
       {AttentionLayer::Part::scores, AttentionLayer::Part::softmax, AttentionLayer::Part::sum})
    layers.push_back(AttentionLayer{.part = part});
  add_bounded_by_memory(layers);
  layers.insert(layers.end(), {LstmLayer{.hidden = 650}, LstmLayer{.steps = 100, .hidden = 512},
                               LstmLayer{.batch = 1, .steps = 100, .hidden = 512}});

  std::vector<LayerCase> cases;
  for (auto& layer : layers) {
    if (tiny) std::visit([](auto& one) { shrink(one); }, layer);
    cases.push_back({std::visit([](const auto& one) { return title_of(one); }, layer), layer});
  }
  return cases;
}

}  // namespace mxinfer::bench
