// The table of rates by CPU, and which convolutions follow from it.
#include "kernels/speed/cpu_rates.h"

#include <gtest/gtest.h>

#include <string>

#include "conv_problem.h"
#include "kernels/conv/conv.h"

namespace mxinfer::kernels {
namespace {

struct Cpu {
  const char* name;
  CpuModel model;
  Target target;
};

const Cpu kSapphireRapids{"Sapphire Rapids", {CpuVendor::intel, 6, 143}, Target::avx512};
const Cpu kEmeraldRapids{"Emerald Rapids", {CpuVendor::intel, 6, 207}, Target::avx512};
const Cpu kZen3{"Zen 3", {CpuVendor::amd, 25, 1}, Target::avx2};
const Cpu kZen4{"Zen 4", {CpuVendor::amd, 25, 17}, Target::avx512};
const Cpu kZen5{"Zen 5", {CpuVendor::amd, 26, 2}, Target::avx512};

TEST(CpuRates, FiveCpusHaveRowsOfTheirOwn) {
  for (const Cpu& cpu : {kSapphireRapids, kEmeraldRapids, kZen3, kZen4, kZen5}) {
    const MachineRates& rates = cpu_rates(cpu.model, cpu.target);
    EXPECT_NE(&rates, &cpu_rates({}, cpu.target)) << cpu.name;
    EXPECT_GT(rates.flops, rates.cache_bytes / 2) << cpu.name;
    EXPECT_GT(rates.cache_bytes, rates.memory_bytes) << cpu.name;
    EXPECT_EQ(rates.cores, 1) << cpu.name;
  }
}

TEST(CpuRates, OtherCpusShareOneRowForEachTarget) {
  const CpuModel unknown{CpuVendor::intel, 6, 1}, future{CpuVendor::amd, 99, 0};
  for (Target target : {Target::baseline, Target::avx2, Target::avx512}) {
    EXPECT_EQ(&cpu_rates(unknown, target), &cpu_rates({}, target));
    EXPECT_EQ(&cpu_rates(future, target), &cpu_rates({}, target));
  }
}

std::string chosen(ConvProblem s, const Cpu& cpu) {
  const char* reason = "";
  // The algorithms of the baseline are those of every target.
  return select_conv(test::completed(s), Target::baseline, &reason, cpu_rates(cpu.model, cpu.target)).name;
}

// Weights of Winograd's points come from memory, slowly on a Xeon, and are read again by each call.
TEST(CpuRates, LargeWeightsAreTransformedDuringTheCallWhereMemoryIsSlow) {
  const ConvProblem large = test::conv2d(256, 256, 14, 14, 3, 1, 1);
  EXPECT_EQ(chosen(large, kSapphireRapids), "conv_nhwc_winograd4_compact_f32");
  EXPECT_EQ(chosen(large, kEmeraldRapids), "conv_nhwc_winograd4_compact_f32");
  EXPECT_EQ(chosen(large, kZen5), "conv_nhwc_winograd4_f32");
}

TEST(CpuRates, SmallWeightsAreTransformedOnceOnEveryCpu) {
  const ConvProblem small = test::conv2d(64, 64, 56, 56, 3, 1, 1);
  for (const Cpu& cpu : {kSapphireRapids, kEmeraldRapids, kZen3, kZen4, kZen5})
    EXPECT_EQ(chosen(small, cpu), "conv_nhwc_winograd4_f32") << cpu.name;
}

TEST(CpuRates, ThisCpuIsReadTheSameEveryTime) {
  EXPECT_EQ(&this_cpu(), &this_cpu());
  for (Target target : {Target::baseline, Target::avx2, Target::avx512})
    EXPECT_EQ(&default_rates(target), &default_rates(target));
}

}  // namespace
}  // namespace mxinfer::kernels
