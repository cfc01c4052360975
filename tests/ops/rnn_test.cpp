// RNN where MXNet computes on GPUs only: samples of different lengths, and the clip of the cell's state.
#include <gtest/gtest.h>
#include <mxinfer/error.h>
#include <mxinfer/tensor.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "tests/support/run_op.h"

namespace mxinfer::test {
namespace {

using Attributes = std::map<std::string, std::string>;

constexpr std::int64_t kSteps = 5, kBatch = 4, kSize = 3, kHidden = 6;

struct Rnn {
  Attributes attrs;
  std::int64_t directions, gates;
  bool lstm() const { return gates == 4; }
};

Rnn rnn(const std::string& mode, bool bidirectional) {
  const std::int64_t gates = mode == "lstm" ? 4 : mode == "gru" ? 3 : 1;
  return {{{"mode", mode},
           {"state_size", std::to_string(kHidden)},
           {"num_layers", "2"},
           {"bidirectional", bidirectional ? "True" : "False"},
           {"state_outputs", "True"}},
          bidirectional ? 2 : 1,
          gates};
}

Tensor parameters_of(const Rnn& net) {
  const std::int64_t rows = net.gates * kHidden, d = net.directions;
  return random_tensor({d * rows * (kSize + kHidden + 2) + d * rows * (kHidden * d + kHidden + 2)}, 7, -0.6f,
                       0.6f);
}

// The first `steps` steps of one sample, or one sample of the states.
Tensor sample_of(const Tensor& all, std::int64_t steps, std::int64_t sample) {
  const std::int64_t batch = all.shape()[1], size = all.shape()[2];
  Tensor part(DType::float32, {steps, 1, size});
  for (std::int64_t t = 0; t < steps; ++t) {
    std::copy_n(all.data<float>() + (t * batch + sample) * size, size, part.data<float>() + t * size);
  }
  return part;
}

class RnnLengths : public testing::TestWithParam<std::tuple<std::string, bool>> {};

TEST_P(RnnLengths, AreThoseOfEachSampleAlone) {
  Rnn net = rnn(std::get<0>(GetParam()), std::get<1>(GetParam()));
  const Tensor data = random_tensor({kSteps, kBatch, kSize}, 1);
  const Tensor parameters = parameters_of(net);
  const Tensor state = random_tensor({2 * net.directions, kBatch, kHidden}, 2);
  const Tensor cell = random_tensor({2 * net.directions, kBatch, kHidden}, 3);
  const std::vector<std::int64_t> lengths = {5, 1, 3, 4};
  const Tensor given = tensor_of<float>({kBatch}, {5, 1, 3, 4});
  for (const kernels::Target target : targets()) {
    RunOpOptions options;
    options.target = target;
    options.threads = 2;
    options.parameters = {1};
    std::vector<const Tensor*> inputs = {&data, &parameters, &state};
    if (net.lstm()) inputs.push_back(&cell);
    inputs.push_back(&given);
    Attributes attrs = net.attrs;
    attrs["use_sequence_length"] = "True";
    const auto all = run_op("RNN", attrs, inputs, options);

    for (std::int64_t b = 0; b < kBatch; ++b) {
      const std::int64_t length = lengths[static_cast<std::size_t>(b)];
      const Tensor one = sample_of(data, length, b);
      const Tensor h = sample_of(state, 2 * net.directions, b), c = sample_of(cell, 2 * net.directions, b);
      std::vector<const Tensor*> alone = {&one, &parameters, &h};
      if (net.lstm()) alone.push_back(&c);
      const auto expected = run_op("RNN", net.attrs, alone, options);
      EXPECT_LT(relative_difference(sample_of(all[0], length, b).view(), expected[0].view()), 1e-6);
      const Tensor whole = sample_of(all[0], kSteps, b);
      for (std::int64_t i = length * whole.shape()[2]; i < whole.elements(); ++i)
        EXPECT_EQ(whole.data<float>()[i], 0.0f);
      for (std::size_t o = 1; o < all.size(); ++o) {
        EXPECT_LT(relative_difference(sample_of(all[o], 2 * net.directions, b).view(), expected[o].view()),
                  1e-6);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, RnnLengths,
                         testing::Combine(testing::Values("lstm", "gru", "rnn_tanh", "rnn_relu"),
                                          testing::Bool()));

struct Sizes {
  std::int64_t steps, batch, size, hidden, projection;
};

/// An RNN of two layers with weights as parameters, on every target and with any number of threads.
void check_packed(const std::string& mode, bool bidirectional, bool lengths, const Sizes& s) {
  const std::int64_t gates = mode == "lstm" ? 4 : mode == "gru" ? 3 : 1, d = bidirectional ? 2 : 1;
  const std::int64_t out = s.projection > 0 ? s.projection : s.hidden, rows = gates * s.hidden;
  Attributes attrs = {{"mode", mode},
                      {"state_size", std::to_string(s.hidden)},
                      {"num_layers", "2"},
                      {"bidirectional", bidirectional ? "True" : "False"},
                      {"state_outputs", "True"},
                      {"use_sequence_length", lengths ? "True" : "False"}};
  if (s.projection > 0) attrs["projection_size"] = std::to_string(s.projection);
  const std::int64_t count =
      d * (rows * (s.size + out) + rows * (d * out + out) + 2 * s.projection * s.hidden + 4 * rows);
  const Tensor data = random_tensor({s.steps, s.batch, s.size}, 1),
               given = random_tensor({count}, 2, -0.3f, 0.3f);
  const Tensor state = random_tensor({2 * d, s.batch, out}, 3),
               cell = random_tensor({2 * d, s.batch, s.hidden}, 4);
  const Tensor length = random_tensor({s.batch}, 5, 0.0f, static_cast<float>(s.steps + 1));
  std::vector<const Tensor*> inputs = {&data, &given, &state};
  if (mode == "lstm") inputs.push_back(&cell);
  if (lengths) inputs.push_back(&length);
  const auto expected = run_op("RNN", attrs, inputs, RunOpOptions{.target = kernels::Target::ref});
  for (const kernels::Target target : targets()) {
    SCOPED_TRACE(testing::Message() << mode << " of " << s.hidden << ", batch " << s.batch << ", " << d
                                    << " directions, on " << to_string(target));
    std::string kernel;
    RunOpOptions options{.target = target, .parameters = {1}, .kernel = &kernel};
    const auto one = run_op("RNN", attrs, inputs, options);
    const char* row = target == kernels::Target::ref ? "rnn_f32 [" : "rnn_packed_f32 [";
    EXPECT_EQ(kernel, std::string(row) + to_string(target) + "]");
    for (int threads : {2, 5}) {
      options.threads = threads;
      const auto many = run_op("RNN", attrs, inputs, options);
      for (std::size_t o = 0; o < one.size(); ++o) {
        EXPECT_LE(relative_difference(one[o].view(), expected[o].view()), 1e-5) << "output " << o;
        EXPECT_EQ(std::memcmp(many[o].raw(), one[o].raw(), one[o].bytes()), 0) << "output " << o;
      }
    }
    options.parameters = {};
    run_op("RNN", attrs, inputs, options);
    EXPECT_EQ(kernel, std::string("rnn_f32 [") + to_string(target) + "]") << "with computed weights";
  }
}

TEST(RnnPacked, IsTheReferenceAroundEveryPieceAtAnyThreadCount) {
  for (const char* mode : {"lstm", "gru", "rnn_tanh", "rnn_relu"}) {
    for (const bool lengths : {false, true}) {
      for (const std::int64_t hidden : {1, 7, 31, 33, 64, 100})
        check_packed(mode, false, lengths, {4, 1, 5, hidden, 0});
      for (const std::int64_t batch : {2, 3, 7}) check_packed(mode, true, lengths, {3, batch, 20, 70, 0});
    }
  }
  // More rows of input than are multiplied at once.
  for (const char* mode : {"lstm", "gru"}) {
    for (const bool lengths : {false, true}) check_packed(mode, true, lengths, {9, 50, 3, 10, 0});
  }
  check_packed("gru", false, false, {3, 3, 10, 300, 0});
  check_packed("lstm", true, false, {3, 2, 10, 300, 0});
  check_packed("lstm", true, false, {3, 4, 10, 40, 70});
  check_packed("lstm", false, true, {3, 4, 10, 40, 9});
}

TEST(RnnClip, LimitsTheCellsStateBeforeItIsUsed) {
  // One cell without weights: i = f = o = s(0) = 1/2, g = 0, so c' = c / 2 and h' = tanh(clip(c')) / 2.
  const Attributes attrs = {{"mode", "lstm"},
                            {"state_size", "3"},
                            {"num_layers", "1"},
                            {"state_outputs", "True"},
                            {"lstm_state_clip_min", "-0.5"},
                            {"lstm_state_clip_max", "0.25"}};
  const Tensor data(DType::float32, {1, 1, 1}), parameters(DType::float32, {4 * 3 * (1 + 3 + 2)});
  const Tensor state(DType::float32, {1, 1, 3});
  const float nan = std::nanf("");
  for (const kernels::Target target : targets()) {
    RunOpOptions options;
    options.target = target;
    const Tensor cell = tensor_of<float>({1, 1, 3}, {-4.0f, 4.0f, 0.2f});
    const auto out = run_op("RNN", attrs, {&data, &parameters, &state, &cell}, options);
    EXPECT_FLOAT_EQ(out[2].data<float>()[0], -0.5f);
    EXPECT_FLOAT_EQ(out[2].data<float>()[1], 0.25f);
    EXPECT_FLOAT_EQ(out[2].data<float>()[2], 0.1f);
    EXPECT_FLOAT_EQ(out[0].data<float>()[1], 0.5f * std::tanh(0.25f));

    const Tensor broken = tensor_of<float>({1, 1, 3}, {nan, 0.0f, nan});
    EXPECT_FLOAT_EQ(run_op("RNN", attrs, {&data, &parameters, &state, &broken}, options)[2].data<float>()[0],
                    -0.5f);
    Attributes keep = attrs;
    keep["lstm_state_clip_nan"] = "True";
    EXPECT_TRUE(
        std::isnan(run_op("RNN", keep, {&data, &parameters, &state, &broken}, options)[2].data<float>()[2]));
  }
}

std::string rnn_message(const Attributes& attrs, const std::vector<const Tensor*>& inputs) {
  try {
    (void)run_op("RNN", attrs, inputs);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(RnnErrors, NameWhatDoesNotFit) {
  const Tensor data(DType::float32, {2, 1, 4}), state(DType::float32, {1, 1, 3});
  const Tensor good(DType::float32, {3 * (4 + 3 + 2)}), small(DType::float32, {5});
  const Attributes attrs = {{"mode", "rnn_tanh"}, {"state_size", "3"}, {"num_layers", "1"}};
  EXPECT_EQ(rnn_message(attrs, {&data, &good, &state}), "");
  EXPECT_NE(rnn_message(attrs, {&data, &small, &state}).find("'parameters' has shape (5,)"),
            std::string::npos);
  EXPECT_NE(rnn_message(attrs, {&data, &good, &data}).find("'state' has shape (2, 1, 4)"), std::string::npos);
  Attributes wrong = attrs;
  wrong["projection_size"] = "2";
  EXPECT_NE(rnn_message(wrong, {&data, &good, &state}).find("projection_size is for mode=lstm"),
            std::string::npos);
  wrong = attrs;
  wrong["num_layers"] = "100000";
  EXPECT_NE(rnn_message(wrong, {&data, &good, &state}).find("num_layers=100000"), std::string::npos);
  wrong = attrs;
  wrong["state_size"] = "9000000000000000000";
  EXPECT_NE(rnn_message(wrong, {&data, &good, &state}), "");
}

}  // namespace
}  // namespace mxinfer::test
