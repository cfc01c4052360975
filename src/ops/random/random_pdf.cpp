// _random_pdf_*: the densities of random distributions. Nothing is drawn.
#include "kernels/random_pdf/random_pdf.h"

#include <cmath>

#include "kernels/elementwise/cast.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

struct PdfEntry {
  const char* distribution;
  const char* parameters[2];  ///< the second is null if there is one
  bool vectors;               ///< the last dimension of sample and parameter is one value
};

const PdfEntry kPdfEntries[] = {
    {"uniform", {"low", "high"}, false},
    {"normal", {"mu", "sigma"}, false},
    {"gamma", {"alpha", "beta"}, false},
    {"exponential", {"lam", nullptr}, false},
    {"poisson", {"lam", nullptr}, false},
    {"negative_binomial", {"k", "p"}, false},
    {"generalized_negative_binomial", {"mu", "alpha"}, false},
    {"dirichlet", {"alpha", nullptr}, true},
};

/// How many numbers make one value, how many values one set of parameters is for, and how many sets there
/// are.
struct Counts {
  std::int64_t width = 1, values = 1, sets = 1;
};

Counts counts_of(const PdfEntry& entry, const Shape& sample, const Shape& parameters) {
  Counts counts;
  if (entry.vectors) counts.width = sample.back();
  counts.sets = parameters.elements(0, parameters.rank() - (entry.vectors ? 1 : 0));
  const std::int64_t per_set = counts.width * counts.sets;
  counts.values = per_set == 0 ? 0 : sample.elements() / per_set;
  return counts;
}

std::vector<TensorType> infer_pdf(const PdfEntry& entry, const InferContext& context) {
  const TensorType &sample = context.inputs[0], &first = context.inputs[1];
  const bool floating =
      sample.dtype == DType::float32 || sample.dtype == DType::float64 || sample.dtype == DType::float16;
  if (!floating)
    fail(ErrorCode::unsupported, "sample is ", to_string(sample.dtype), ": expected a floating point dtype");
  const std::size_t tail = entry.vectors ? 1 : 0;
  bool fits = first.shape.rank() >= tail && first.shape.rank() <= sample.shape.rank() &&
              first.dtype == sample.dtype && (!entry.vectors || first.shape.back() == sample.shape.back());
  for (std::size_t d = 0; fits && d + tail < first.shape.rank(); ++d)
    fits = first.shape[d] == sample.shape[d];
  if (!fits || (context.count() == 3 && !(context.inputs[2] == first))) {
    fail(ErrorCode::invalid_argument, "sample is ", to_string(sample), " and ", entry.parameters[0], " ",
         to_string(first), ": expected parameters of one dtype and shape, which begins the sample's");
  }
  Shape out = sample.shape;
  if (entry.vectors) out.erase(out.rank() - 1);
  if (out.empty()) out.push_back(1);
  return {{sample.dtype, out}};
}

Step lower_pdf(const PdfEntry& entry, LowerContext& context) {
  const TensorType& sample = context.input(0);
  const Counts counts = counts_of(entry, sample.shape, context.input(1).shape);
  const auto type = element_type(sample.dtype), wide = kernels::ElementType::float64;
  const kernels::CastFn widen = kernels::select_cast(type, wide), narrow = kernels::select_cast(wide, type);
  const kernels::LogDensityFn log_density = kernels::select_log_density(entry.distribution);
  const std::int64_t numbers = sample.shape.elements(), parameters = context.input(1).shape.elements();
  const std::size_t count = context.num_inputs();
  const bool is_log = context.attrs().flag("is_log");
  Step step{.kernel = concat("random_pdf_", entry.distribution, "_ref_", to_string(sample.dtype), " [ref]")};
  step.reason = "in double, one value at a time";
  const std::int64_t outputs = counts.sets * counts.values;
  step.scratch_bytes = static_cast<std::size_t>(numbers + 2 * parameters + outputs) * sizeof(double);
  step.run = [=](const RunContext& run) {
    auto* x = reinterpret_cast<double*>(run.scratch);
    double *a = x + numbers, *b = a + parameters, *out = b + parameters;
    widen(run.inputs[0], x, numbers);
    widen(run.inputs[1], a, parameters);
    if (count == 3) widen(run.inputs[2], b, parameters);
    parallel_for(outputs, 1024, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t set = i / counts.values * counts.width;
        const double value = log_density(x + i * counts.width, a + set, b + set, counts.width);
        out[i] = is_log ? value : std::exp(value);
      }
    });
    narrow(out, run.outputs[0], outputs);
  };
  return step;
}

}  // namespace

std::vector<OpDef> random_pdf_ops() {
  std::vector<OpDef> ops;
  for (const PdfEntry& entry : kPdfEntries) {
    OpDef op;
    op.name = concat("_random_pdf_", entry.distribution);
    op.aliases = {concat("random_pdf_", entry.distribution)};
    op.summary =
        concat("The density of the ", entry.distribution, " distribution at each sample, or its logarithm.");
    op.attrs = {flag_attr("is_log", false)};
    op.inputs = [entry](const Attrs&) {
      PortNames ports{{"sample", entry.parameters[0]}};
      if (entry.parameters[1] != nullptr) ports.names.emplace_back(entry.parameters[1]);
      return ports;
    };
    op.infer = [entry](const InferContext& context) { return infer_pdf(entry, context); };
    op.lower = [entry](LowerContext& context) { return lower_pdf(entry, context); };
    ops.push_back(std::move(op));
  }
  return ops;
}

}  // namespace mxinfer::ops
