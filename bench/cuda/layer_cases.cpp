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

}  // namespace

std::vector<LayerCase> layer_cases(bool tiny) {
  std::vector<std::variant<ConvLayer, DenseLayer, AttentionLayer>> layers{
      ConvLayer{.channels = 64, .filters = 256, .size = 56, .residual = true},
      ConvLayer{.channels = 256, .filters = 64, .size = 56},
      ConvLayer{.channels = 64, .filters = 64, .size = 56, .kernel = 3},
      ConvLayer{.channels = 128, .filters = 128, .size = 28, .kernel = 3},
      ConvLayer{.channels = 256, .filters = 256, .size = 14, .kernel = 3},
      ConvLayer{.channels = 256, .filters = 1024, .size = 14, .residual = true},
      ConvLayer{.channels = 512, .filters = 512, .size = 7, .kernel = 3},
      ConvLayer{.channels = 3, .filters = 64, .size = 224, .kernel = 7, .stride = 2},
      ConvLayer{.batch = 1, .channels = 256, .filters = 256, .size = 14, .kernel = 3},
      DenseLayer{4096, 3072, 768},
      DenseLayer{4096, 768, 3072, true},
      DenseLayer{4096, 2304, 768},
      DenseLayer{128, 3072, 768}};
  for (const auto part :
       {AttentionLayer::Part::scores, AttentionLayer::Part::softmax, AttentionLayer::Part::sum})
    layers.push_back(AttentionLayer{.part = part});

  std::vector<LayerCase> cases;
  for (auto& layer : layers) {
    if (tiny) std::visit([](auto& one) { shrink(one); }, layer);
    cases.push_back({std::visit([](const auto& one) { return title_of(one); }, layer), layer});
  }
  return cases;
}

}  // namespace mxinfer::bench
