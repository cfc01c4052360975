// Bundles hold packed weights under the names of packings, so a name stands for the same bytes from version
// to version. If this test fails because a packing has changed, give it another name, or raise kPackedFormat
// (formats/archive/packed_index.h); then record its checksum here.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/checksum.h"
#include "kernels/conv/conv.h"
#include "kernels/conv_problem.h"
#include "support/run_op.h"

namespace mxinfer::test {
namespace {

using Sums = std::map<std::string, std::uint64_t>;

// Sums of them are exact, however a compiler orders and contracts them.
std::vector<float> small_numbers(std::int64_t count) {
  std::mt19937 generator(7);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) value = static_cast<float>(static_cast<int>(generator() % 63) - 31) * 576;
  return values;
}

std::vector<ConvProblem> problems() {
  std::vector<ConvProblem> list;
  for (const kernels::ConvType type : {kernels::ConvType::float32, kernels::ConvType::bfloat16}) {
    ConvProblem wide = completed(conv2d(24, 40, 14, 14, 3));
    wide.type = type;
    list.push_back(wide);
  }
  ConvProblem depthwise = conv2d(20, 20, 14, 14, 3);
  depthwise.groups = 20;
  list.push_back(completed(depthwise));
  return list;
}

Sums of_targets() {
  Sums sums;
  for (const Target target : vector_targets()) {
    for (const ConvProblem& problem : problems()) {
      const std::vector<float> weight = small_numbers(problem.weight_elements());
      for (const auto& [impl, reason] : kernels::conv_candidates(problem, target)) {
        if (impl->packing == nullptr) continue;
        std::vector<std::byte> packed(impl->packed_bytes(problem));
        impl->pack(problem, weight.data(), packed.data());
        const std::uint64_t sum = checksum64(packed.data(), packed.size());
        const auto [known, is_new] =
            sums.emplace(impl->packing + (", groups " + std::to_string(problem.groups)), sum);
        EXPECT_EQ(known->second, sum)
            << impl->name << " of " << kernels::to_string(target) << " shares " << impl->packing;
      }
    }
  }
  return sums;
}

const Sums& recorded() {
  static const Sums sums = {
      {"bfloat16 pairs, panels of 32 filters, groups 1", 0x9c5dec3d64bcb680},
      {"conv_nhwc panels of 16 filters, groups 1", 0x70dc6664c54df92a},
      {"conv_nhwc panels of 2 filters, groups 1", 0x60307767496c0ccb},
      {"conv_nhwc panels of 64 filters, groups 1", 0x32cbb262c529b8e8},
      {"conv_nhwc_depthwise blocks of 16 channels, groups 20", 0xab6cf62475418b10},
      {"conv_nhwc_depthwise single channels, groups 20", 0x515edca3d53abbc2},
      {"conv_nhwc_winograd filters in panels of 16, groups 1", 0xfa907ab7f6c3cf01},
      {"conv_nhwc_winograd filters in panels of 2, groups 1", 0xa0ce3a625cdaee06},
      {"conv_nhwc_winograd filters in panels of 64, groups 1", 0x344789bf7c8bd368},
      {"conv_nhwc_winograd2 panels of 16 filters, groups 1", 0x5a8454b5712160c4},
      {"conv_nhwc_winograd2 panels of 2 filters, groups 1", 0x285b4b6606a2f7e1},
      {"conv_nhwc_winograd2 panels of 64 filters, groups 1", 0xf5a82a43212b16a8},
      {"conv_nhwc_winograd4 panels of 16 filters, groups 1", 0xfd44c4d2b6094efc},
      {"conv_nhwc_winograd4 panels of 2 filters, groups 1", 0xc50edaa350250c4c},
      {"conv_nhwc_winograd4 panels of 64 filters, groups 1", 0xf8c2873c221d4fee},
  };
  return sums;
}

// Of those that this CPU's kernels have; other CPUs have others besides.
TEST(PackedFormat, APackingKeepsItsBytesUnderItsName) {
  std::size_t known = 0;
  for (const auto& [packing, sum] : of_targets()) {
    const auto found = recorded().find(packing);
    if (found == recorded().end()) continue;
    ++known;
    EXPECT_EQ(found->second, sum) << "{\"" << packing << "\", 0x" << std::hex << sum << "},";
  }
  EXPECT_GT(known, 0U);
}

}  // namespace
}  // namespace mxinfer::test
