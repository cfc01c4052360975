#include "ops/common/copy_step.h"

#include <algorithm>
#include <cstring>

#include "ops/common/axes.h"

namespace mxinfer::ops {
namespace {

// About 64 KiB to a piece: more than the cost of handing it to a thread, less than a core's share of a large
// copy.
constexpr std::int64_t kCopiedBytes = 1 << 16;

struct PreparedJob {
  std::size_t input = 0;
  std::size_t output = 0;
  std::optional<std::array<std::byte, 8>> element{};
  std::size_t place = 0;  ///< where the job begins to write, in bytes
  kernels::CopyArgs args{};
  kernels::CopyFn run = nullptr;
  std::int64_t tasks = 0;
  std::int64_t grain = 1;
};

kernels::CopyArgs to_args(const Walk& walk) {
  // Dimensions of size 1 take no part and are left out first, so that only what is walked counts against the
  // limit.
  kernels::CopyArgs args{.src_offset = walk.src_offset, .dst_offset = walk.dst_offset};
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
  PreparedJob prepared{.input = job.input, .output = job.output, .element = job.element};
  prepared.place = static_cast<std::size_t>(args.dst_offset) * element_bytes;
  prepared.args = kernel.prepare(args);
  prepared.run = kernel.run;
  prepared.tasks = kernel.tasks(prepared.args);
  const std::int64_t bytes = args.elements() * static_cast<std::int64_t>(element_bytes);
  const std::int64_t task_bytes =
      std::max<std::int64_t>(1, bytes / std::max<std::int64_t>(1, prepared.tasks));
  prepared.grain = std::max<std::int64_t>(1, kCopiedBytes / task_bytes);
  return prepared;
}

/// Whether a walk reads consecutive elements and writes consecutive elements.
bool is_run(const kernels::CopyArgs& args) {
  return args.rank == 0 || (args.rank == 1 && args.src_strides[0] == 1 && args.dst_strides[0] == 1);
}

/// Makes every output an alias if each is a run of elements of an input and none is strided. Returns whether
/// it did.
bool alias_all(LowerContext& context, const std::vector<CopyJob>& jobs,
               const std::vector<kernels::CopyArgs>& walks) {
  if (jobs.size() != context.num_outputs() || context.output(0).row_stride != 0) return false;
  std::vector<int> jobs_of(context.num_outputs());
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const bool whole = walks[j].elements() == context.output(jobs[j].output).shape.elements();
    if (jobs[j].element || !whole || walks[j].elements() == 0 || !is_run(walks[j])) return false;
    if (++jobs_of[jobs[j].output] > 1) return false;
  }
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const std::size_t element_bytes = size_of(context.output(jobs[j].output).dtype);
    context.alias(jobs[j].output, jobs[j].input,
                  static_cast<std::size_t>(walks[j].src_offset) * element_bytes);
  }
  return true;
}

/// Whether an output is a part of each row of an input, and all its readers read it there.
bool alias_strided(LowerContext& context, const CopyJob& job, const kernels::CopyArgs& walk) {
  const Shape& out = context.output(job.output).shape;
  if (job.element || walk.rank != 2 || walk.elements() != out.elements() || walk.dst_offset != 0)
    return false;
  const std::int64_t columns = out.back();
  const bool rows = walk.dims[1] == columns && walk.src_strides[1] == 1 && walk.dst_strides[1] == 1 &&
                    walk.dst_strides[0] == columns && walk.src_strides[0] > columns;
  const auto offset = static_cast<std::size_t>(walk.src_offset) * size_of(context.output(job.output).dtype);
  return rows && context.alias_strided(job.output, job.input, offset, walk.src_strides[0]);
}

/// If output 0 is the inputs, each whole and once and none over another: those that are runs may be written
/// directly into it.
void place_inputs(LowerContext& context, const std::vector<CopyJob>& jobs,
                  const std::vector<kernels::CopyArgs>& walks) {
  if (jobs.size() != context.num_inputs()) return;
  std::int64_t elements = 0;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const bool whole = walks[j].elements() == context.input(j).shape.elements();
    if (jobs[j].element || jobs[j].input != j || jobs[j].output != 0 || !whole) return;
    elements += walks[j].elements();
  }
  if (elements != context.output(0).shape.elements()) return;
  const std::size_t element_bytes = size_of(context.output(0).dtype);
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    if (is_run(walks[j]) && walks[j].elements() > 0)
      context.may_place(0, j, static_cast<std::size_t>(walks[j].dst_offset) * element_bytes);
  }
}

// Makes strided views of outputs where it can, and returns the jobs that have something to copy, if any
// output is left.
std::optional<std::vector<std::size_t>> jobs_left(LowerContext& context, const std::vector<CopyJob>& jobs,
                                                  const std::vector<kernels::CopyArgs>& walks) {
  std::vector<std::size_t> left;
  std::size_t views = 0;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    if (walks[j].elements() == 0) continue;
    if (alias_strided(context, jobs[j], walks[j])) {
      ++views;
    } else {
      left.push_back(j);
    }
  }
  if (views > 0 && views == context.num_outputs()) return std::nullopt;
  return left;
}

// The jobs on a device, by its stream, those of `left`. `walks` are those of the jobs.
Step device_copy_step(const LowerContext& context, const std::vector<CopyJob>& jobs,
                      const std::vector<kernels::CopyArgs>& walks, const std::vector<std::size_t>& left) {
  struct DeviceJob {
    CopyJob job;
    kernels::CopyArgs args;
    std::size_t element_bytes;
    std::size_t place;  ///< where the job begins to write, in bytes
  };
  std::vector<DeviceJob> prepared;
  for (const std::size_t j : left) {
    const std::size_t element_bytes = size_of(context.output(jobs[j].output).dtype);
    prepared.push_back(
        {jobs[j], walks[j], element_bytes, static_cast<std::size_t>(walks[j].dst_offset) * element_bytes});
  }
  Step step{.kernel = "copy", .reason = "moves elements only"};
  step.run = [prepared = std::move(prepared)](const RunContext& run) {
    for (const DeviceJob& one : prepared) {
      std::byte* dst = run.output<std::byte>(one.job.output);
      if (one.job.element) {
        std::uint64_t element = 0;
        std::memcpy(&element, one.job.element->data(), one.job.element->size());
        run.stream->fill_strided(one.args, one.element_bytes, element, dst);
      } else if (run.inputs[one.job.input] != dst + one.place) {  // else it was written in place
        run.stream->copy_strided(one.args, one.element_bytes, run.inputs[one.job.input], dst);
      }
    }
  };
  return step;
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
  context.alias(0, 0, 0);
  return {.kernel = "alias", .reason = "the same elements under another shape"};
}

Step copy_step(LowerContext& context, const std::vector<CopyJob>& jobs) {
  if (context.takes_moves(jobs)) return {};
  std::vector<kernels::CopyArgs> walks;
  for (const CopyJob& job : jobs) walks.push_back(to_args(job.walk));
  Step step;
  if (alias_all(context, jobs, walks)) {
    step.kernel = "alias";
    step.reason = "the order of the elements stays";
    return step;
  }
  place_inputs(context, jobs, walks);
  const auto left = jobs_left(context, jobs, walks);
  if (!left) {
    step.reason = "a strided view of its input";
    return step;
  }
  if (context.is_on_device()) return device_copy_step(context, jobs, walks, *left);
  std::vector<PreparedJob> prepared;
  for (const std::size_t j : *left) {
    const std::size_t element_bytes = size_of(context.output(jobs[j].output).dtype);
    const kernels::CopyKernel& kernel = kernels::select_copy(walks[j], element_bytes, context.target());
    if (step.kernel.empty()) {
      step.kernel = concat(kernel.name, "_", 8 * element_bytes, "bit [ref]");
    }
    prepared.push_back(prepare(jobs[j], walks[j], kernel, element_bytes));
  }
  if (step.kernel.empty()) step.kernel = "copy_nothing";
  step.reason = "moves elements only";
  step.run = [prepared = std::move(prepared)](const RunContext& run) {
    for (const PreparedJob& job : prepared) {
      const std::byte* src = job.element ? job.element->data() : run.input<std::byte>(job.input);
      std::byte* dst = run.output<std::byte>(job.output);
      if (src == dst + job.place) continue;  // written in place
      parallel_for(job.tasks, job.grain,
                   [&](std::int64_t begin, std::int64_t end) { job.run(job.args, src, dst, begin, end); });
    }
  };
  return step;
}

}  // namespace mxinfer::ops
