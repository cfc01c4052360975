// Predictions from destructors of static objects, which run while the program exits.
#include <gtest/gtest.h>
#include <mxinfer/predictor.h>

#include <cstdio>
#include <cstdlib>

#include "support/networks/tiny_models.h"

namespace mxinfer {
namespace {

// Made before mxinfer is first called, so that it is destroyed after all that mxinfer makes at its first
// call.
struct PredictsAtExit {
  ~PredictsAtExit() {
    try {
      if (predictor == nullptr) return;
      // Another shape than before, so that a plan is made; another model, so that all of loading runs.
      const Tensor data(DType::float32, {5, 3, 4, 6});
      const bool same = predictor->predict({data})[0].shape() == Shape{5, 3};
      const Predictor other(test::load_json(test::channel_means_json()), {.threads = 2});
      const bool again = other.predict({data})[0].shape() == Shape{5, 3};
      std::fprintf(stderr, same && again ? "predicted at exit\n" : "wrong\n");
    } catch (const std::exception& e) {
      std::fprintf(stderr, "threw %s\n", e.what());
    }
  }
  std::unique_ptr<Predictor> predictor;
};

[[noreturn]] void exit_with_a_predictor() {
  static PredictsAtExit last;
  last.predictor = std::make_unique<Predictor>(test::load_json(test::channel_means_json()));
  const Tensor data(DType::float32, {1, 3, 4, 6});
  (void)last.predictor->predict({data});
  std::exit(7);
}

TEST(Exit, StaticObjectsMayPredictInTheirDestructors) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_with_a_predictor(), ::testing::ExitedWithCode(7), "predicted at exit");
}

}  // namespace
}  // namespace mxinfer
