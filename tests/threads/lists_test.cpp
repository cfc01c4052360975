// Sixteen threads with lists of images of different sizes on one predictor, whose own threads run the
// items: no race, no deadlock, and bitwise the numbers of one thread alone.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "support/networks/tiny_models.h"
#include "support/run_op.h"
#include "thread_count.h"

namespace mxinfer {
namespace {

using test::kThreads;
constexpr int kListCalls = 6;
constexpr int kImages = 7;

// Resizes to 16 x 12, then the means of the channels.
std::string resizing_json() {
  return R"json({"nodes": [
    {"op": "null", "name": "data", "inputs": []},
    {"op": "_image_resize", "name": "resize0", "attrs": {"size": "(16, 12)"}, "inputs": [[0, 0, 0]]},
    {"op": "_image_to_tensor", "name": "to_tensor0", "inputs": [[1, 0, 0]]},
    {"op": "Pooling", "name": "pool", "inputs": [[2, 0, 0]],
     "attrs": {"global_pool": "True", "kernel": "(1, 1)", "pool_type": "avg"}},
    {"op": "Flatten", "name": "flat", "inputs": [[3, 0, 0]]}],
    "arg_nodes": [0], "heads": [[4, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
}

TEST(ManyThreadsWithLists, GiveTheNumbersOfOneThread) {
  const auto model = test::load_json(resizing_json());
  std::vector<Tensor> images;
  for (unsigned i = 0; i < kImages; ++i) {
    images.emplace_back(DType::uint8, Shape{20 + 3 * i, 40 - 2 * i, 3});
    auto* pixels = images.back().data<std::uint8_t>();
    for (std::int64_t p = 0; p < images.back().elements(); ++p)
      pixels[p] = static_cast<std::uint8_t>(p * (i + 7));
  }
  const std::vector<TensorView> list(images.begin(), images.end());
  Options alone;
  alone.threads = 1;
  const Tensor expected = std::move(Predictor(model, alone).predict_list(Span<const TensorView>(list))[0]);

  Options options;
  options.threads = 4;
  options.max_plans = 3;  // fewer than there are sizes: plans come and go meanwhile
  const Predictor predictor(model, options);
  std::vector<int> wrong(kThreads, 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int call = 0; call < kListCalls; ++call) {
        const Tensor output = std::move(predictor.predict_list(Span<const TensorView>(list))[0]);
        wrong[static_cast<std::size_t>(t)] += output.shape() != expected.shape() ||
                                              std::memcmp(output.raw(), expected.raw(), output.bytes()) != 0;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(kThreads, 0));
}

}  // namespace
}  // namespace mxinfer
