// _mxinfer_lookup: the positions of texts in a list, for columns of a table that hold categories.
#include "kernels/lookup/lookup.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "base/utf8.h"
#include "ops/elementwise/elementwise.h"
#include "ops/tensor/indexing/lookup_values.h"

namespace mxinfer::ops {
namespace {

using nlohmann::json;

/// float32 has every position below it exactly.
constexpr std::size_t kMostValues = std::size_t{1} << 24;

std::string as_text(const json& value, std::size_t position) {
  if (!value.is_string()) {
    fail(ErrorCode::malformed, "values[", position, "] is ", value.type_name(), "; expected a text");
  }
  return value.get<std::string>();
}

void check_values(const std::vector<std::string>& values) {
  if (values.empty() || values.size() > kMostValues) {
    fail(ErrorCode::malformed, "there are ", values.size(), " values; expected 1 to ", kMostValues);
  }
  std::unordered_set<std::string_view> known;
  for (const std::string& value : values) {
    if (value.find('\0') != std::string::npos) {
      fail(ErrorCode::malformed, "value '", printable(value),
           "' holds a zero byte, which a text cannot have");
    }
    if (known.insert(value).second) continue;
    fail(ErrorCode::malformed, "value '", printable(value), "' appears twice, so its position is ambiguous");
  }
}

constexpr std::int64_t kRowGrain = 1024;

class Dictionary {
 public:
  explicit Dictionary(const std::vector<std::string>& values) {
    begins_.push_back(0);
    for (const std::string& value : values) {
      bytes_ += value;
      begins_.push_back(static_cast<std::int64_t>(bytes_.size()));
    }
    std::size_t slots = 2;
    while (slots < 2 * values.size()) slots *= 2;
    slots_.resize(slots);
    for (std::size_t i = 0; i < values.size(); ++i)
      (void)kernels::insert_value(table(), slots_.data(), static_cast<std::int32_t>(i));
  }

  kernels::LookupTable table() const {
    return {bytes_.data(), begins_.data(), slots_.data(), slots_.size() - 1};
  }

 private:
  std::string bytes_;
  std::vector<std::int64_t> begins_;
  std::vector<kernels::LookupSlot> slots_;
};

std::vector<TensorType> infer_lookup(const InferContext& context) {
  const Shape& shape = context.shape(0);
  if (context.dtype(0) != DType::uint8 || shape.rank() != 2) {
    fail(ErrorCode::invalid_argument, "data is ", to_string(context.inputs[0]),
         "; expected text, uint8 (N, bytes)");
  }
  return {{context.attrs.dtype("dtype"), Shape{shape[0]}}};
}

/// The first row whose position is -1.
template <typename T>
std::int64_t first_missing(const void* positions, std::int64_t rows) {
  const T* position = static_cast<const T*>(positions);
  return std::find(position, position + rows, T(-1)) - position;
}

[[noreturn]] void refuse_row(const std::string& node, const kernels::LookupArgs& args, std::int64_t row,
                             std::size_t values) {
  const char* text = args.src + static_cast<std::size_t>(row) * args.row_bytes;
  fail(ErrorCode::invalid_argument, node, kTrail, "row ", row, " is '",
       printable({text, kernels::text_bytes(text, args.row_bytes)}), "', which is not one of the ", values,
       " values, and the lookup has no default");
}

Step lower_lookup(LowerContext& context) {
  const DType dtype = context.output(0).dtype;
  const auto find = kernels::select_lookup(element_type(dtype));
  if (find == nullptr)
    fail(ErrorCode::unsupported, "dtype ", to_string(dtype), ": expected int32 or float32");
  const auto values = parse_lookup_values(context.attrs().text("values"));
  const auto dictionary = std::make_shared<const Dictionary>(values);
  const std::int64_t rows = context.input(0).shape[0];
  const bool is_strict = !context.attrs().has("default");
  kernels::LookupArgs args;
  args.row_bytes = static_cast<std::size_t>(context.input(0).shape[1]);
  args.missing = is_strict ? -1 : static_cast<std::int32_t>(context.attrs().integer("default"));
  Step step{.kernel = concat("lookup_rows_", to_string(dtype), " [ref]")};
  step.reason = concat("a hash table of ", values.size(), " values");
  step.run = [=, count = values.size(), node = graph::describe(context.node())](const RunContext& run) {
    kernels::LookupArgs now = args;
    now.table = dictionary->table();
    now.src = run.input<char>(0);
    parallel_for(rows, kRowGrain, [&](auto begin, auto end) { find(now, run.outputs[0], begin, end); });
    if (!is_strict) return;
    const std::int64_t missing = dtype == DType::int32 ? first_missing<std::int32_t>(run.outputs[0], rows)
                                                       : first_missing<float>(run.outputs[0], rows);
    if (missing < rows) refuse_row(node, now, missing, count);
  };
  return step;
}

}  // namespace

std::vector<std::string> parse_lookup_values(std::string_view text) {
  const json list = json::parse(text.begin(), text.end(), nullptr, false);
  if (!list.is_array()) {
    fail(ErrorCode::malformed, "values is ", printable(text),
         R"(; expected a list of texts, ["clerk", "nurse"])");
  }
  std::vector<std::string> values;
  for (const json& value : list) values.push_back(as_text(value, values.size()));
  check_values(values);
  return values;
}

std::string lookup_values_text(const std::vector<std::string>& values) {
  for (const std::string& value : values) {
    if (!is_utf8(value)) fail(ErrorCode::invalid_argument, "value '", printable(value), "' is not UTF-8");
  }
  return json(values).dump();
}

std::vector<OpDef> lookup_ops() {
  OpDef op;
  op.name = "_mxinfer_lookup";
  op.traits.part = ModelPart::column_transforms;
  op.summary =
      "The position of each row of data in values, a JSON list of texts. data is uint8 (N, bytes): UTF-8, "
      "padded with zero bytes. A text that is not in values gives default; without default it is an error.";
  op.attrs = {text_attr("values", "[]"),
              integer_attr("default")
                  .at_least(std::numeric_limits<std::int32_t>::min())
                  .at_most(std::numeric_limits<std::int32_t>::max())
                  .optional_none(),
              dtype_attr("dtype", "int32")};
  // An error names the row: of the whole batch, not of a part.
  op.traits.per_sample = [](const Attrs& attrs, std::size_t) { return attrs.has("default"); };
  op.infer = infer_lookup;
  op.lower = lower_lookup;
  return {op};
}

}  // namespace mxinfer::ops
