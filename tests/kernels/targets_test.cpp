// The target that is asked for is the one that runs: in every vectorised family each target of the CPU has a
// function of its own, and Target::ref has the reference.
#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cases/image_chain_cases.h"
#include "cases/pool_cases.h"
#include "kernels/elementwise/bfloat16.h"
#include "kernels/elementwise/binary.h"
#include "kernels/elementwise/unary.h"
#include "kernels/gemm/gemm.h"
#include "kernels/gemm/gemm_packed.h"
#include "kernels/int8/int8_convert.h"
#include "kernels/int8/int8_pool.h"
#include "kernels/normalize/lrn.h"
#include "kernels/normalize/row_norm.h"
#include "kernels/normalize/scale_shift.h"
#include "kernels/reduce/reduce.h"
#include "kernels/resize/resize.h"
#include "kernels/rnn/rnn_cell.h"
#include "kernels/softmax/softmax.h"
#include "support/run_op.h"

namespace mxinfer::kernels {
namespace {

/// A function's address, whatever its type.
using Address = void (*)();

template <typename Function>
Address address(Function* function) {
  return reinterpret_cast<Address>(function);
}

struct Family {
  std::string name;
  std::function<Address(Target)> selected;
  Address reference = nullptr;  ///< null if the reference has no name of its own
};

constexpr ElementType kFloat = ElementType::float32;

PoolArgs pool(bool channels_last, bool global) {
  PoolArgs args = args_of(cases::Pool{{"", ""}, cases::kMax, channels_last, 8, 6, 3, 2, 1});
  if (!global) return args;
  for (int d = 1; d < 3; ++d) {
    args.kernel[d] = args.in[d];
    args.out[d] = 1;
    args.pad[d] = 0;
  }
  return args;
}

Family pool_family(const std::string& name, const PoolArgs& args) {
  return {name, [=](Target target) { return address(select_pool(args, sizeof(float), target).run); },
          address(pool_ref(sizeof(float)))};
}

SoftmaxArgs softmax_of(std::int64_t inner) {
  SoftmaxArgs args;
  args.axis = 8;
  args.inner = inner;
  return args;
}

Family softmax_family(const std::string& name, std::int64_t inner) {
  return {name,
          [=](Target target) {
            return address(select_softmax(kFloat, kFloat, softmax_of(inner), false, target).run);
          },
          address(softmax_ref(kFloat, kFloat))};
}

ResizeArgs linear_bytes() {
  ResizeArgs args{};
  args.shape = {4, 4, 3, 3, 3};
  args.form = ResizeForm::taps;
  args.taps = 2;
  return args;
}

std::vector<Family> byte_families() {
  const PoolArgs args = pool(true, false);
  const auto pooling = [](PoolArgs pooled, PoolKind kind) {
    pooled.kind = kind;
    return [pooled](Target t) { return address(select_int8_pool(pooled, Int8Type::u8, t).run); };
  };
  return {
      {"quantize", [](Target t) { return address(select_quantize(Int8Type::s8, t)); },
       address(quantize_ref(Int8Type::s8))},
      {"dequantize", [](Target t) { return address(select_dequantize(Int8Type::u8, t)); },
       address(dequantize_ref(Int8Type::u8))},
      {"pool bytes by max", pooling(args, PoolKind::max), address(int8_pool_ref(Int8Type::u8).run)},
      {"pool bytes by mean", pooling(args, PoolKind::avg), address(int8_pool_ref(Int8Type::u8).run)},
  };
}

std::vector<Family> elementwise_families() {
  return {
      {"unary", [](Target t) { return address(select_unary("tanh", kFloat, t).run); },
       address(unary_ref("tanh", kFloat))},
      {"binary", [](Target t) { return address(select_binary("add", kFloat, t).rows); },
       address(binary_ref("add", kFloat).rows)},
      {"float32 to bfloat16", [](Target t) { return address(select_bfloat16_casts(t).from_float32); }},
      {"bfloat16 to float32", [](Target t) { return address(select_bfloat16_casts(t).to_float32); }},
      {"reduce rows", [](Target t) { return address(select_reduce("sum", kFloat, t).row); },
       address(reduce_ref("sum", kFloat).row)},
      {"reduce columns", [](Target t) { return address(select_reduce("sum", kFloat, t).columns); },
       address(reduce_ref("sum", kFloat).columns)},
      {"lstm", [](Target t) { return address(select_lstm_cell_f32(t)); }, address(lstm_cell_ref<float>)},
      {"gru", [](Target t) { return address(select_gru_cell_f32(t)); }, address(gru_cell_ref<float>)},
  };
}

std::vector<Family> other_families() {
  const RowNormFn<float> row_norm = row_norm_ref;
  const ScaleShiftFn<float> scale_shift = scale_shift_ref;
  const ScaleShiftFn<float, BFloat16> scale_shift_bf16 = scale_shift_ref;
  return {
      {"gemm as stored", [](Target t) { return address(select_gemm_nt(t).run); },
       address(gemm_nt_ref<float>().run)},
      {"gemm packed", [](Target t) { return address(select_gemm_packed(t).run); },
       address(gemm_packed_ref().run)},
      {"packing", [](Target t) { return address(select_gemm_packed(t).pack); },
       address(gemm_packed_ref().pack)},
      {"row norm", [](Target t) { return address(select_row_norm_f32(t)); }, address(row_norm)},
      {"lrn", [](Target t) { return address(select_lrn_f32(t)); }, address(lrn_ref)},
      {"scale and shift", [](Target t) { return address(select_scale_shift_f32(t)); }, address(scale_shift)},
      {"scale and shift bfloat16", [](Target t) { return address(select_scale_shift_bf16(t)); },
       address(scale_shift_bf16)},
      {"resize", [](Target t) { return address(select_resize_u8(linear_bytes(), t).run); }},
      {"image chain",
       [](Target t) {
         return address(select_image_chain(kFloat, args_of(cases::kImageChain[0], nullptr), t).run);
       }},
      {"pool bfloat16", [](Target t) { return address(select_pool(pool(true, false), 2, t).run); },
       address(pool_ref(2))},
      pool_family("pool rows", pool(false, false)),
      pool_family("pool channels", pool(true, false)),
      pool_family("pool global", pool(false, true)),
      softmax_family("softmax rows", 1),
      softmax_family("softmax columns", 9),
  };
}

TEST(Targets, EachHasAFunctionOfItsOwn) {
  std::vector<Family> families = elementwise_families();
  for (Family& family : other_families()) families.push_back(std::move(family));
  for (Family& family : byte_families()) families.push_back(std::move(family));
  for (const Family& family : families) {
    SCOPED_TRACE(family.name);
    std::map<Address, std::string> owners;
    for (Target target : test::targets()) {
      const Address function = family.selected(target);
      ASSERT_NE(function, nullptr);
      const auto [owner, is_new] = owners.emplace(function, to_string(target));
      EXPECT_TRUE(is_new) << to_string(target) << " runs the function of " << owner->second;
    }
    if (family.reference != nullptr) {
      EXPECT_EQ(family.selected(Target::ref), family.reference);
    }
  }
}

}  // namespace
}  // namespace mxinfer::kernels
