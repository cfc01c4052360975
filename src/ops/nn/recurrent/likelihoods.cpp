// CTCLoss: what connectionist temporal classification trains with. Its labels are an input like any other,
// for its value is nothing without them; a model that has other outputs predicts those without labels.
// _contrib_hawkesll: the log likelihood of marked events under self-exciting processes.
#include <cmath>

#include "kernels/ctc/ctc.h"
#include "kernels/elementwise/cast.h"
#include "kernels/hawkes/hawkes.h"
#include "ops/elementwise/elementwise.h"
#include "ops/nn/convolution/conv_params.h"

namespace mxinfer::ops {
namespace {

PortNames ctc_loss_ports(const Attrs& attrs) {
  PortNames names{{"data", "label"}};
  if (attrs.flag("use_data_lengths")) names.names.emplace_back("data_lengths");
  if (attrs.flag("use_label_lengths")) names.names.emplace_back("label_lengths");
  return names;
}

std::vector<TensorType> infer_ctc_loss(const InferContext& context) {
  const Shape& data = context.shape(0);
  const Shape& label = context.shape(1);
  if (context.dtype(0) != DType::float32) {
    fail(ErrorCode::unsupported, "data is ", to_string(context.dtype(0)),
         ": only float32 runs, as in MXNet on CPU");
  }
  if (data.rank() != 3 || data[2] < 1) {
    fail(ErrorCode::invalid_argument, "data has shape ", to_string(data),
         ": expected (frames, batch, classes)");
  }
  if (label.rank() != 2 || label[0] != data[1] || label[1] > data[0]) {
    fail(ErrorCode::invalid_argument, "label has shape ", to_string(label), ": expected (", data[1],
         ", at most ", data[0], ") for data of shape ", to_string(data));
  }
  const PortNames names = ctc_loss_ports(context.attrs);
  for (std::size_t i = 1; i < context.count(); ++i) {
    if (i >= 2) expect_shape(context, i, names.names[i].c_str(), Shape{data[1]}, "the batch");
    if (kernels::select_cast(element_type(context.dtype(i)), kernels::ElementType::float64) == nullptr) {
      fail(ErrorCode::unsupported, names.names[i], " is ", to_string(context.dtype(i)), ": expected numbers");
    }
  }
  return {{DType::float32, Shape{data[1]}}};
}

/// The numbers of one input as whole ones: halves are rounded away from zero, as in MXNet.
class WholeNumbers {
 public:
  WholeNumbers() = default;
  WholeNumbers(LowerContext& context, std::size_t input, const char* name)
      : input_(input), name_(name), count_(context.input(input).shape.elements()) {
    cast_ = kernels::select_cast(element_type(context.input(input).dtype), kernels::ElementType::float64);
  }
  std::int64_t count() const { return count_; }

  /// `room` has count() elements of 8 bytes.
  const std::int64_t* read(const RunContext& run, std::byte* room) const {
    auto* numbers = reinterpret_cast<double*>(room);
    auto* whole = reinterpret_cast<std::int64_t*>(room);
    cast_(run.inputs[input_], numbers, count_);
    for (std::int64_t i = 0; i < count_; ++i) {
      const double rounded = std::round(numbers[i]);
      if (!(std::abs(rounded) < 1e15)) {
        fail(ErrorCode::invalid_argument, name_, " holds ", numbers[i], " at position ", i);
      }
      whole[i] = static_cast<std::int64_t>(rounded);
    }
    return whole;
  }

 private:
  std::size_t input_ = 0;
  const char* name_ = "";
  std::int64_t count_ = 0;
  kernels::CastFn cast_ = nullptr;
};

struct CtcLoss {
  kernels::CtcArgs args;
  WholeNumbers labels, frame_counts, label_counts;
  bool has_frame_counts = false, has_label_counts = false;
  std::int64_t padding = 0;  ///< ends the labels of a sequence if their count is not given

  /// Room for the labels, and for two counts of each sequence.
  std::size_t scratch_bytes() const {
    return static_cast<std::size_t>(labels.count() + 2 * args.batch) * sizeof(std::int64_t);
  }

  std::int64_t count_labels(const std::int64_t* labels_of) const {
    std::int64_t count = 0;
    while (count < args.labels_stride && labels_of[count] != padding) ++count;
    return count;
  }

  void check(const kernels::CtcArgs& now, std::int64_t i) const {
    const auto outside = [](std::int64_t value, std::int64_t limit) { return value < 0 || value > limit; };
    if (outside(now.frame_counts[i], now.frames)) {
      fail(ErrorCode::invalid_argument, "data_lengths holds ", now.frame_counts[i], " at position ", i,
           ": expected 0 to ", now.frames);
    }
    if (outside(now.label_counts[i], now.labels_stride)) {
      fail(ErrorCode::invalid_argument, "label_lengths holds ", now.label_counts[i], " at position ", i,
           ": expected 0 to ", now.labels_stride);
    }
    for (std::int64_t j = 0; j < now.label_counts[i]; ++j) {
      const std::int64_t label = now.labels[i * now.labels_stride + j];
      if (outside(label, now.classes - 1)) {
        fail(ErrorCode::invalid_argument, "label ", label, " at position (", i, ", ", j,
             ") is not one of the ", now.classes, " classes");
      }
    }
  }

  void operator()(const RunContext& run) const {
    kernels::CtcArgs now = args;
    now.data = run.input<float>(0);
    now.loss = run.output<float>(0);
    now.labels = labels.read(run, run.scratch);
    auto* counts = reinterpret_cast<std::int64_t*>(run.scratch) + labels.count();
    now.label_counts = counts;
    now.frame_counts = counts + args.batch;
    if (has_label_counts) label_counts.read(run, reinterpret_cast<std::byte*>(counts));
    if (has_frame_counts) frame_counts.read(run, reinterpret_cast<std::byte*>(counts + args.batch));
    for (std::int64_t i = 0; i < args.batch; ++i) {
      if (!has_label_counts) counts[i] = count_labels(now.labels + i * args.labels_stride);
      if (!has_frame_counts) counts[args.batch + i] = args.frames;
      check(now, i);
    }
    parallel_for(args.batch, 1, [&](std::int64_t begin, std::int64_t end) {
      kernels::ctc_loss(now, reinterpret_cast<double*>(run.my_scratch()), begin, end);
    });
  }
};

Step lower_ctc_loss(LowerContext& context) {
  const Attrs& attrs = context.attrs();
  const Shape& data = context.input(0).shape;
  CtcLoss loss;
  loss.args.frames = data[0];
  loss.args.batch = data[1];
  loss.args.classes = data[2];
  loss.args.labels_stride = context.input(1).shape[1];
  const bool blank_first = attrs.choice("blank_label") == "first";
  loss.args.blank = blank_first ? 0 : data[2] - 1;
  loss.padding = blank_first ? 0 : -1;
  loss.labels = WholeNumbers(context, 1, "label");
  std::size_t next = 2;
  loss.has_frame_counts = attrs.flag("use_data_lengths");
  if (loss.has_frame_counts) loss.frame_counts = WholeNumbers(context, next++, "data_lengths");
  loss.has_label_counts = attrs.flag("use_label_lengths");
  if (loss.has_label_counts) loss.label_counts = WholeNumbers(context, next, "label_lengths");

  Step step{.kernel = "ctc_ref_float32 [ref]", .reason = "a loss has the reference only"};
  step.flops = 3.0 * static_cast<double>(data.elements());
  step.scratch_bytes = loss.scratch_bytes();
  step.thread_scratch_bytes =
      static_cast<std::size_t>(kernels::ctc_scratch_elements(loss.args.labels_stride)) * sizeof(double);
  step.run = loss;
  return step;
}

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
  Step step{.kernel = ref_kernel("hawkes", context.input(0).dtype), .reason = "one sequence after the other"};
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

Step lower_op(LowerContext& context) {
  return context.input(0).dtype == DType::float64 ? hawkes_step<double>(context)
                                                  : hawkes_step<float>(context);
}

}  // namespace

std::vector<OpDef> likelihood_ops() {
  return {
      {.name = "CTCLoss",
       .aliases = {"_contrib_CTCLoss", "_contrib_ctc_loss", "ctc_loss"},
       .summary = "-log of the probability that the frames of data spell label. data is (frames, batch, "
                  "classes), and goes through softmax first; label is (batch, labels), padded with 0, or "
                  "with -1 if the blank is the last class. 0 for labels that do not fit into the frames; a "
                  "label that is not a class is an error.",
       .attrs = {flag_attr("use_data_lengths", false), flag_attr("use_label_lengths", false),
                 choice_attr("blank_label", {"first", "last"}, "first")},
       .inputs = ctc_loss_ports,
       .outputs = named_ports({"output0"}),
       .infer = infer_ctc_loss,
       .lower = lower_ctc_loss},
      {.name = "_contrib_hawkesll",
       .summary = "The log likelihood of sequences of marked events under Hawkes processes with intensities "
                  "lda + alpha * beta * sum of exp(-beta * age), and the sum of exponentials at max_time; a "
                  "mark that is not a process is an error.",
       .inputs = named_ports({"lda", "alpha", "beta", "state", "lags", "marks", "valid_length", "max_time"}),
       .outputs = named_ports({"output", "out_state"}),
       .infer = infer_hawkes,
       .lower = lower_op},
  };
}

}  // namespace mxinfer::ops
