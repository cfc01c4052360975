// Every vectorised family on the cases of tests/cases, which the benches measure: the implementation of each
// target against the reference. Particulars of a family (special values, borders, working in place) are in
// its own test.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "base/files/aligned_memory.h"
#include "cases/elementwise_cases.h"
#include "cases/gemm_cases.h"
#include "cases/image_chain_cases.h"
#include "cases/move_cases.h"
#include "cases/normalize_cases.h"
#include "cases/pool_cases.h"
#include "cases/reduce_cases.h"
#include "cases/resize_cases.h"
#include "cases/rnn_cases.h"
#include "image/resize.h"
#include "kernels/common/bfloat16.h"
#include "kernels/elementwise/bfloat16.h"
#include "kernels/elementwise/binary.h"
#include "kernels/gemm/gemm.h"
#include "kernels/gemm/gemm_packed.h"
#include "kernels/rnn/rnn_cell.h"
#include "support/run_op.h"

namespace mxinfer::kernels {
namespace {

using std::int64_t;

std::vector<float> values(int64_t count, unsigned seed, float low = -1.0f, float high = 1.0f) {
  const Tensor tensor = test::random_tensor({count}, seed, low, high);
  return {tensor.data<float>(), tensor.data<float>() + count};
}

std::vector<float> zeros(int64_t count) {
  return std::vector<float>(static_cast<std::size_t>(count));
}

/// |actual - expected| <= limit * (1 + |expected|) for every element.
void expect_near(const std::vector<float>& actual, const std::vector<float>& expected, double limit) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_LE(std::abs(actual[i] - expected[i]), limit * (1 + std::abs(expected[i])))
        << "element " << i << ": " << actual[i] << ", expected " << expected[i];
  }
}

class Cases : public testing::TestWithParam<Target> {
 protected:
  /// body(case) for the cases that are not large.
  template <typename Case, std::size_t kCount, typename Body>
  static void each(const Case (&all)[kCount], const Body& body) {
    for (const Case& c : all) {
      if (c.label.large) continue;
      SCOPED_TRACE(testing::Message() << c.label.name << ", " << c.label.about);
      body(c);
    }
  }
};

TEST_P(Cases, Unary) {
  each(cases::kElements, [](const cases::Elements& c) {
    const std::vector<float> src = values(c.count, 1, 0.01f, 5.0f);  // every function is finite there
    for (const cases::Unary& function : cases::kUnary) {
      SCOPED_TRACE(function.function);
      std::vector<float> expected = zeros(c.count), actual = expected;
      unary_ref(function.function, ElementType::float32)(src.data(), expected.data(), c.count,
                                                         function.params);
      const UnaryKernel kernel = select_unary(function.function, ElementType::float32, GetParam());
      EXPECT_EQ(kernel.target, GetParam());
      kernel.run(src.data(), actual.data(), c.count, function.params);
      expect_near(actual, expected, 1e-6);  // the bounds in units of the last place: unary_test
    }
  });
}

TEST_P(Cases, Binary) {
  each(cases::kElements, [](const cases::Elements& c) {
    const std::vector<float> a = values(c.count, 1), b = values(c.count, 2, 0.5f, 2.0f);
    for (const char* function : cases::kBinary) {
      SCOPED_TRACE(function);
      std::vector<float> expected = zeros(c.count), actual = expected;
      binary_ref(function, ElementType::float32).rows(a.data(), b.data(), expected.data(), c.count);
      const BinaryKernel kernel = select_binary(function, ElementType::float32, GetParam());
      EXPECT_EQ(kernel.target, GetParam());
      kernel.rows(a.data(), b.data(), actual.data(), c.count);
      EXPECT_EQ(actual, expected);
    }
  });
}

TEST_P(Cases, BFloat16Casts) {
  const BFloat16Casts &plain = select_bfloat16_casts(Target::ref), &casts = select_bfloat16_casts(GetParam());
  each(cases::kElements, [&](const cases::Elements& c) {
    std::vector<float> src = values(c.count, 1, -300, 300);
    const float special[] = {INFINITY, -INFINITY, NAN, -0.0f, 1e-40f, 3.4e38f};
    std::copy(std::begin(special), std::end(special), src.begin() + 3);
    std::vector<BFloat16> expected(src.size()), actual(src.size());
    plain.from_float32(src.data(), expected.data(), c.count);
    casts.from_float32(src.data(), actual.data(), c.count);
    EXPECT_EQ(std::memcmp(actual.data(), expected.data(), src.size() * sizeof(BFloat16)), 0);
    std::vector<float> f32_expected = zeros(c.count), f32_actual = f32_expected;
    plain.to_float32(expected.data(), f32_expected.data(), c.count);
    casts.to_float32(expected.data(), f32_actual.data(), c.count);
    EXPECT_EQ(std::memcmp(f32_actual.data(), f32_expected.data(), src.size() * sizeof(float)), 0);
  });
}

TEST_P(Cases, RowNorm) {
  each(cases::kRowNorm, [](const cases::RowNorm& c) {
    const std::vector<float> src = values(c.rows * c.length, 1), gamma = values(c.rows + c.length, 2),
                             beta = values(c.rows + c.length, 3);
    RowNormArgs<float> args = args_of(c);
    args.src = src.data();
    args.gamma = gamma.data();
    args.beta = beta.data();
    std::vector<float> expected = zeros(c.rows * c.length), actual = expected;
    args.dst = expected.data();
    row_norm_ref(args, 0, c.rows);
    args.dst = actual.data();
    select_row_norm_f32(GetParam())(args, 0, c.rows);
    expect_near(actual, expected, 2e-6);
  });
}

TEST_P(Cases, Lrn) {
  each(cases::kLrn, [](const cases::Lrn& c) {
    const int64_t rows = c.batch * c.channels;
    const std::vector<float> src = values(rows * c.inner, 1, -50, 50);
    LrnArgs args = args_of(c);
    args.src = src.data();
    std::vector<float> expected = zeros(rows * c.inner), actual = expected;
    args.dst = expected.data();
    lrn_ref(args, 0, rows);
    args.dst = actual.data();
    select_lrn_f32(GetParam())(args, 0, rows);
    expect_near(actual, expected, 1e-6);
  });
}

TEST_P(Cases, ScaleShift) {
  each(cases::kScaleShift, [](const cases::ScaleShift& c) {
    const int64_t count = c.outer * c.channels * c.inner;
    const std::vector<float> src = values(count, 1), scale = values(c.channels, 2),
                             shift = values(c.channels, 3);
    ScaleShiftArgs<float> args = args_of(c);
    args.src = src.data();
    args.scale = scale.data();
    args.shift = shift.data();
    std::vector<float> expected = zeros(count), actual = expected;
    args.dst = expected.data();
    scale_shift_ref(args, 0, rows_of(c));
    args.dst = actual.data();
    select_scale_shift_f32(GetParam())(args, 0, rows_of(c));
    expect_near(actual, expected, 1e-6);
  });
}

// The reference rounds the product before it adds, so that a last bit may differ.
TEST_P(Cases, ScaleShiftOfBFloat16) {
  each(cases::kScaleShift, [](const cases::ScaleShift& c) {
    const int64_t count = c.outer * c.channels * c.inner;
    const std::vector<float> wide = values(count, 1), scale = values(c.channels, 2),
                             shift = values(c.channels, 3);
    const std::vector<BFloat16> src(wide.begin(), wide.end());
    const ScaleShiftArgs<float> shape = args_of(c);
    ScaleShiftArgs<float, BFloat16> args{shape.channels, shape.inner, shape.post_ops};
    args.src = src.data();
    args.scale = scale.data();
    args.shift = shift.data();
    std::vector<BFloat16> expected(src.size()), actual = expected;
    args.dst = expected.data();
    scale_shift_ref(args, 0, rows_of(c));
    args.dst = actual.data();
    select_scale_shift_bf16(GetParam())(args, 0, rows_of(c));
    expect_near({actual.begin(), actual.end()}, {expected.begin(), expected.end()}, 0.004);
  });
}

TEST_P(Cases, Reduce) {
  each(cases::kReduce, [](const cases::Reduce& c) {
    const ReduceShape shape = shape_of(c);
    const int64_t outputs = shape.kept.elements(), count = shape.reduced.elements();
    const std::vector<float> src = values(outputs * count, 1);
    for (const char* function : cases::kReduceFunctions) {
      SCOPED_TRACE(function);
      std::vector<float> expected = zeros(outputs), actual = expected;
      const ReduceFold fold = select_reduce(function, ElementType::float32, GetParam());
      EXPECT_EQ(fold.target, GetParam());
      reduce(reduce_ref(function, ElementType::float32), shape, src.data(), expected.data(), 0, outputs);
      reduce(fold, shape, src.data(), actual.data(), 0, outputs);
      // Short runs in float32 round; their terms are of size 1.
      expect_near(actual, expected, 1e-6 * std::sqrt(static_cast<double>(count)));
    }
  });
}

TEST_P(Cases, ResizeLinear) {
  each(cases::kResize, [](const cases::Resize& c) {
    const ResizeShape& s = c.shape;
    std::vector<std::uint8_t> src(static_cast<std::size_t>(s.src_height * s.src_width * s.channels));
    for (std::size_t i = 0; i < src.size(); ++i) src[i] = static_cast<std::uint8_t>(i * 2654435761u >> 24);
    const auto resized = [&](Target target) {
      std::vector<std::uint8_t> dst(static_cast<std::size_t>(s.dst_height * s.dst_width * s.channels));
      const image::ResizePlan plan(s, DType::uint8, Interpolation::linear, target);
      AlignedBuffer scratch(plan.scratch_bytes());
      plan.run(src.data(), dst.data(), 0, s.dst_height, scratch.data());
      return dst;
    };
    EXPECT_EQ(resized(GetParam()), resized(Target::ref));
  });
}

TEST_P(Cases, LstmCell) {
  each(cases::kRnnCell, [](const cases::RnnCell& c) {
    const int64_t count = c.batch * c.hidden;
    const std::vector<float> gates = values(4 * count, 1, -8, 8), before = values(count, 2);
    const auto run = [&](LstmCellFn<float> function) {
      std::vector<float> cell = before, out = zeros(count);
      LstmCellArgs<float> args;
      args.hidden = c.hidden;
      args.gates = gates.data();
      args.cell = cell.data();
      args.out = out.data();
      function(args, 0, c.batch);
      out.insert(out.end(), cell.begin(), cell.end());
      return out;
    };
    expect_near(run(select_lstm_cell_f32(GetParam())), run(lstm_cell_ref<float>), 1e-6);
  });
}

TEST_P(Cases, GruCell) {
  each(cases::kRnnCell, [](const cases::RnnCell& c) {
    const int64_t count = c.batch * c.hidden;
    const std::vector<float> x = values(3 * count, 1, -8, 8), y = values(3 * count, 2, -8, 8),
                             before = values(count, 3);
    const auto run = [&](GruCellFn<float> function) {
      std::vector<float> out = zeros(count);
      GruCellArgs<float> args;
      args.hidden = c.hidden;
      args.from_input = x.data();
      args.from_state = y.data();
      args.state = before.data();
      args.out = out.data();
      function(args, 0, c.batch);
      return out;
    };
    expect_near(run(select_gru_cell_f32(GetParam())), run(gru_cell_ref<float>), 1e-6);
  });
}

/// The chain of a case on a target; every target gives the bits of the reference.
std::vector<float> chained(const cases::ImageChain& c, Target target) {
  const int64_t count = 3 * c.height * c.width;
  const std::vector<float> floats = values(count, 1, 0, 255);
  std::vector<std::uint8_t> bytes(floats.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(floats[i]);
  std::vector<float> table(3 * 256), dst = zeros(count);
  ChainArgs args = args_of(c, table.data());
  fill_chain_table(args.first, args.steps, args.step_count, args.channels, table.data());
  const void* src = c.floats ? static_cast<const void*>(floats.data()) : bytes.data();
  const ChainKernels kernel =
      select_image_chain(c.floats ? ElementType::float32 : ElementType::uint8, args, target);
  EXPECT_EQ(kernel.target, c.floats ? target : Target::ref) << "bytes go through a table, on every target";
  kernel.run(args, src, dst.data(), c.height);
  return dst;
}

TEST_P(Cases, ImageChain) {
  each(cases::kImageChain, [](const cases::ImageChain& c) {
    const std::vector<float> expected = chained(c, Target::ref);
    EXPECT_EQ(chained(c, GetParam()), expected);
  });
}

template <typename T>
std::vector<float> pooled(const PoolArgs& args, const std::vector<float>& src, Target target) {
  std::vector<T> from;
  for (float value : src) from.push_back(T(value));
  std::vector<T> to(static_cast<std::size_t>(args.planes * args.out_plane()));
  const PoolKernel kernel = select_pool(args, sizeof(T), target);
  kernel.run(args, from.data(), to.data(), 0, kernel.tasks(args));
  std::vector<float> result;
  for (const T& value : to) result.push_back(static_cast<float>(value));
  return result;
}

TEST_P(Cases, Pool) {
  each(cases::kPool, [](const cases::Pool& c) {
    const PoolArgs args = args_of(c);
    const std::vector<float> src = values(args.planes * args.in_plane(), 1);
    expect_near(pooled<float>(args, src, GetParam()), pooled<float>(args, src, Target::ref), 1e-6);
    if (!c.channels_last) return;
    // A result is rounded once, to 8 bits.
    expect_near(pooled<BFloat16>(args, src, GetParam()), pooled<BFloat16>(args, src, Target::ref), 1.0 / 256);
  });
}

TEST_P(Cases, GemmAsStored) {
  each(cases::kGemm, [](const cases::Gemm& c) {
    const std::vector<float> a = values(c.rows * c.depth, 1), b = values(c.columns * c.depth, 2);
    GemmNtArgs<float> args;
    args.rows = c.rows;
    args.columns = c.columns;
    args.depth = c.depth;
    args.a = a.data();
    args.b = b.data();
    std::vector<float> expected = zeros(c.rows * c.columns), actual = expected;
    args.dst = expected.data();
    gemm_nt_ref<float>().run(args, 0, gemm_nt_ref<float>().tasks(args));
    args.dst = actual.data();
    const GemmNtKernel<float>& kernel = select_gemm_nt(GetParam());
    kernel.run(args, 0, kernel.tasks(args));
    expect_near(actual, expected, 1e-6 + 6e-8 * static_cast<double>(c.depth));
  });
}

std::vector<float> packed_product(const cases::Gemm& c, const GemmPackedKernel& kernel) {
  const std::vector<float> a = values(c.rows * c.depth, 1), b = values(c.columns * c.depth, 2);
  std::vector<float> panels = zeros(kernel.panel_elements(c.columns, c.depth)),
                     dst = zeros(c.rows * c.columns);
  PackPanelsArgs pack;
  pack.columns = c.columns;
  pack.depth = pack.stride = c.depth;
  pack.transposed = true;
  pack.b = b.data();
  pack.dst = panels.data();
  kernel.pack(pack, 0, kernel.panels(c.columns));
  GemmPackedArgs args;
  args.rows = c.rows;
  args.columns = args.dst_stride = c.columns;
  args.depth = args.a_stride = c.depth;
  args.a = a.data();
  args.panels = panels.data();
  args.dst = dst.data();
  kernel.run(args, 0, kernel.tasks(args));
  return dst;
}

TEST_P(Cases, GemmPacked) {
  each(cases::kGemm, [](const cases::Gemm& c) {
    expect_near(packed_product(c, select_gemm_packed(GetParam())), packed_product(c, gemm_packed_ref()),
                1e-6 + 6e-8 * static_cast<double>(c.depth));
  });
}

TEST_P(Cases, Copy) {
  each(cases::kCopy, [](const cases::Copy& c) {
    const CopyArgs walk = simplify(args_of(c));
    const std::vector<float> src = values(src_elements(c), 1);
    const auto copied = [&](Target target) {
      std::vector<float> dst = zeros(walk.elements());
      const CopyKernel& kernel = select_copy(walk, sizeof(float), target);
      const CopyArgs args = kernel.prepare(walk);
      kernel.run(args, reinterpret_cast<const std::byte*>(src.data()),
                 reinterpret_cast<std::byte*>(dst.data()), 0, kernel.tasks(args));
      return dst;
    };
    EXPECT_EQ(copied(GetParam()), copied(Target::ref));
  });
}

std::vector<Target> fast_targets() {
  auto targets = test::targets();
  targets.erase(targets.begin());  // ref
  return targets;
}

INSTANTIATE_TEST_SUITE_P(Targets, Cases, testing::ValuesIn(fast_targets()),
                         [](const auto& target) { return std::string(to_string(target.param)); });

// Plain code against its formula.
TEST(MoveCases, Take) {
  for (const cases::Take& c : cases::kTake) {
    const std::vector<float> src = values(c.size * c.row, 1);
    std::vector<std::int64_t> indices;
    for (int64_t i = 0; i < c.count; ++i) indices.push_back(i * 7919 % c.size);
    std::vector<float> dst = zeros(c.count * c.row);
    take_rows({c.size, c.count, static_cast<std::size_t>(c.row) * sizeof(float)}, indices.data(),
              reinterpret_cast<const std::byte*>(src.data()), reinterpret_cast<std::byte*>(dst.data()), 0,
              c.count);
    for (int64_t i = 0; i < c.count; ++i) {
      ASSERT_EQ(std::memcmp(dst.data() + i * c.row, src.data() + indices[static_cast<std::size_t>(i)] * c.row,
                            static_cast<std::size_t>(c.row) * sizeof(float)),
                0)
          << c.label.name << ", row " << i;
    }
  }
}

TEST(MoveCases, Upsample) {
  for (const cases::Upsample& c : cases::kUpsample) {
    const int64_t side = c.size * c.scale, outputs = c.channels * side * side;
    const std::vector<float> src = values(c.channels * c.size * c.size, 1);
    std::vector<float> dst = zeros(outputs);
    select_upsample(sizeof(float))({c.channels, c.size, c.size, c.scale, outputs, 0},
                                   reinterpret_cast<const std::byte*>(src.data()),
                                   reinterpret_cast<std::byte*>(dst.data()), 0, c.channels * c.size);
    for (int64_t i = 0; i < outputs; ++i) {
      const int64_t x = i % side / c.scale, y = i / side % side / c.scale, plane = i / side / side;
      ASSERT_EQ(dst[static_cast<std::size_t>(i)],
                src[static_cast<std::size_t>((plane * c.size + y) * c.size + x)])
          << c.label.name << ", element " << i;
    }
  }
}

}  // namespace
}  // namespace mxinfer::kernels
