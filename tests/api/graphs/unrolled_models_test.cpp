// Cells that were unrolled over some steps, as mx.rnn and Gluon save them: they begin with zeros for as many
// samples as they get, not for as many as there were when they were saved.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <cstring>
#include <string>
#include <vector>

#include "support/files/golden_npz.h"
#include "support/networks/golden_graphs.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

/// The samples one after another, `times` over.
Tensor repeated(const Tensor& batch, std::int64_t times) {
  Shape shape = batch.shape();
  shape[0] *= times;
  Tensor out(batch.dtype(), shape);
  for (std::int64_t i = 0; i < times; ++i)
    std::memcpy(static_cast<char*>(out.raw()) + static_cast<std::size_t>(i) * batch.bytes(), batch.raw(),
                batch.bytes());
  return out;
}

class UnrolledModel : public testing::TestWithParam<const char*> {};

TEST_P(UnrolledModel, TakesAsManySamplesAsItGets) {
  const std::string prefix = (test::golden_graphs_folder() / GetParam()).string();
  const test::Golden golden = test::read_golden(prefix + ".npz");
  const Predictor predictor(prefix);
  ASSERT_EQ(predictor.model().signature().inputs.size(), 1u) << "an initial state has become an input";
  for (const std::int64_t times : {3, 1, 2}) {
    SCOPED_TRACE(times);
    const auto outputs = predictor.predict({repeated(golden.inputs.at("data"), times)});
    ASSERT_EQ(outputs.size(), golden.outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i)
      EXPECT_LE(test::relative_difference(outputs[i], repeated(golden.outputs[i], times)), 1e-5) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Recorded, UnrolledModel,
                         testing::Values("unrolled_rnn", "unrolled_stack", "unrolled_fused",
                                         "unrolled_gluon"),
                         [](const auto& model) { return std::string(model.param); });

}  // namespace
}  // namespace mxinfer
