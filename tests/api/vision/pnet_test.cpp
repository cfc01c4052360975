// P-Net, the first network of MTCNN, which a detector runs on an image at every size of a pyramid: each size
// is held to the definition of the layers, and the definition to what MXNet computed at one.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>
#include <mxinfer/tools/arrays.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "support/files/golden_npz.h"
#include "support/networks/golden_graphs.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

/// (channels, height, width) of one image.
struct Planes {
  int channels = 0, height = 0, width = 0;
  std::vector<double> values = std::vector<double>(count(), 0.0);

  std::size_t count() const { return static_cast<std::size_t>(channels) * height * width; }
  std::size_t index(int c, int y, int x) const {
    return (static_cast<std::size_t>(c) * height + y) * width + x;
  }
};

class PNetByDefinition {
 public:
  explicit PNetByDefinition(const std::string& params) {
    for (NamedTensor& each : read_arrays_file(params))
      weights_.emplace(each.name.substr(4), std::move(each.array));
  }

  /// The boxes and the scores.
  std::vector<Planes> run(const Tensor& image) const {
    Planes x{static_cast<int>(image.shape()[1]), static_cast<int>(image.shape()[2]),
             static_cast<int>(image.shape()[3])};
    std::copy_n(image.data<float>(), x.values.size(), x.values.begin());
    x = prelu(convolution(x, "conv1"), "prelu1");
    x = prelu(convolution(max_pool(x), "conv2"), "prelu2");
    x = prelu(convolution(x, "conv3"), "prelu3");
    return {convolution(x, "conv4_2"), softmax(convolution(x, "conv4_1"))};
  }

 private:
  const float* weight(const std::string& name) const { return weights_.at(name).data<float>(); }

  /// Of stride 1, without padding.
  Planes convolution(const Planes& x, const std::string& name) const {
    const Shape& shape = weights_.at(name + "_weight").shape();
    const int filters = static_cast<int>(shape[0]), kernel = static_cast<int>(shape[2]);
    const float* w = weight(name + "_weight");
    Planes out{filters, x.height - kernel + 1, x.width - kernel + 1};
    for (int f = 0; f < filters; ++f) {
      const auto first = out.values.begin() + static_cast<std::ptrdiff_t>(out.index(f, 0, 0));
      std::fill_n(first, out.height * out.width, static_cast<double>(weight(name + "_bias")[f]));
      for (int c = 0; c < x.channels; ++c) {
        for (int tap = 0; tap < kernel * kernel; ++tap) add(x, c, tap / kernel, tap % kernel, *w++, out, f);
      }
    }
    return out;
  }

  /// One weight times the plane of a channel, moved by (dy, dx).
  static void add(const Planes& x, int c, int dy, int dx, double weight, Planes& out, int f) {
    for (int y = 0; y < out.height; ++y) {
      const double* from = x.values.data() + x.index(c, y + dy, dx);
      double* to = out.values.data() + out.index(f, y, 0);
      for (int i = 0; i < out.width; ++i) to[i] += weight * from[i];
    }
  }

  Planes prelu(Planes x, const std::string& name) const {
    for (int c = 0; c < x.channels; ++c) {
      const double slope = weight(name + "_gamma")[c];
      for (std::size_t i = x.index(c, 0, 0); i < x.index(c + 1, 0, 0); ++i)
        if (x.values[i] < 0) x.values[i] *= slope;
    }
    return x;
  }

  /// Of 2 x 2, stride 2; the convention "full" rounds sizes up, so that the last window may be cut.
  static Planes max_pool(const Planes& x) {
    Planes out{x.channels, (x.height + 1) / 2, (x.width + 1) / 2};
    for (int c = 0; c < x.channels; ++c) {
      for (int y = 0; y < out.height; ++y) {
        for (int i = 0; i < out.width; ++i) {
          const int last_y = std::min(2 * y + 1, x.height - 1), last_x = std::min(2 * i + 1, x.width - 1);
          out.values[out.index(c, y, i)] =
              std::max({x.values[x.index(c, 2 * y, 2 * i)], x.values[x.index(c, 2 * y, last_x)],
                        x.values[x.index(c, last_y, 2 * i)], x.values[x.index(c, last_y, last_x)]});
        }
      }
    }
    return out;
  }

  /// Over the two channels.
  static Planes softmax(Planes x) {
    const std::size_t plane = x.count() / 2;
    for (std::size_t i = 0; i < plane; ++i) {
      const double second = 1 / (1 + std::exp(x.values[i] - x.values[plane + i]));
      x.values[i] = 1 - second;
      x.values[plane + i] = second;
    }
    return x;
  }

  std::map<std::string, Tensor> weights_;
};

void expect_near(const Tensor& actual, const Planes& expected) {
  ASSERT_EQ(actual.shape(), (Shape{1, expected.channels, expected.height, expected.width}));
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    difference = std::max(difference, std::abs(actual.data<float>()[i] - expected.values[i]));
    largest = std::max(largest, std::abs(expected.values[i]));
  }
  EXPECT_LE(difference, 1e-5 * largest);
}

class PNet : public testing::Test {
 protected:
  void expect_by_definition(const Predictor& predictor, int height, int width) const {
    SCOPED_TRACE(std::to_string(height) + " x " + std::to_string(width));
    const Tensor image =
        test::random_tensor({1, 3, height, width}, static_cast<unsigned>(64 * height + width));
    const auto outputs = predictor.predict({image});
    const auto expected = definition.run(image);
    ASSERT_EQ(outputs.size(), expected.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) expect_near(outputs[i], expected[i]);
  }

  static Options one_thread() {
    Options options;
    options.threads = 1;
    return options;
  }

  const std::string prefix = (test::golden_graphs_folder() / "pnet").string();
  const PNetByDefinition definition{prefix + "-0000.params"};
};

TEST_F(PNet, IsByDefinitionWhatMxnetComputed) {
  const test::Golden golden = test::read_golden(prefix + ".npz");
  const auto outputs = definition.run(golden.inputs.at("data"));
  ASSERT_EQ(golden.outputs.size(), outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) expect_near(golden.outputs[i], outputs[i]);
}

TEST_F(PNet, EverySizeFromTheSmallest) {
  const Predictor predictor(prefix, one_thread());
  for (int size = 12; size <= 40; ++size) {
    expect_by_definition(predictor, 12, size);
    expect_by_definition(predictor, size, 12);
  }
}

TEST_F(PNet, EveryPairOfRemaindersOfLargerSizes) {
  const Predictor predictor(prefix, one_thread());
  for (int height = 32; height < 40; height += 3) {
    for (int width = 33; width <= 40; ++width) expect_by_definition(predictor, height, width);
  }
}

}  // namespace
}  // namespace mxinfer
