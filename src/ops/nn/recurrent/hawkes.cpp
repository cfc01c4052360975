// _contrib_hawkesll: the log likelihood of marked events under self-exciting processes.
#include "kernels/hawkes/hawkes.h"

#include "base/fail.h"
#include "ops/nn/convolution/conv_params.h"

namespace mxinfer::ops {
namespace {

constexpr std::size_t kMarks = 5;

void check_dtypes(const InferContext& context) {
  const DType dtype = context.dtype(0);
  if (dtype != DType::float32 && dtype != DType::float64) {
    fail(ErrorCode::unsupported, "lda is ", to_string(dtype), ": only float32 and float64 run");
  }
  for (std::size_t i = 1; i < context.count(); ++i) {
    const DType expected = i == kMarks ? DType::int32 : dtype;
    if (context.dtype(i) != expected) {
      fail(ErrorCode::invalid_argument, "input ", i, " is ", to_string(context.dtype(i)), ": expected ",
           to_string(expected));
    }
  }
}

std::vector<TensorType> infer_hawkes(const InferContext& context) {
  check_dtypes(context);
  const Shape& base = context.shape(0);
  const Shape& lags = context.shape(4);
  if (base.rank() != 2 || lags.rank() != 2) {
    fail(ErrorCode::invalid_argument, "lda and lags have shapes ", to_string(base), " and ", to_string(lags),
         ": expected (batch, processes) and (batch, events)");
  }
  const Shape sequences{base[0]}, processes{base[1]};
  expect_shape(context, 1, "alpha", processes, "processes, as lda has them");
  expect_shape(context, 2, "beta", processes, "processes, as lda has them");
  expect_shape(context, 3, "state", base, "as lda");
  expect_shape(context, 4, "lags", Shape{base[0], lags[1]}, "batch of lda, events");
  expect_shape(context, kMarks, "marks", lags, "as lags");
  expect_shape(context, 6, "valid_length", sequences, "batch of lda");
  expect_shape(context, 7, "max_time", sequences, "batch of lda");
  return {{context.dtype(0), sequences}, {context.dtype(0), base}};
}

template <typename T>
void check_marks(const kernels::HawkesArgs<T>& args, std::int64_t sequences) {
  for (std::int64_t i = 0; i < sequences; ++i) {
    for (std::int64_t j = 0; j < args.events && static_cast<T>(j) < args.valid_length[i]; ++j) {
      const std::int32_t mark = args.marks[i * args.events + j];
      if (mark < 0 || mark >= args.processes) {
        fail(ErrorCode::invalid_argument, "mark ", mark, " of event ", j, " in sequence ", i,
             " is not one of the ", args.processes, " processes");
      }
    }
  }
}

template <typename T>
Step hawkes_step(LowerContext& context) {
  kernels::HawkesArgs<T> args;
  const std::int64_t sequences = context.input(0).shape[0];
  args.processes = context.input(0).shape[1];
  args.events = context.input(4).shape[1];
  Step step;
  step.kernel = concat("hawkes_ref_", to_string(context.input(0).dtype), " [ref]");
  step.reason = "one sequence after the other";
  step.thread_scratch_bytes = static_cast<std::size_t>(args.processes) * sizeof(T);
  step.run = [=](const RunContext& run) {
    kernels::HawkesArgs<T> now = args;
    now.base = run.input<T>(0);
    now.alpha = run.input<T>(1);
    now.beta = run.input<T>(2);
    now.state = run.input<T>(3);
    now.lags = run.input<T>(4);
    now.marks = run.input<std::int32_t>(kMarks);
    now.valid_length = run.input<T>(6);
    now.end = run.input<T>(7);
    now.likelihood = run.output<T>(0);
    now.end_state = run.output<T>(1);
    check_marks(now, sequences);
    parallel_for(sequences, 8, [&](std::int64_t begin, std::int64_t end) {
      kernels::hawkes(now, reinterpret_cast<T*>(run.my_scratch()), begin, end);
    });
  };
  return step;
}

}  // namespace

std::vector<OpDef> hawkes_ops() {
  OpDef op;
  op.name = "_contrib_hawkesll";
  op.summary =
      "The log likelihood of sequences of marked events under Hawkes processes with intensities lda + alpha "
      "* beta * sum of exp(-beta * age), and the sum of exponentials at max_time; a mark that is not a "
      "process is an error.";
  op.inputs = [](const Attrs&) {
    return PortNames{{"lda", "alpha", "beta", "state", "lags", "marks", "valid_length", "max_time"}};
  };
  op.outputs = [](const Attrs&) { return PortNames{{"output", "out_state"}}; };
  op.infer = infer_hawkes;
  op.lower = [](LowerContext& context) {
    return context.input(0).dtype == DType::float64 ? hawkes_step<double>(context)
                                                    : hawkes_step<float>(context);
  };
  return {op};
}

}  // namespace mxinfer::ops
