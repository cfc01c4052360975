#include "ops/fused/move_recorder.h"

namespace mxinfer::ops {
namespace {

class MoveRecorder final : public LowerContext {
 public:
  MoveRecorder(const graph::Node& node, const std::vector<TensorType>& inputs,
               const std::vector<TensorType>& outputs)
      : node_(node), inputs_(inputs), outputs_(outputs) {}

  std::vector<CopyJob> take() { return std::move(jobs_); }

  const graph::Node& node() const override { return node_; }
  std::size_t num_inputs() const override { return inputs_.size(); }
  const TensorType& input(std::size_t i) const override { return inputs_.at(i); }
  std::size_t num_outputs() const override { return outputs_.size(); }
  const TensorType& output(std::size_t i) const override { return outputs_.at(i); }
  bool is_constant(std::size_t) const override { return false; }
  kernels::Target target() const override { return kernels::Target::ref; }
  int threads() const override { return 1; }
  bool is_on_device() const override { return true; }
  const Tensor* constant(std::size_t) const override { return nullptr; }
  const std::byte* packed(std::size_t, const std::string&, std::size_t, const Pack&) override {
    fail(ErrorCode::internal, "it packs weights, and does not only move elements");
  }
  void alias(std::size_t o, std::size_t i, std::size_t offset) override {
    Walk walk(Shape{output(o).shape.elements()});
    walk.src_offset = static_cast<std::int64_t>(offset / size_of(output(o).dtype));
    jobs_.push_back({i, o, std::move(walk)});
  }
  void may_place(std::size_t, std::size_t, std::size_t) override {}
  void may_overwrite(std::size_t, std::size_t) override {}
  bool takes_moves(const std::vector<CopyJob>& jobs) override {
    jobs_ = jobs;
    return true;
  }

 private:
  const graph::Node& node_;
  const std::vector<TensorType>&inputs_, &outputs_;
  std::vector<CopyJob> jobs_;
};

}  // namespace

std::vector<CopyJob> recorded_moves(const graph::Node& node, const std::vector<TensorType>& inputs,
                                    const std::vector<TensorType>& outputs) {
  MoveRecorder recorder(node, inputs, outputs);
  node.op->lower(recorder);
  return recorder.take();
}

}  // namespace mxinfer::ops
