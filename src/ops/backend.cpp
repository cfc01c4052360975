#include "ops/backend.h"

namespace mxinfer::ops {
namespace {

class CpuBackend final : public Backend {
 public:
  std::string_view name() const override { return "cpu"; }
  Implementations implementations(const OpProblem& node) const override {
    const OpDef& op = *node.node().op;
    if (op.implementations) return op.implementations(node);
    Implementation only;
    only.name = op.name;
    only.lower = op.lower;
    return {{}, {only}};
  }
  bool takes_strided_input(const graph::Node& node, const Shape& shape, std::int64_t) const override {
    const auto takes = node.op->traits.strided_input;
    return takes != nullptr && takes(node.attrs, shape.rank());
  }
  bool takes_strided_output(const graph::Node& node, const Shape& shape, std::int64_t) const override {
    const auto takes = node.op->traits.strided_output;
    return takes != nullptr && takes(node.attrs, shape.rank());
  }
};

}  // namespace

const Backend& cpu_backend() {
  // Never destroyed: destructors of a program's static objects may still predict.
  static const Backend& backend = *new CpuBackend;
  return backend;
}

}  // namespace mxinfer::ops
