#include "kernels/rnn/rnn_cell.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/gemm/gemm_packed.h"
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
      args.out = state.data();
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

/// Rows of gates with blocks of `lanes` elements of each gate, `stride` elements from row to row.
std::vector<float> in_blocks(const std::vector<float>& gates, std::int64_t count, std::int64_t hidden,
                             std::int64_t lanes, std::int64_t stride) {
  std::vector<float> blocks(static_cast<std::size_t>(kRows * stride));
  for (std::int64_t row = 0; row < kRows; ++row) {
    for (std::int64_t gate = 0; gate < count; ++gate) {
      for (std::int64_t j = 0; j < hidden; ++j) {
        blocks[static_cast<std::size_t>(row * stride + j / lanes * count * lanes + gate * lanes +
                                        j % lanes)] =
            gates[static_cast<std::size_t>((row * count + gate) * hidden + j)];
      }
    }
  }
  return blocks;
}

TEST(LstmCell, ReadsGatesInBlocksAndRowsInsideOfWiderOnes) {
  for (const std::int64_t hidden : kSizes) {
    const std::vector<float> gates = numbers(kRows * 4 * hidden, 1, 4.0f);
    const std::vector<float> cell = numbers(kRows * hidden, 2, 3.0f);
    for (const Target target : test::targets()) {
      SCOPED_TRACE(testing::Message() << to_string(target) << ", " << hidden << " elements");
      const LstmState expected = run_lstm(select_lstm_cell_f32(target), hidden, gates, cell, {});
      const std::int64_t lanes = select_gemm_packed(target).lanes, stride = (hidden + lanes) * 4;
      const std::vector<float> blocks = in_blocks(gates, 4, hidden, lanes, stride);
      LstmState actual{cell, std::vector<float>(static_cast<std::size_t>(kRows * (hidden + 5)))};
      LstmCellArgs<float> args;
      args.hidden = hidden;
      args.block = lanes;
      args.gates = blocks.data();
      args.gates_stride = stride;
      args.cell = actual.cell.data();
      args.cell_stride = hidden;
      args.out = actual.out.data();
      args.out_stride = hidden + 5;
      select_lstm_cell_f32(target)(args, 0, kRows);
      EXPECT_EQ(actual.cell, expected.cell);
      for (std::int64_t row = 0; row < kRows; ++row) {
        for (std::int64_t j = 0; j < hidden; ++j) {
          EXPECT_EQ(actual.out[static_cast<std::size_t>(row * (hidden + 5) + j)],
                    expected.out[static_cast<std::size_t>(row * hidden + j)]);
        }
      }
    }
  }
}

TEST(GruCell, ReadsGatesInBlocksAndWritesElsewhere) {
  for (const std::int64_t hidden : kSizes) {
    const std::vector<float> x = numbers(kRows * 3 * hidden, 1, 4.0f),
                             y = numbers(kRows * 3 * hidden, 2, 4.0f);
    const std::vector<float> state = numbers(kRows * hidden, 3, 1.0f);
    for (const Target target : test::targets()) {
      SCOPED_TRACE(testing::Message() << to_string(target) << ", " << hidden << " elements");
      const std::int64_t lanes = select_gemm_packed(target).lanes, stride = (hidden + lanes) * 3;
      const std::vector<float> xs = in_blocks(x, 3, hidden, lanes, stride),
                               ys = in_blocks(y, 3, hidden, lanes, stride);
      std::vector<float> plain(state.size()), blocked(state.size());
      GruCellArgs<float> args;
      args.hidden = hidden;
      args.state = state.data();
      args.from_input = x.data();
      args.from_state = y.data();
      args.out = plain.data();
      select_gru_cell_f32(target)(args, 0, kRows);
      args.block = lanes;
      args.gates_stride = stride;
      args.from_input = xs.data();
      args.from_state = ys.data();
      args.out = blocked.data();
      select_gru_cell_f32(target)(args, 0, kRows);
      EXPECT_EQ(blocked, plain);
    }
  }
}

}  // namespace
}  // namespace mxinfer::kernels
