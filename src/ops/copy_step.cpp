#include "ops/copy_step.h"

#include <algorithm>

#include "base/fail.h"
#include "ops/axes.h"

namespace mxinfer::ops {
namespace {

// About 64 KiB to a piece: more than the cost of handing it to a thread, less than a core's share of a large
// copy.
constexpr std::int64_t kPieceBytes = 1 << 16;

struct PreparedJob {
  std::size_t input = 0;
  std::size_t output = 0;
  std::optional<std::array<std::byte, 8>> element{};
  kernels::CopyArgs args;
  kernels::CopyFn run = nullptr;
  std::int64_t tasks = 0;
  std::int64_t grain = 1;
};

kernels::CopyArgs to_args(const Walk& walk) {
  // Dimensions of size 1 take no part and are left out first, so that only what is walked counts against the
  // limit.
  kernels::CopyArgs args;
  args.src_offset = walk.src_offset;
  args.dst_offset = walk.dst_offset;
  for (std::size_t d = 0; d < walk.dims.size(); ++d) {
    if (walk.dims[d] == 1) continue;
    if (args.rank == kernels::kCopyMaxRank) {
      fail(ErrorCode::unsupported, "more than ", kernels::kCopyMaxRank, " dimensions to copy");
    }
    args.dims[args.rank] = walk.dims[d];
    args.src_strides[args.rank] = walk.src_strides[d];
    args.dst_strides[args.rank] = walk.dst_strides[d];
    ++args.rank;
  }
  return kernels::simplify(args);
}

PreparedJob prepare(const CopyJob& job, const kernels::CopyArgs& args, const kernels::CopyKernel& kernel,
                    std::size_t element_bytes) {
  PreparedJob prepared;
  prepared.input = job.input;
  prepared.output = job.output;
  prepared.element = job.element;
  prepared.args = kernel.prepare(args);
  prepared.run = kernel.run;
  prepared.tasks = kernel.tasks(prepared.args);
  const std::int64_t bytes = args.elements() * static_cast<std::int64_t>(element_bytes);
  const std::int64_t task_bytes =
      std::max<std::int64_t>(1, bytes / std::max<std::int64_t>(1, prepared.tasks));
  prepared.grain = std::max<std::int64_t>(1, kPieceBytes / task_bytes);
  return prepared;
}

}  // namespace

Walk::Walk(const Shape& shape)
    : dims(shape.begin(), shape.end()), src_strides(row_major_strides(shape)), dst_strides(src_strides) {}

void Walk::add(std::int64_t dim, std::int64_t src_stride, std::int64_t dst_stride) {
  dims.push_back(dim);
  src_strides.push_back(src_stride);
  dst_strides.push_back(dst_stride);
}

CopyJob zeros_job(std::size_t output, const Shape& shape) {
  Walk walk(shape);
  std::fill(walk.src_strides.begin(), walk.src_strides.end(), 0);
  return {0, output, std::move(walk), std::array<std::byte, 8>{}};
}

Step alias_step(LowerContext& context) {
  context.alias(0, 0);
  Step step;
  step.kernel = "alias";
  step.reason = "the same elements under another shape";
  return step;
}

Step copy_step(LowerContext& context, const std::vector<CopyJob>& jobs) {
  Step step;
  std::vector<PreparedJob> prepared;
  for (const CopyJob& job : jobs) {
    const std::size_t element_bytes = size_of(context.output(job.output).dtype);
    const kernels::CopyArgs args = to_args(job.walk);
    const std::int64_t elements = args.elements();
    if (elements == 0) continue;
    if (jobs.size() == 1 && !job.element && kernels::is_plain_copy(args) &&
        elements == context.input(job.input).shape.elements() &&
        elements == context.output(job.output).shape.elements()) {
      context.alias(job.output, job.input);
      step.kernel = "alias";
      step.reason = "the order of the elements stays";
      return step;
    }
    const kernels::CopyKernel& kernel = kernels::select_copy(args, element_bytes, context.target());
    if (step.kernel.empty()) {
      step.kernel =
          concat(kernel.name, "_", 8 * element_bytes, "bit [", kernels::to_string(context.target()), "]");
    }
    prepared.push_back(prepare(job, args, kernel, element_bytes));
  }
  if (step.kernel.empty()) step.kernel = "copy_nothing";
  step.reason = "moves elements only";
  step.run = [prepared = std::move(prepared)](const RunContext& run) {
    for (const PreparedJob& job : prepared) {
      const std::byte* src = job.element ? job.element->data() : run.input<std::byte>(job.input);
      std::byte* dst = run.output<std::byte>(job.output);
      parallel_for(job.tasks, job.grain,
                   [&](std::int64_t begin, std::int64_t end) { job.run(job.args, src, dst, begin, end); });
    }
  };
  return step;
}

}  // namespace mxinfer::ops
