#include "kernels/rnn/rnn_cell.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/run_op.h"

namespace mxinfer::kernels {
namespace {

std::vector<float> numbers(std::int64_t count, unsigned seed, float range) {
  const Tensor tensor = test::random_tensor({count}, seed, -range, range);
  return {tensor.data<float>(), tensor.data<float>() + count};
}

// On both sides of every vector width.
const std::int64_t kSizes[] = {1, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 64};
constexpr std::int64_t kRows = 3;

void expect_near(const std::vector<float>& actual, const std::vector<float>& expected) {
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (std::isnan(expected[i])) {
      EXPECT_TRUE(std::isnan(actual[i])) << i;
    } else {
      EXPECT_NEAR(actual[i], expected[i], 1e-6) << i;
    }
  }
}

struct LstmState {
  std::vector<float> cell, out;
};

LstmState run_lstm(LstmCellFn<float> function, std::int64_t hidden, const std::vector<float>& gates,
                   std::vector<float> cell, const CellClip<float>& clip) {
  LstmState state{std::move(cell), std::vector<float>(static_cast<std::size_t>(kRows * hidden))};
  LstmCellArgs<float> args;
  args.hidden = hidden;
  args.clip = clip;
  args.gates = gates.data();
  args.cell = state.cell.data();
  args.out = state.out.data();
  function(args, 0, 1);
  function(args, 1, kRows);
  return state;
}

TEST(LstmCell, IsTheReferenceOnEveryTarget) {
  for (const std::int64_t hidden : kSizes) {
    std::vector<float> gates = numbers(kRows * 4 * hidden, 1, 12.0f);
    std::vector<float> cell = numbers(kRows * hidden, 2, 3.0f);
    gates[0] = std::numeric_limits<float>::infinity();
    cell.back() = std::nanf("");
    for (const bool clip : {false, true}) {
      for (const bool keep_nan : {false, true}) {
        const CellClip<float> limits{clip, keep_nan, -0.75f, 0.5f};
        const LstmState expected = run_lstm(lstm_cell_ref<float>, hidden, gates, cell, limits);
        for (const Target target : test::targets()) {
          SCOPED_TRACE(testing::Message() << to_string(target) << ", " << hidden << " elements");
          const LstmState actual = run_lstm(select_lstm_cell_f32(target), hidden, gates, cell, limits);
          expect_near(actual.cell, expected.cell);
          expect_near(actual.out, expected.out);
        }
      }
    }
  }
}

TEST(GruCell, IsTheReferenceOnEveryTarget) {
  for (const std::int64_t hidden : kSizes) {
    const std::vector<float> x = numbers(kRows * 3 * hidden, 1, 8.0f),
                             y = numbers(kRows * 3 * hidden, 2, 8.0f);
    const std::vector<float> start = numbers(kRows * hidden, 3, 1.0f);
    const auto run = [&](GruCellFn<float> function) {
      std::vector<float> state = start;
      GruCellArgs<float> args;
      args.hidden = hidden;
      args.from_input = x.data();
      args.from_state = y.data();
      args.state = state.data();
      function(args, 0, 2);
      function(args, 2, kRows);
      return state;
    };
    const std::vector<float> expected = run(gru_cell_ref<float>);
    for (const Target target : test::targets()) {
      SCOPED_TRACE(testing::Message() << to_string(target) << ", " << hidden << " elements");
      expect_near(run(select_gru_cell_f32(target)), expected);
    }
  }
}

}  // namespace
}  // namespace mxinfer::kernels
