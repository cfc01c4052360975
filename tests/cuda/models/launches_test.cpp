// How many kernels and copies a call is: what is between the convolutions of a detector and its suppression
// is one launch.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/threads/thread_arena.h"
#include "cuda/support.h"
#include "ops/backend.h"
#include "pipeline/pipeline.h"
#include "runtime/executor.h"

namespace mxinfer {
namespace {

using graph::Value;
using test::GraphBuilder;
using Attributes = std::map<std::string, std::string>;

constexpr int kClasses = 3, kAnchors = 2;

// A graph of the operators that GluonCV's detectors are made of.
class DetectorGraph {
 public:
  GraphBuilder b;

  Value op(const std::string& name, const Attributes& attributes, const std::vector<Value>& inputs) {
    return b.op(name, attributes, inputs);
  }
  Value constant(const Shape& shape, float low = 0.1f, float high = 0.9f) {
    ++seed_;
    return b.parameter("constant" + std::to_string(seed_), test::random_tensor(shape, seed_, low, high));
  }
  Value convolution(Value x, int channels, int filters, int kernel, int stride = 1) {
    const auto pair = [](int n) { return "(" + std::to_string(n) + ", " + std::to_string(n) + ")"; };
    return op("Convolution",
              {{"kernel", pair(kernel)},
               {"stride", pair(stride)},
               {"pad", pair(kernel / 2)},
               {"num_filter", std::to_string(filters)},
               {"no_bias", "True"}},
              {x, constant({filters, channels, kernel, kernel}, -0.3f, 0.3f)});
  }
  Value leaky(Value x) { return op("LeakyReLU", {{"act_type", "leaky"}, {"slope", "0.1"}}, {x}); }
  Value part(Value x, int begin, int end) {
    return op("slice_axis", {{"axis", "-1"}, {"begin", std::to_string(begin)}, {"end", std::to_string(end)}},
              {x});
  }
  Value scaled(Value x, const char* by) { return op("_mul_scalar", {{"scalar", by}}, {x}); }

 private:
  unsigned seed_ = 0;
};

// GluonCV's YOLOOutputV3 for a feature map of side x side positions.
Value yolo_output(DetectorGraph& g, Value features, int channels, int side) {
  const int numbers = kClasses + 5;
  const std::string places = std::to_string(side * side);
  Value x = g.convolution(features, channels, kAnchors * numbers, 1);
  x = g.op("Reshape", {{"shape", "(0, " + std::to_string(kAnchors * numbers) + ", -1)"}}, {x});
  x = g.op("transpose", {{"axes", "(0, 2, 1)"}}, {x});
  x = g.op("Reshape",
           {{"shape", "(0, -1, " + std::to_string(kAnchors) + ", " + std::to_string(numbers) + ")"}}, {x});
  const Value offsets =
      g.op("Reshape", {{"shape", "(1, -1, 1, 2)"}},
           {g.op("slice_like", {{"axes", "(2, 3)"}}, {g.constant({1, 1, 16, 16, 2}), features})});
  const Value centers =
      g.scaled(g.op("broadcast_add", {}, {g.op("sigmoid", {}, {g.part(x, 0, 2)}), offsets}), "8");
  const Value sizes =
      g.op("broadcast_mul", {}, {g.op("exp", {}, {g.part(x, 2, 4)}), g.constant({1, 1, kAnchors, 2}, 4, 9)});
  const Value half = g.op("_div_scalar", {{"scalar", "2"}}, {sizes});
  const Value boxes =
      g.op("Concat", {{"dim", "-1"}, {"num_args", "2"}},
           {g.op("elemwise_sub", {}, {centers, half}), g.op("elemwise_add", {}, {centers, half})});
  const Value scores =
      g.op("broadcast_mul", {},
           {g.op("sigmoid", {}, {g.part(x, 5, numbers)}), g.op("sigmoid", {}, {g.part(x, 4, 5)})});
  const Value by_class =
      g.op("expand_dims", {{"axis", "-1"}}, {g.op("transpose", {{"axes", "(3, 0, 1, 2)"}}, {scores})});
  const Value ids =
      g.op("broadcast_add", {}, {g.scaled(by_class, "0"), g.constant({kClasses, 1, 1, 1, 1}, 0, 3)});
  const Value all = g.op("tile", {{"reps", "(" + std::to_string(kClasses) + ", 1, 1, 1, 1)"}}, {boxes});
  const Value found = g.op("Concat", {{"dim", "-1"}, {"num_args", "3"}}, {ids, by_class, all});
  return g.op("Reshape", {{"shape", "(0, -1, 6)"}},
              {g.op("transpose", {{"axes", "(1, 0, 2, 3, 4)"}}, {found})});
}

void add_detections(DetectorGraph& g, Value rows) {
  Value kept = g.op("_contrib_box_nms",
                    {{"overlap_thresh", "0.45"},
                     {"valid_thresh", "0.01"},
                     {"topk", "20"},
                     {"id_index", "0"},
                     {"score_index", "1"},
                     {"coord_start", "2"}},
                    {rows});
  kept = g.op("slice_axis", {{"axis", "1"}, {"begin", "0"}, {"end", "8"}}, {kept});
  g.b.head(g.part(kept, 0, 1));
  g.b.head(g.part(kept, 1, 2));
  g.b.head(g.part(kept, 2, 6));
}

graph::Graph yolo_like() {
  DetectorGraph g;
  Value x = g.leaky(g.convolution(g.b.input("data"), 3, 8, 3, 2));
  x = g.op("elemwise_add", {}, {x, g.leaky(g.convolution(x, 8, 8, 3))});  // a block of Darknet
  const Value route = x;
  const Value deep = g.leaky(g.convolution(x, 8, 16, 3, 2));
  const Value rows = yolo_output(g, deep, 16, 4);
  Value up = g.leaky(g.convolution(deep, 16, 8, 1));
  up = g.op("repeat", {{"axis", "-2"}, {"repeats", "2"}},
            {g.op("repeat", {{"axis", "-1"}, {"repeats", "2"}}, {up})});
  up = g.op("slice_like", {{"axes", "(2, 3)"}}, {up, route});
  const Value both = g.op("Concat", {{"dim", "1"}, {"num_args", "2"}}, {up, route});
  const Value more = yolo_output(g, g.leaky(g.convolution(both, 16, 8, 1)), 8, 8);
  add_detections(g, g.op("Concat", {{"dim", "1"}, {"num_args", "2"}}, {rows, more}));
  return g.b.graph();
}

// GluonCV's SSD: the heads of two feature maps, the decoders of classes and boxes.
graph::Graph ssd_like() {
  DetectorGraph g;
  const Value first =
      g.op("Activation", {{"act_type", "relu"}}, {g.convolution(g.b.input("data"), 3, 8, 3, 2)});
  const Value second = g.op("Activation", {{"act_type", "relu"}}, {g.convolution(first, 8, 16, 3, 2)});
  const auto flat = [&](Value x) {
    return g.op("Flatten", {}, {g.op("transpose", {{"axes", "(0, 2, 3, 1)"}}, {x})});
  };
  const auto heads = [&](int numbers) {
    const Value both[] = {flat(g.convolution(first, 8, kAnchors * numbers, 3)),
                          flat(g.convolution(second, 16, kAnchors * numbers, 3))};
    return g.op("Reshape", {{"shape", "(0, -1, " + std::to_string(numbers) + ")"}},
                {g.op("Concat", {{"dim", "1"}, {"num_args", "2"}}, {both[0], both[1]})});
  };
  const Value classes = g.op("softmax", {{"axis", "-1"}}, {heads(kClasses + 1)});
  const auto anchors = [&](Value features) {
    const Value all =
        g.op("slice_like", {{"axes", "(2, 3)"}}, {g.constant({1, 1, 16, 16, 4 * kAnchors}), features});
    return g.op("Reshape", {{"shape", "(1, -1)"}}, {all});
  };
  const Value boxes =
      g.op("_contrib_box_decode", {{"format", "center"}},
           {heads(4),
            g.op("Reshape", {{"shape", "(1, -1, 4)"}},
                 {g.op("Concat", {{"dim", "1"}, {"num_args", "2"}}, {anchors(first), anchors(second)})})});
  const Value scores = g.part(classes, 1, kClasses + 1);
  const Value is_likely = g.op("_greater_scalar", {{"scalar", "0.01"}}, {scores});
  const Value zero = g.scaled(g.part(scores, 0, 1), "0");
  const Value ids = g.op("broadcast_add", {}, {zero, g.constant({1, 1, kClasses}, 0, 3)});
  const Value no_class = g.scaled(g.op("ones_like", {}, {ids}), "-1");
  const Value found_ids = g.op("where", {}, {is_likely, ids, no_class});
  const Value found = g.op("where", {}, {is_likely, scores, g.op("zeros_like", {}, {scores})});
  std::vector<Value> rows;
  for (int c = 0; c < kClasses; ++c)
    rows.push_back(g.op("Concat", {{"dim", "-1"}, {"num_args", "3"}},
                        {g.part(found_ids, c, c + 1), g.part(found, c, c + 1), boxes}));
  add_detections(g, g.op("Concat", {{"dim", "1"}, {"num_args", std::to_string(kClasses)}}, rows));
  return g.b.graph();
}

// The launches and copies of a call, which gives what the CPU gives. 0: the library does not count them.
unsigned long long launches_of_call(graph::Graph graph, const Tensor& data, std::vector<StepInfo>* steps) {
  plan::PlanOptions options = test::cuda_plan_options();
  passes::Goal goal{options.target, kernels::Precision::float32};
  goal.device = device::Kind::cuda;
  const std::vector<ops::TensorType> types{{data.dtype(), data.shape()}};
  plan::WeightStore weights, reference_weights;
  plan::PlanOptions reference{kernels::Target::ref, 1};
  const auto expected = test::run_on(plan::make_plan(graph, types, reference, reference_weights), {&data});
  pipeline::optimise(graph, goal);
  options.cpu_fallback = false;
  const auto made = plan::make_plan(graph, types, options, weights);
  *steps = made->info.steps;
  const std::vector<Tensor> outputs = test::run_on(made, {&data});
  EXPECT_EQ(outputs.size(), expected.size());
  for (std::size_t o = 0; o < expected.size(); ++o) test::expect_close(expected[o], outputs[o], 1e-4, o);
  const auto before = test::all_launches();
  test::run_on(made, {&data});  // twice: nothing is packed any more
  return before ? (*test::all_launches() - *before) / 2 : 0;
}

int runs(const std::vector<StepInfo>& steps) {
  int count = 0;
  for (const StepInfo& step : steps) count += step.kernel != "alias" ? 1 : 0;
  return count;
}

TEST(LaunchesOnCuda, OfAYoloLikeDetector) {
  std::vector<StepInfo> steps;
  const Tensor data = test::random_tensor({1, 3, 16, 16}, 5);
  const auto launches = launches_of_call(yolo_like(), data, &steps);
  // 7 convolutions, what is up-sampled beside what it joins, all boxes, the suppression, the outputs; the
  // copies of the input and of the outputs.
  EXPECT_EQ(runs(steps), 13);
  EXPECT_LE(launches, 20u);
}

TEST(LaunchesOnCuda, OfAnSsdLikeDetector) {
  std::vector<StepInfo> steps;
  const Tensor data = test::random_tensor({1, 3, 16, 16}, 6);
  const auto launches = launches_of_call(ssd_like(), data, &steps);
  // 6 convolutions, softmax, the boxes, all rows, the suppression, the outputs; the copies of the input and
  // of the outputs.
  EXPECT_EQ(runs(steps), 13);
  EXPECT_LE(launches, 20u);
}

}  // namespace
}  // namespace mxinfer
