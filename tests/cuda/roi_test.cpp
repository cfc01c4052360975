// Poolings of regions on a GPU.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cuda/halves.h"

namespace mxinfer {
namespace {

using Attributes = std::map<std::string, std::string>;
constexpr std::int64_t kRegions = 40;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Regions of a map of 13 x 17 pixels at a scale of 0.25: inside, across its edges, outside, turned over.
Tensor regions() {
  const Tensor numbers = test::random_tensor({kRegions, 5}, 1, 0, 1);
  Tensor rois(DType::float32, {kRegions, 5});
  for (std::int64_t i = 0; i < kRegions; ++i) {
    const float* n = numbers.data<float>() + i * 5;
    float* roi = rois.data<float>() + i * 5;
    roi[0] = n[0] < 0.5f ? 0.0f : 1.0f;
    for (int axis = 0; axis < 2; ++axis) {
      roi[1 + axis] = n[1 + axis] * 80 - 20;
      roi[3 + axis] = roi[1 + axis] + n[3 + axis] * 70 - 5;
    }
  }
  return rois;
}

Attributes pooled(Attributes attrs) {
  attrs.emplace("pooled_size", "(4, 3)");
  attrs.emplace("spatial_scale", "0.25");
  return attrs;
}

TEST(RoiOnCuda, Align) {
  const Tensor data = test::random_tensor({2, 3, 13, 17}, 2),
               grouped = test::random_tensor({2, 36, 13, 17}, 3);
  Tensor rois = regions();
  float* roi = rois.data<float>();
  roi[5] = -1;  // no image
  roi[11] = kNan;
  roi[16] = -300000;  // more samples than there are pixels
  roi[18] = 300000;
  for (const char* samples : {"-1", "1", "2", "5"}) {
    for (const char* aligned : {"0", "1"}) {
      SCOPED_TRACE(testing::Message() << "sample_ratio " << samples << ", aligned " << aligned);
      const Attributes attrs = pooled({{"sample_ratio", samples}, {"aligned", aligned}});
      test::expect_as_on_cpu("_contrib_ROIAlign", attrs, {&data, &rois});
      Attributes sensitive = attrs;
      sensitive.emplace("position_sensitive", "1");
      test::expect_as_on_cpu("_contrib_ROIAlign", sensitive, {&grouped, &rois});
    }
  }
}

TEST(RoiOnCuda, Maximum) {
  Tensor data = test::random_tensor({2, 5, 13, 17}, 4), rois = regions();
  data.data<float>()[20] = kNan;
  data.data<float>()[40] = -std::numeric_limits<float>::infinity();
  rois.data<float>()[5] = -1;
  rois.data<float>()[10] = 2;
  rois.data<float>()[16] = 4e9f;
  test::expect_as_on_cpu("ROIPooling", pooled({}), {&data, &rois}, {.tolerance = 0});
}

TEST(RoiOnCuda, PositionSensitiveAverage) {
  const Tensor data = test::random_tensor({2, 32, 13, 17}, 5), rois = regions();
  for (const char* groups : {"0", "2", "3"}) {
    const Attributes attrs{
        {"pooled_size", "3"}, {"output_dim", "3"}, {"group_size", groups}, {"spatial_scale", "0.25"}};
    test::expect_as_on_cpu("_contrib_PSROIPooling", attrs, {&data, &rois});
  }
}

/// Regions of the same map that are turned: around its middle, its corners, outside of it.
Tensor turned_regions() {
  const Tensor numbers = test::random_tensor({kRegions, 6}, 7, 0, 1);
  Tensor rois(DType::float32, {kRegions, 6});
  for (std::int64_t i = 0; i < kRegions; ++i) {
    const float* n = numbers.data<float>() + i * 6;
    const float roi[] = {n[0] < 0.5f ? 0.0f : 1.0f, n[1] * 80 - 10, n[2] * 70 - 10, n[3] * 60, n[4] * 50,
                         n[5] * 720 - 360};
    std::copy(roi, roi + 6, rois.data<float>() + i * 6);
  }
  for (std::int64_t i = 0; i < 8; ++i) rois.data<float>()[i * 6 + 5] = static_cast<float>(i) * 90 - 180;
  return rois;
}

TEST(RoiOnCuda, Rotated) {
  const Tensor data = test::random_tensor({2, 5, 13, 17}, 2), dot = test::random_tensor({2, 3, 1, 1}, 3);
  Tensor rois = turned_regions();
  rois.data<float>()[9] = -4;  // no width, and one larger than the map
  rois.data<float>()[16] = 900;
  for (const char* samples : {"-1", "0", "1", "2", "5"}) {
    SCOPED_TRACE(testing::Message() << "sampling_ratio " << samples);
    const Attributes attrs = pooled({{"sampling_ratio", samples}});
    test::expect_as_on_cpu("_contrib_RROIAlign", attrs, {&data, &rois});
    test::expect_as_on_cpu("_contrib_RROIAlign", attrs, {&dot, &rois});
  }
  test::expect_in_halves("_contrib_RROIAlign", pooled({}), {&data, &rois});
}

TEST(RoiOnCuda, DeformablePositionSensitiveAverage) {
  const Tensor data = test::random_tensor({2, 54, 13, 17}, 5);
  const Tensor rois = regions();
  for (const char* groups : {"1", "3"}) {
    for (const char* parts : {"0", "1", "2", "5"}) {
      for (const char* samples : {"1", "4"}) {
        SCOPED_TRACE(testing::Message()
                     << groups << " groups, " << parts << " parts, " << samples << " samples");
        Attributes attrs{{"pooled_size", "3"}, {"output_dim", "6"},       {"group_size", groups},
                         {"part_size", parts}, {"spatial_scale", "0.25"}, {"sample_per_part", samples},
                         {"trans_std", "0.25"}};
        const std::int64_t size = parts[0] == '0' ? 3 : parts[0] - '0';
        for (const std::int64_t classes : {1, 2, 6}) {
          Tensor trans = test::random_tensor({kRegions, 2 * classes, size, size}, 6, -2, 2);
          trans.data<float>()[1] = kNan;
          trans.data<float>()[trans.elements() - 1] = std::numeric_limits<float>::infinity();
          test::expect_as_on_cpu("_contrib_DeformablePSROIPooling", attrs, {&data, &rois, &trans});
        }
        attrs["no_trans"] = "True";
        test::expect_as_on_cpu("_contrib_DeformablePSROIPooling", attrs, {&data, &rois});
      }
    }
  }
  const Tensor trans = test::random_tensor({kRegions, 2, 3, 3}, 6);
  test::expect_in_halves("_contrib_DeformablePSROIPooling",
                         {{"pooled_size", "3"},
                          {"output_dim", "6"},
                          {"group_size", "3"},
                          {"spatial_scale", "0.25"},
                          {"sample_per_part", "3"},
                          {"trans_std", "0.1"}},
                         {&data, &rois, &trans});
}

// The CPU ends such a run with an error, which a GPU cannot.
TEST(RoiOnCuda, RegionsOfNoImageAreNotANumber) {
  const Tensor data = test::random_tensor({2, 32, 13, 17}, 6);
  const Tensor upright = test::tensor_of<float>({2, 5}, {2, 4, 4, 30, 30, 1, 4, 4, 30, 30});
  const Tensor turned = test::tensor_of<float>({2, 6}, {2, 4, 4, 30, 30, 45, 1, 4, 4, 30, 30, 45});
  const Tensor far = test::tensor_of<float>({2, 6}, {1, 4, kNan, 30, 30, 45, 1, 4, 4, 30, 30, 45});
  const Tensor large = test::tensor_of<float>({2, 6}, {1, 4, 4, 30, 1e5f, 45, 1, 4, 4, 30, 30, 45});
  const Attributes sensitive{{"pooled_size", "2"}, {"output_dim", "3"}, {"spatial_scale", "0.25"}};
  Attributes deformable = sensitive;
  deformable.insert({{"no_trans", "True"}, {"group_size", "2"}});
  struct Case {
    const char* op;
    Attributes attrs;
    const Tensor& rois;
  };
  for (const auto& [op, attrs, rois] :
       {Case{"_contrib_ROIAlign", pooled({}), upright}, Case{"_contrib_PSROIPooling", sensitive, upright},
        Case{"_contrib_DeformablePSROIPooling", deformable, upright},
        Case{"_contrib_RROIAlign", pooled({}), turned}, Case{"_contrib_RROIAlign", pooled({}), far},
        Case{"_contrib_RROIAlign", pooled({}), large}}) {
    SCOPED_TRACE(op);
    const test::OneOperator graph = test::one_operator(op, attrs, {&data, &rois});
    plan::WeightStore weights;
    const auto plan =
        plan::make_plan(graph.graph, {{data.dtype(), data.shape()}, {rois.dtype(), rois.shape()}},
                        test::cuda_plan_options(), weights);
    ASSERT_TRUE(test::runs_on_cuda(*plan));
    const Tensor output = std::move(test::run_on(plan, graph.inputs)[0]);
    const std::int64_t half = output.shape().elements() / 2;
    for (std::int64_t i = 0; i < 2 * half; ++i) EXPECT_EQ(std::isnan(output.data<float>()[i]), i < half) << i;
  }
}

}  // namespace
}  // namespace mxinfer
