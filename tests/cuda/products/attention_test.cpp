// The kernels of attention by themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <ostream>
#include <random>
#include <sstream>
#include <type_traits>
#include <vector>

#include "cuda/device_values.h"
#include "cuda/support.h"
#include "kernels/attention/attention_cuda.h"

namespace mxinfer::test {
namespace {

namespace cuda = kernels::cuda;
using kernels::AttentionArgs;
using kernels::AttentionMasking;
using kernels::AttentionRows;
using kernels::ElementType;
using kernels::FloatType;

struct AttentionProblem {
  FloatType type = FloatType::float16;
  std::int64_t width = 64, queries = 70, keys = 0;  ///< keys 0: as many as queries
  std::int64_t batch = 2, heads = 2, value_width = 0;
  bool interleaved = false;  ///< as projections have them, or a matrix for each head
  AttentionMasking masking = AttentionMasking::none;
  ElementType mask_type = ElementType::int32;
  bool broadcasts = false;  ///< one mask for all queries and heads
  bool multiplies = false;
  float fill = -1e18f;
  std::size_t shift = 0;  ///< elements before the data
  bool by_rows = false;   ///< by the kernel of any width
};

std::ostream& operator<<(std::ostream& os, const AttentionProblem& p) {
  return os << kernels::short_name(p.type) << ", " << p.queries << " x " << p.keys << " of " << p.width
            << ", batch " << p.batch << " x " << p.heads << ", interleaved " << p.interleaved << ", mask "
            << static_cast<int>(p.masking) << " of type " << static_cast<int>(p.mask_type) << ", broadcasts "
            << p.broadcasts << ", multiplies " << p.multiplies << ", shift " << p.shift << ", by rows "
            << p.by_rows;
}

std::vector<float> attention_numbers(std::int64_t count, unsigned seed, float limit) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> numbers(-limit, limit);
  std::vector<float> values(static_cast<std::size_t>(count));
  std::generate(values.begin(), values.end(), [&] { return numbers(engine); });
  return values;
}

class AttentionRun {
 public:
  explicit AttentionRun(AttentionProblem p) : p_(p), device_(device::CudaDevice::open(0)) {
    if (p_.keys == 0) p_.keys = p_.queries;
    if (p_.value_width == 0) p_.value_width = p_.width;
    args_.batch = p_.batch;
    args_.heads = p_.heads;
    args_.queries = p_.queries;
    args_.keys = p_.keys;
    args_.width = p_.width;
    args_.value_width = p_.value_width;
    args_.type = p_.type;
    args_.scale = 1 / std::sqrt(static_cast<float>(p_.width));
    lay_out();
    make_mask();
  }

  void expect_as_on_cpu() {
    const std::vector<float> expected = on_cpu();
    for_each_schedule([&] {
      const std::vector<float> first = on_gpu();
      ASSERT_EQ(first.size(), expected.size());
      double largest = 0;
      for (float x : expected) largest = std::max(largest, std::fabs(static_cast<double>(x)));
      for (std::size_t i = 0; i < expected.size(); ++i) {
        if (std::isnan(expected[i])) {
          ASSERT_TRUE(std::isnan(first[i])) << i;
          continue;
        }
        ASSERT_NEAR(first[i], expected[i], tolerance() * largest + 1e-6) << i;
      }
    });
  }

  AttentionArgs& args() { return args_; }

 private:
  double tolerance() const {
    if (p_.type == FloatType::float32) return p_.by_rows ? 1e-5 : 2e-3;
    return 4 * storing_error(p_.type);
  }

  void lay_out() {
    const std::int64_t n = p_.batch, h = p_.heads;
    if (p_.interleaved) {
      const std::int64_t word = n * h * 3 * p_.width, head = 3 * p_.width;
      args_.q = args_.k = args_.v = {nullptr, h * head, head, word};
      args_.out = {nullptr, h * p_.width, p_.width, n * h * p_.width};
      q_ = rounded_to(attention_numbers(p_.queries * word, 1, 2), p_.type);
    } else {
      const auto matrices = [&](std::int64_t rows, std::int64_t width) {
        return AttentionRows{nullptr, h * rows * width, rows * width, width};
      };
      args_.q = matrices(p_.queries, p_.width);
      args_.k = matrices(p_.keys, p_.width);
      args_.v = matrices(p_.keys, p_.value_width);
      args_.out = matrices(p_.queries, p_.value_width);
      q_ = rounded_to(attention_numbers(n * h * p_.queries * p_.width, 1, 2), p_.type);
      k_ = rounded_to(attention_numbers(n * h * p_.keys * p_.width, 2, 2), p_.type);
      v_ = rounded_to(attention_numbers(n * h * p_.keys * p_.value_width, 3, 2), p_.type);
    }
  }

  void make_mask() {
    kernels::AttentionMask& mask = args_.mask;
    mask.masking = p_.masking;
    mask.type = p_.mask_type;
    mask.multiplies = p_.multiplies;
    mask.fill = p_.fill;
    if (p_.masking == AttentionMasking::none) return;
    mask.key = p_.masking == AttentionMasking::lengths ? 0 : 1;
    mask.query = p_.masking == AttentionMasking::lengths ? 1 : p_.keys;
    mask.head = p_.queries * mask.query;
    mask.batch = p_.heads * mask.head;
    std::int64_t count = p_.batch * mask.batch;
    if (p_.broadcasts) {
      mask.query = mask.head = 0;
      mask.batch = p_.keys;
      count = p_.batch * p_.keys;
    }
    std::mt19937 engine(9);
    for (std::int64_t i = 0; i < count; ++i) {
      const auto number = static_cast<std::int64_t>(engine());
      if (p_.masking == AttentionMasking::lengths) {
        // Behind each other alike, with some of none and some of too many.
        mask_.push_back(static_cast<double>(number % (p_.keys + 3) - 1));
      } else if (p_.masking == AttentionMasking::add) {
        mask_.push_back(number % 3 == 0 ? static_cast<double>(p_.fill)
                                        : static_cast<double>(number % 100) / 50);
      } else {
        // A query without keys, too.
        const bool none = i / p_.keys % 7 == 3;
        mask_.push_back(none || number % 3 == 0 ? 0 : 1);
      }
    }
  }

  std::vector<std::byte> mask_bytes() const {
    std::vector<std::byte> bytes;
    kernels::with_mask_elements(p_.mask_type, [&](auto elements) {
      using M = std::remove_cv_t<std::remove_reference_t<decltype(*elements)>>;
      for (double x : mask_) {
        const M value = static_cast<M>(x);
        const auto* from = reinterpret_cast<const std::byte*>(&value);
        bytes.insert(bytes.end(), from, from + sizeof value);
      }
    });
    return bytes;
  }

  std::size_t results() const {
    return static_cast<std::size_t>(p_.batch * p_.heads * p_.queries * p_.value_width);
  }

  /// Addresses of q, k and v from those of their arrays.
  void set_data(const void* q, const void* k, const void* v) {
    const auto behind = [&](std::int64_t elements, FloatType type) {
      return static_cast<const char*>(q) + elements * static_cast<std::int64_t>(kernels::bytes_of(type));
    };
    const FloatType type = args_.type;
    args_.q.data = q;
    args_.k.data = p_.interleaved ? behind(p_.width, type) : k;
    args_.v.data = p_.interleaved ? behind(2 * p_.width, type) : v;
  }

  std::vector<float> on_cpu() {
    const FloatType type = args_.type;
    args_.type = FloatType::float32;
    set_data(q_.data(), k_.data(), v_.data());
    std::vector<float> dst(results()), scratch(static_cast<std::size_t>(p_.keys));
    const std::vector<std::byte> mask = mask_bytes();
    args_.mask.data = mask.data();
    args_.dst = dst.data();
    kernels::attention_ref(args_, scratch.data(), 0, args_.lines());
    args_.type = type;
    return dst;
  }

  std::vector<float> on_gpu() {
    const auto stream = device_->new_stream();
    const DeviceValues q(*device_, *stream, q_, p_.type, p_.shift),
        k(*device_, *stream, k_, p_.type, p_.shift), v(*device_, *stream, v_, p_.type, p_.shift),
        dst(*device_, *stream, std::vector<float>(results(), 7), p_.type, p_.shift);
    const std::vector<std::byte> bytes = mask_bytes();
    const auto mask = device_->allocate(std::max<std::size_t>(bytes.size(), 1));
    if (!bytes.empty()) stream->copy_to_device(mask->data(), bytes.data(), bytes.size());
    stream->synchronize();
    set_data(q.data(), k.data(), v.data());
    args_.mask.data = mask->data();
    args_.dst = dst.data();
    const auto& gpu = device_->properties();
    const cuda::AttentionPlan plan =
        p_.by_rows ? cuda::AttentionPlan{}
                   : cuda::plan_attention(args_, kernels::Precision::tf32, {gpu.shared_bytes, gpu.major});
    const auto& native = static_cast<device::CudaStream&>(*stream).native();
    device_->check(device_->kernels().attention(args_, plan, native), "attention");
    return dst.values(*stream);
  }

  AttentionProblem p_;
  std::shared_ptr<device::CudaDevice> device_;
  AttentionArgs args_;
  std::vector<float> q_, k_, v_;
  std::vector<double> mask_;
};

void expect_attention(const AttentionProblem& problem) {
  std::ostringstream text;
  text << problem;
  SCOPED_TRACE(text.str());
  AttentionRun(problem).expect_as_on_cpu();
}

/// The types that cuda:0 has tensor instructions for.
std::vector<FloatType> attention_types() {
  std::vector<FloatType> types = half_types();
  if (device::CudaDevice::open(0)->has_precision(kernels::Precision::tf32))
    types.push_back(FloatType::float32);
  return types;
}

TEST(CudaAttention, WidthsOfHeads) {
  for (const FloatType type : attention_types()) {
    for (const std::int64_t width : {8, 20, 32, 33, 64, 80, 96, 128, 160, 256})
      expect_attention({.type = type, .width = width, .queries = 67, .batch = 1});
  }
}

TEST(CudaAttention, NumbersOfWords) {
  for (const FloatType type : attention_types()) {
    for (const std::int64_t words : {1, 2, 15, 16, 63, 64, 65, 128, 200})
      expect_attention({.type = type, .width = 64, .queries = words, .batch = 1, .interleaved = true});
  }
}

TEST(CudaAttention, MoreKeysThanQueriesAndFewer) {
  for (const FloatType type : attention_types()) {
    expect_attention({.type = type, .width = 32, .queries = 1, .keys = 130});
    expect_attention({.type = type, .width = 32, .queries = 70, .keys = 3});
    expect_attention({.type = type, .width = 24, .queries = 5, .keys = 65, .value_width = 70});
    expect_attention({.type = type, .width = 72, .queries = 5, .keys = 65, .value_width = 9});
  }
}

TEST(CudaAttention, HeadsOfAProjection) {
  for (const FloatType type : attention_types()) {
    for (const std::int64_t width : {12, 64, 100})
      expect_attention(
          {.type = type, .width = width, .queries = 66, .batch = 3, .heads = 3, .interleaved = true});
  }
}

TEST(CudaAttention, Lengths) {
  for (const FloatType type : attention_types()) {
    for (const ElementType of : {ElementType::int32, ElementType::int64, ElementType::int8}) {
      for (const std::int64_t words : {3, 70, 120}) {
        for (const bool broadcasts : {false, true}) {
          AttentionProblem p{.type = type, .queries = words, .interleaved = true};
          p.masking = AttentionMasking::lengths;
          p.mask_type = of;
          p.broadcasts = broadcasts;
          expect_attention(p);
        }
      }
    }
  }
}

TEST(CudaAttention, MasksThatReplaceScores) {
  for (const FloatType type : attention_types()) {
    for (const ElementType of : {ElementType::float32, ElementType::int32, ElementType::uint8,
                                 ElementType::float64, ElementType::int64}) {
      for (const float fill : {-1e18f, -1e4f, -3.4e38f}) {
        AttentionProblem p{.type = type, .queries = 70, .keys = 90};
        p.masking = AttentionMasking::where;
        p.mask_type = of;
        p.fill = fill;
        p.multiplies = of == ElementType::float32;
        expect_attention(p);
        p.broadcasts = true;
        p.multiplies = false;
        expect_attention(p);
      }
    }
  }
}

TEST(CudaAttention, MasksThatAreAdded) {
  for (const FloatType type : attention_types()) {
    for (const float fill : {-1e18f, -3.4e38f, -1e4f}) {
      for (const std::int64_t width : {32, 128, 256}) {
        AttentionProblem p{.type = type, .width = width, .queries = 66, .batch = 1};
        p.masking = AttentionMasking::add;
        p.mask_type = ElementType::float32;
        p.fill = fill;
        expect_attention(p);
        p.broadcasts = true;
        expect_attention(p);
      }
    }
  }
}

// Keys of a whole step may have no score, before others have one.
TEST(CudaAttention, MinusInfinity) {
  AttentionProblem p{.width = 32, .queries = 5, .keys = 200, .batch = 1};
  p.masking = AttentionMasking::add;
  p.mask_type = ElementType::float32;
  p.fill = -INFINITY;
  expect_attention(p);
}

TEST(CudaAttention, AddressesThatAreNoVectors) {
  for (const FloatType type : attention_types()) {
    expect_attention({.type = type, .width = 64, .queries = 66, .shift = 1});
    expect_attention({.type = type, .width = 36, .queries = 66, .interleaved = true, .shift = 1});
  }
}

TEST(CudaAttention, RowsOfAnyWidth) {
  for (const FloatType type : {FloatType::float32, FloatType::float16}) {
    for (const std::int64_t width : {1, 20, 130, 300}) {
      AttentionProblem p{.type = type, .width = width, .queries = 5, .keys = 9, .by_rows = true};
      expect_attention(p);
      p.masking = AttentionMasking::lengths;
      expect_attention(p);
      p.masking = AttentionMasking::where;
      p.mask_type = ElementType::float32;
      p.multiplies = true;
      expect_attention(p);
      p.masking = AttentionMasking::add;
      p.multiplies = false;
      expect_attention(p);
    }
  }
}

TEST(CudaAttention, PlansFollowTheGpu) {
  AttentionArgs args;
  args.width = args.value_width = 64;
  args.type = FloatType::float16;
  const cuda::AttentionGpu turing{std::size_t{64} << 10, 7}, hopper{std::size_t{227} << 10, 9};
  const auto name = [&](const cuda::AttentionGpu& gpu, kernels::Precision precision) {
    return cuda::name_of(cuda::plan_attention(args, precision, gpu), args);
  };
  EXPECT_EQ(name(turing, kernels::Precision::float32), "attention_64_f16");
  args.width = args.value_width = 200;
  EXPECT_EQ(name(turing, kernels::Precision::float32), "attention_rows_f16");
  EXPECT_EQ(name(hopper, kernels::Precision::float32), "attention_256_f16");
  args.width = 257;
  EXPECT_EQ(name(hopper, kernels::Precision::float32), "attention_rows_f16");
  args.width = 90;
  args.value_width = 8;
  args.type = FloatType::float32;
  EXPECT_EQ(name(hopper, kernels::Precision::tf32), "attention_96_tf32");
  EXPECT_EQ(name(hopper, kernels::Precision::float32), "attention_rows_f32");
  EXPECT_EQ(name(turing, kernels::Precision::tf32), "attention_rows_f32");
}

}  // namespace
}  // namespace mxinfer::test
