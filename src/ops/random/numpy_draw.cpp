// Operators of mx.np.random and mx.npx.random that draw: each parameter is an attribute or, where that is
// None, an input that broadcasts.
#include <algorithm>

#include "kernels/elementwise/cast.h"
#include "ops/elementwise/elementwise.h"
#include "ops/random/draws.h"

namespace mxinfer::ops {
namespace {

struct NumpyDrawEntry {
  const char* name;  ///< behind _npi_
  const char* distribution;
  std::vector<const char*> parameters;
  bool states_dtype = false;
  bool adds_shape = false;  ///< size stands in front of the parameters' shape
};

const std::vector<NumpyDrawEntry>& numpy_draw_entries() {
  static const auto& entries = *new std::vector<NumpyDrawEntry>{
      {"uniform", "uniform", {"low", "high"}, true},
      {"uniform_n", "uniform", {"low", "high"}, true, true},
      {"normal", "normal", {"loc", "scale"}, true},
      {"normal_n", "normal", {"loc", "scale"}, true, true},
      {"gamma", "gamma", {"shape", "scale"}, true},
      {"exponential", "scaled_exponential", {"scale"}},
      {"gumbel", "gumbel", {"loc", "scale"}},
      {"logistic", "logistic", {"loc", "scale"}},
      {"pareto", "pareto", {"a"}},
      {"powerd", "power", {"a"}},
      {"rayleigh", "rayleigh", {"scale"}},
      {"weibull", "weibull", {"a"}},
  };
  return entries;
}

std::size_t inputs_of(const NumpyDrawEntry& entry, const Attrs& attrs) {
  return static_cast<std::size_t>(std::count_if(entry.parameters.begin(), entry.parameters.end(),
                                                [&](const char* name) { return !attrs.has(name); }));
}

PortNames parameter_ports(std::size_t count) {
  PortNames ports;
  for (std::size_t i = 1; i <= count; ++i) ports.names.push_back(concat("input", i));
  return ports;
}

/// The shape to which all inputs broadcast.
Shape shape_of_parameters(const InferContext& context) {
  Shape shape;
  for (const TensorType& input : context.inputs) {
    widening_cast(input.dtype);
    shape = broadcast_shape(shape, input.shape);
  }
  return shape;
}

Shape shape_of_draws(const InferContext& context, bool adds_shape) {
  const Shape parameters = shape_of_parameters(context);
  if (!context.attrs.has("size")) return parameters;
  Shape size = drawn_shape(context.attrs, "size");
  if (adds_shape) {
    for (const std::int64_t each : parameters) size.push_back(each);
    size.elements();
    return size;
  }
  if (!(broadcast_shape(size, parameters) == size)) {
    fail(ErrorCode::invalid_argument, "size=", to_string(size), ", and the parameters have the shape ",
         to_string(parameters), ": expected parameters that broadcast to size");
  }
  return size;
}

std::vector<DrawParameter> parameters_of(const LowerContext& context, const std::vector<const char*>& names) {
  std::vector<DrawParameter> parameters;
  int input = 0;
  for (const char* name : names) {
    if (context.attrs().has(name)) {
      parameters.push_back({context.attrs().number(name)});
      continue;
    }
    const Shape& shape = context.input(static_cast<std::size_t>(input)).shape;
    parameters.push_back({.input = input++, .strides = broadcast_strides(shape, context.output(0).shape)});
  }
  return parameters;
}

OpDef make_numpy_draw(const NumpyDrawEntry& entry) {
  OpDef op{.name = concat("_npi_", entry.name)};
  op.summary = concat("Draws numbers of the ", entry.distribution,
                      " distribution. Parameters that are None are inputs.");
  for (const char* name : entry.parameters) op.attrs.push_back(number_attr(name, 1).optional_none());
  op.attrs.push_back(tuple_attr("size", "None").optional_none());
  op.attrs.push_back(text_attr("ctx", "cpu").without_effect());
  if (entry.states_dtype)
    op.attrs.push_back(choice_attr("dtype", {"float16", "float32", "float64"}, "float32"));
  op.traits.draws_random_numbers = true;
  op.inputs = [entry](const Attrs& attrs) { return parameter_ports(inputs_of(entry, attrs)); };
  op.infer = [entry](const InferContext& context) -> std::vector<TensorType> {
    return {{entry.states_dtype ? context.attrs.dtype("dtype") : DType::float32,
             shape_of_draws(context, entry.adds_shape)}};
  };
  op.lower = [entry](LowerContext& context) {
    return draw_step(context, find_distribution(entry.distribution),
                     parameters_of(context, entry.parameters));
  };
  return op;
}

double draw_by_logit(RandomDraws& draws, double logit, double /*unused*/) {
  return static_cast<double>(draws.unit() < 1 / (1 + std::exp(-logit)));
}

OpDef make_bernoulli() {
  OpDef op{.name = "_npi_bernoulli"};
  op.summary = "Draws 1 with the given probability, or that of the given logit, otherwise 0.";
  op.attrs = {number_attr("prob", 0).optional_none(),
              number_attr("logit", 0).optional_none(),
              flag_attr("is_logit", false),
              tuple_attr("size", "None").optional_none(),
              text_attr("ctx", "cpu").without_effect(),
              choice_attr("dtype", {"bool", "float16", "float32", "float64", "int32", "uint8"}, "float32")};
  op.traits.draws_random_numbers = true;
  op.inputs = [](const Attrs& attrs) {
    return parameter_ports(attrs.has(attrs.flag("is_logit") ? "logit" : "prob") ? 0 : 1);
  };
  op.infer = [](const InferContext& context) -> std::vector<TensorType> {
    return {{context.attrs.dtype("dtype"), shape_of_draws(context, false)}};
  };
  op.lower = [](LowerContext& context) {
    static const Distribution by_logit{"bernoulli_of_logits", draw_by_logit};
    const bool is_logit = context.attrs().flag("is_logit");
    return draw_step(context, is_logit ? by_logit : find_distribution("bernoulli"),
                     parameters_of(context, {is_logit ? "logit" : "prob"}));
  };
  return op;
}

/// How many values _npi_choice draws from, for its attribute a or its first input.
std::int64_t choice_population(const Attrs& attrs, const Shape* input) {
  if (attrs.has("a")) return attrs.integer("a");
  return input != nullptr && !input->empty() ? (*input)[0] : 0;
}

std::vector<TensorType> infer_choice(const InferContext& context) {
  const Attrs& attrs = context.attrs;
  const std::int64_t population = choice_population(attrs, context.count() > 0 ? &context.shape(0) : nullptr);
  const Shape size = drawn_shape(attrs, "size");
  if (population <= 0 || (!attrs.flag("replace") && size.elements() > population)) {
    fail(ErrorCode::invalid_argument, to_string(size), " numbers are drawn from ", population,
         attrs.flag("replace") ? "" : " without putting any back",
         ": expected at least one to draw from, and as many as are drawn");
  }
  require_possible({DType::float64, Shape{population}});  // the weights of the values
  if (attrs.flag("weighted") && context.shape(context.count() - 1).elements() != population) {
    fail(ErrorCode::invalid_argument, "there are ", context.shape(context.count() - 1).elements(),
         " probabilities: expected one for each of the ", population, " values");
  }
  return {{DType::int64, size}};
}

Step lower_choice(LowerContext& context) {
  const Attrs& attrs = context.attrs();
  const std::size_t count = context.num_inputs();
  const std::int64_t population = choice_population(attrs, count > 0 ? &context.input(0).shape : nullptr);
  const std::int64_t drawn = context.output(0).shape.elements();
  const bool weighted = attrs.flag("weighted"), replaces = attrs.flag("replace");
  const kernels::CastFn widen = weighted ? widening_cast(context.input(count - 1).dtype) : nullptr;
  Step step{.kernel = "draw_choice_ref [ref]"};
  step.scratch_bytes = static_cast<std::size_t>(population) * sizeof(double);
  step.run = [=, source = RandomSource(context)](const RunContext& run) {
    auto* weights = reinterpret_cast<double*>(run.scratch);
    if (weighted) {
      widen(run.inputs[count - 1], weights, population);
    } else {
      std::fill(weights, weights + population, 1.0);
    }
    RandomDraws draws = RandomSource::draws(source.next_run(), 0);
    for (std::int64_t i = 0; i < drawn; ++i) {
      const std::int64_t chosen = draw_place(draws, weights, population);
      run.output<std::int64_t>(0)[i] = chosen;
      if (!replaces) weights[chosen] = 0;
    }
  };
  return step;
}

OpDef make_choice() {
  OpDef op{.name = "_npi_choice"};
  op.summary =
      "Draws indices below a (or below the length of the first input), with or without putting them back.";
  op.attrs = {integer_attr("a", 0).optional_none(), tuple_attr("size", "None").optional_none(),
              flag_attr("replace", true), flag_attr("weighted", false),
              text_attr("ctx", "cpu").without_effect()};
  op.traits.draws_random_numbers = true;
  op.inputs = [](const Attrs& attrs) {
    return parameter_ports((attrs.has("a") ? 0u : 1u) + (attrs.flag("weighted") ? 1u : 0u));
  };
  op.infer = infer_choice;
  op.lower = lower_choice;
  return op;
}

/// The place among probabilities, whose last one takes what is left of 1.
std::int64_t place_of(double u, const double* probabilities, std::int64_t count) {
  std::int64_t place = 0;
  for (; place + 1 < count; ++place) {
    u -= probabilities[place];
    if (u < 0) break;
  }
  return place;
}

std::vector<TensorType> infer_counts(const InferContext& context) {
  constexpr double kMostDraws = 1e10;
  const bool has_input = context.count() > 0;
  const auto kinds = has_input ? context.shape(0).elements()
                               : static_cast<std::int64_t>(context.attrs.number_tuple("pvals").size());
  Shape shape = drawn_shape(context.attrs, "size");
  const std::int64_t experiments = shape.elements(), trials = context.attrs.integer("n");
  if (static_cast<double>(experiments) * static_cast<double>(trials) > kMostDraws) {
    fail(ErrorCode::unsupported, "n=", trials, " and size=", to_string(shape), ": more than ", kMostDraws,
         " numbers would be drawn");
  }
  shape.push_back(kinds);
  return {{DType::int64, shape}};
}

Step lower_counts(LowerContext& context) {
  const std::int64_t kinds = context.output(0).shape.back(), trials = context.attrs().integer("n");
  const std::int64_t experiments = kinds == 0 ? 0 : context.output(0).shape.elements() / kinds;
  const bool has_input = context.num_inputs() > 0;
  const auto values = has_input ? std::vector<double>() : context.attrs().number_tuple("pvals");
  const kernels::CastFn widen = has_input ? widening_cast(context.input(0).dtype) : nullptr;
  Step step{.kernel = "draw_counts_ref [ref]"};
  step.scratch_bytes = static_cast<std::size_t>(kinds) * sizeof(double);
  step.run = [=, source = RandomSource(context)](const RunContext& run) {
    auto* probabilities = reinterpret_cast<double*>(run.scratch);
    if (has_input) {
      widen(run.inputs[0], probabilities, kinds);
    } else {
      std::copy(values.begin(), values.end(), probabilities);
    }
    const std::uint64_t key = source.next_run();
    parallel_for(experiments, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t e = begin; e < end; ++e) {
        std::int64_t* counts = run.output<std::int64_t>(0) + e * kinds;
        std::fill_n(counts, kinds, 0);
        RandomDraws draws = RandomSource::draws(key, e);
        for (std::int64_t i = 0; i < trials; ++i) ++counts[place_of(draws.unit(), probabilities, kinds)];
      }
    });
  };
  return step;
}

OpDef make_counts() {
  OpDef op{.name = "_npi_multinomial"};
  op.summary = "Draws n times by the given probabilities, and counts how often each place was drawn.";
  op.attrs = {integer_attr("n").at_least(0), number_tuple_attr("pvals", "None").optional_none(),
              tuple_attr("size", "None").optional_none()};
  op.traits.draws_random_numbers = true;
  op.inputs = [](const Attrs& attrs) { return attrs.has("pvals") ? PortNames{} : PortNames{{"a"}}; };
  op.infer = infer_counts;
  op.lower = lower_counts;
  return op;
}

}  // namespace

std::vector<OpDef> numpy_draw_ops() {
  std::vector<OpDef> ops{make_bernoulli(), make_choice(), make_counts()};
  for (const NumpyDrawEntry& entry : numpy_draw_entries()) ops.push_back(make_numpy_draw(entry));
  return ops;
}

}  // namespace mxinfer::ops
