#include "compose/columns/column_steps.h"

#include <algorithm>
#include <cmath>

#include "base/fail.h"
#include "compose/number_text.h"
#include "compose/transform_steps.h"
#include "ops/tensor/indexing/lookup_values.h"
#include "tensor/floating.h"

namespace mxinfer::api {
namespace {

using graph::Attrs;

bool says_nothing(const std::string& text) {
  return text.empty() || text == "None";
}

double number_for_null(const std::string& text) {
  const graph::AttrSpec spec = graph::number_attr("value");
  const double value = std::get<double>(graph::parse_value(spec, text));
  if (std::isnan(value)) fail(ErrorCode::invalid_argument, "value is NaN, which is what it replaces");
  return value;
}

/// One number, where all are the same.
bool is_one_number(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [&](double each) { return each == numbers[0]; });
}

void append_arithmetic(Chain& chain, const char* with_number, const char* with_row, const char* what,
                       const std::vector<double>& numbers) {
  if (numbers.empty()) fail(ErrorCode::invalid_argument, what, " has no number");
  const ops::TensorType type = common_type(chain.types());
  const auto count = static_cast<std::int64_t>(numbers.size());
  if (count > 1 && (type.shape.rank() != 2 || type.shape[1] != count)) {
    fail(ErrorCode::invalid_argument, what, " has ", count, " numbers, but a row is ", ops::to_string(type),
         "; give one number for all, or one for each");
  }
  if (is_one_number(numbers)) {
    chain.append(with_number, {{"scalar", number_text(numbers[0])}});
  } else {
    chain.append_with_row(with_row, numbers);
  }
}

/// Whether the lookup of a column, if any, accepts the empty text.
bool knows_empty_text(const Transform& lookup) {
  const auto given = lookup.attrs.find("default");
  if (given != lookup.attrs.end() && given->second != "None") return true;
  const auto values = lookup.attrs.find("values");
  if (values == lookup.attrs.end()) return false;
  const auto list = ops::parse_lookup_values(values->second);
  return std::find(list.begin(), list.end(), "") != list.end();
}

}  // namespace

std::vector<graph::AttrSpec> fill_null_attrs() {
  return {graph::text_attr("value", "")};
}

void fill_null(const Attrs& attrs, Chain& chain) {
  const std::string& value = attrs.text("value");
  if (chain.is_text()) {
    if (says_nothing(value)) return;  // a row of zero bytes is the empty text already
    fail(ErrorCode::invalid_argument, "value is ", printable(value),
         ", but a null of text is the empty text: leave value out, and have \"\" among the values of lookup, "
         "or a default");
  }
  const DType dtype = chain.types().front().dtype;
  if (!is_float(dtype)) {
    fail(ErrorCode::invalid_argument, "it replaces NaN, which ", to_string(dtype),
         " does not have; give the column a floating point dtype");
  }
  if (says_nothing(value)) fail(ErrorCode::invalid_argument, "value is missing; expected a number");
  chain.append("_mxinfer_fill_nan", {{"value", number_text(number_for_null(value))}});
}

std::vector<graph::AttrSpec> lookup_attrs() {
  return {graph::text_attr("values", "[]"), graph::integer_attr("default").optional_none(),
          graph::choice_attr("dtype", {"int32", "float32"}, "int32")};
}

void lookup(const Attrs& attrs, Chain& chain) {
  const std::vector<std::string> values = ops::parse_lookup_values(attrs.text("values"));
  std::map<std::string, std::string> node = {{"values", ops::lookup_values_text(values)},
                                             {"dtype", attrs.choice("dtype")}};
  if (attrs.has("default")) node["default"] = std::to_string(attrs.integer("default"));
  chain.append("_mxinfer_lookup", std::move(node));
}

void normalize_column(const Attrs& attrs, Chain& chain) {
  if (!is_float(chain.types().front().dtype)) chain.append("Cast", {{"dtype", "float32"}});
  append_arithmetic(chain, "_minus_scalar", "broadcast_sub", "mean", attrs.number_tuple("mean"));
  append_arithmetic(chain, "_div_scalar", "broadcast_div", "std", attrs.number_tuple("std"));
}

bool takes_nulls(const ColumnTransform& column) {
  if (column.steps.empty()) return false;
  const bool is_stated = column.steps[0].op == "fill_null";
  if (!column.is_text) return is_stated;
  const auto found = std::find_if(column.steps.begin(), column.steps.end(),
                                  [](const Transform& step) { return step.op != "fill_null"; });
  const bool is_known = found != column.steps.end() && found->op == "lookup" && knows_empty_text(*found);
  if (!is_stated || is_known) return is_known;
  fail(ErrorCode::invalid_argument,
       "it takes nulls (fill_null), which are the empty text, but its lookup has neither \"\" among its "
       "values nor a default");
}

}  // namespace mxinfer::api
