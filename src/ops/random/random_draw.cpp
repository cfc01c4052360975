// Operators that draw from a distribution whose parameters are attributes: _random_uniform and its kin, and
// those that give as many numbers as another tensor has (_random_uniform_like).
#include "ops/random/draws.h"

namespace mxinfer::ops {
namespace {

struct DrawAttr {
  const char* name;
  double default_value;
};

struct DrawEntry {
  const char* name;  ///< behind _random_, and without it
  const char* distribution;
  std::vector<DrawAttr> parameters;
};

const std::vector<DrawEntry>& draw_entries() {
  static const auto& entries = *new std::vector<DrawEntry>{
      {"uniform", "uniform", {{"low", 0}, {"high", 1}}},
      {"normal", "normal", {{"loc", 0}, {"scale", 1}}},
      {"gamma", "gamma", {{"alpha", 1}, {"beta", 1}}},
      {"exponential", "exponential", {{"lam", 1}}},
      {"poisson", "poisson", {{"lam", 1}}},
      {"negative_binomial", "negative_binomial", {{"k", 1}, {"p", 1}}},
      {"generalized_negative_binomial", "generalized_negative_binomial", {{"mu", 1}, {"alpha", 1}}},
  };
  return entries;
}

Step lower_draw(const DrawEntry& entry, LowerContext& context) {
  std::vector<DrawParameter> parameters;
  for (const DrawAttr& attr : entry.parameters) parameters.push_back({context.attrs().number(attr.name)});
  return draw_step(context, find_distribution(entry.distribution), parameters);
}

void add_parameters(const DrawEntry& entry, OpDef& op) {
  for (const DrawAttr& attr : entry.parameters)
    op.attrs.push_back(number_attr(attr.name, attr.default_value));
  op.traits.draws_random_numbers = true;
  op.lower = [entry](LowerContext& context) { return lower_draw(entry, context); };
}

OpDef make_draw(const DrawEntry& entry) {
  const std::string name = concat("random_", entry.name);
  OpDef op{.name = "_" + name, .aliases = {name}};
  for (const char* each : {"uniform", "normal", "exponential", "poisson", "negative_binomial",
                           "generalized_negative_binomial"}) {
    if (entry.name == std::string_view(each)) op.aliases.emplace_back(each);
  }
  op.summary = concat("Draws numbers of the ", entry.distribution, " distribution.");
  op.attrs = {tuple_attr("shape", "None").optional_none(), text_attr("ctx", "").without_effect(),
              choice_attr("dtype", {"float16", "float32", "float64"}, "None").optional_none()};
  add_parameters(entry, op);
  op.inputs = named_ports({});
  op.infer = [](const InferContext& context) -> std::vector<TensorType> {
    const bool given = context.attrs.has("dtype");
    return {{given ? context.attrs.dtype("dtype") : DType::float32, drawn_shape(context.attrs, "shape")}};
  };
  return op;
}

OpDef make_draw_like(const DrawEntry& entry) {
  OpDef op{.name = concat("_random_", entry.name, "_like")};
  op.summary = concat("Draws numbers of the ", entry.distribution, " distribution, as many as data has.");
  add_parameters(entry, op);
  op.traits.keeps_shape = true;
  op.infer = [](const InferContext& context) -> std::vector<TensorType> {
    const DType dtype = context.dtype(0);
    if (dtype != DType::float16 && dtype != DType::float32 && dtype != DType::float64)
      fail(ErrorCode::unsupported, "data is ", to_string(dtype), ": expected a floating point dtype");
    return {context.inputs[0]};
  };
  op.unify = unify_first;
  return op;
}

Step lower_integers(LowerContext& context) {
  const std::int64_t low = context.attrs().integer("low"), high = context.attrs().integer("high");
  const TensorType& output = context.output(0);
  const bool is_wide = output.dtype == DType::int64;
  const std::int64_t count = output.shape.elements();
  Step step{.kernel = "draw_integers_ref [ref]"};
  step.run = [=, source = RandomSource(context)](const RunContext& run) {
    const std::uint64_t key = source.next_run();
    parallel_for(count, 1024, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t value = low + RandomSource::draws(key, i).below(high - low);
        if (is_wide) {
          run.output<std::int64_t>(0)[i] = value;
        } else {
          run.output<std::int32_t>(0)[i] = static_cast<std::int32_t>(value);
        }
      }
    });
  };
  return step;
}

OpDef make_integers() {
  OpDef op{.name = "_random_randint", .aliases = {"_npi_random_randint", "random_randint"}};
  op.summary = "Draws whole numbers from low to high - 1.";
  op.attrs = {integer_attr("low"), integer_attr("high"), tuple_attr("shape", "None").optional_none(),
              text_attr("ctx", "").without_effect(),
              choice_attr("dtype", {"int32", "int64"}, "None").optional_none()};
  op.traits.draws_random_numbers = true;
  op.inputs = named_ports({});
  op.infer = [](const InferContext& context) -> std::vector<TensorType> {
    const std::int64_t low = context.attrs.integer("low"), high = context.attrs.integer("high");
    std::int64_t count = 0;
    if (__builtin_sub_overflow(high, low, &count) || count <= 0 || count > (std::int64_t{1} << 53)) {
      fail(ErrorCode::malformed, "low=", low, " and high=", high,
           ": expected low < high, with at most 2^53 numbers between them");
    }
    const bool is_wide = context.attrs.has("dtype") && context.attrs.dtype("dtype") == DType::int64;
    return {{is_wide ? DType::int64 : DType::int32, drawn_shape(context.attrs, "shape")}};
  };
  op.lower = lower_integers;
  return op;
}

}  // namespace

std::vector<OpDef> random_draw_ops() {
  std::vector<OpDef> ops{make_integers()};
  for (const DrawEntry& entry : draw_entries()) {
    ops.push_back(make_draw(entry));
    ops.push_back(make_draw_like(entry));
  }
  return ops;
}

}  // namespace mxinfer::ops
