#include "table/result_rows.h"

#include "base/fail.h"
#include "table/arrow_type.h"
#include "table/desc_traits.h"

namespace mxinfer::table {
namespace {

std::vector<ColumnSpec> class_members() {
  return {{"label", "u"}, {"score", "f"}, {"index", "i"}};
}

std::string number_format(const DataDesc& output) {
  if (const char format = arrow_format(output.dtype)) return {format};
  fail(ErrorCode::unsupported, "output '", printable(output.name), "' is ", to_string(output.dtype),
       ", a type that Arrow does not have");
}

/// The first members of a struct of class_members().
template <typename Found>
void append_class(const Found& found, ColumnBuilder& label, ColumnBuilder& score, ColumnBuilder& index) {
  label.append_text(found.label);
  score.append(found.score);
  index.append(static_cast<std::int32_t>(found.index));
}

ColumnSpec output_column(const DataDesc& output) {
  if (output.name == "error")
    fail(ErrorCode::unsupported, "an output is called 'error', like the column of errors");
  const std::string number = number_format(output);
  const std::int64_t size = sample_count(output);
  if (size == 1) return {output.name, number};
  return {output.name, size < 0 ? "+l" : concat("+w:", size), {{"item", number}}};
}

}  // namespace

std::vector<ColumnSpec> class_columns(int top_k) {
  if (top_k == 1) return class_members();
  return {{"classes", "+l", {{"item", "+s", class_members()}}}};
}

void append_classes(const std::vector<Classification>& classes, int top_k, Builders& to) {
  if (top_k == 1) {
    if (classes.empty()) {
      for (ColumnBuilder& column : to) column.append_null();
      return;
    }
    return append_class(classes[0], to[0], to[1], to[2]);
  }
  ColumnBuilder& item = to[0].child(0);
  for (const Classification& each : classes) {
    append_class(each, item.child(0), item.child(1), item.child(2));
    item.end_row();
  }
  to[0].end_row();
}

std::vector<ColumnSpec> detection_columns() {
  std::vector<ColumnSpec> members = class_members();
  for (const char* side : {"left", "top", "right", "bottom"}) members.push_back({side, "f"});
  return {{"detections", "+l", {{"item", "+s", members}}}};
}

void append_detections(const std::vector<Detection>& detections, Builders& to) {
  ColumnBuilder& item = to[0].child(0);
  for (const Detection& each : detections) {
    append_class(each, item.child(0), item.child(1), item.child(2));
    item.child(3).append(each.box.left);
    item.child(4).append(each.box.top);
    item.child(5).append(each.box.right);
    item.child(6).append(each.box.bottom);
    item.end_row();
  }
  to[0].end_row();
}

std::vector<ColumnSpec> output_columns(const std::vector<DataDesc>& outputs) {
  std::vector<ColumnSpec> columns;
  for (const DataDesc& output : outputs) columns.push_back(output_column(output));
  return columns;
}

void require_outputs(const std::vector<Tensor>& outputs, const std::vector<DataDesc>& descs,
                     const std::vector<ColumnSpec>& columns, std::size_t rows) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Tensor& output = outputs[i];
    const Shape& shape = output.shape();
    const bool has_rows = shape.rank() > 0 && shape[0] == static_cast<std::int64_t>(rows) && rows > 0;
    const std::int64_t wanted = sample_count(descs[i]);
    const bool fits = has_rows && output.dtype() == descs[i].dtype &&
                      (columns[i].format == "+l" || output.elements() / shape[0] == wanted);
    if (fits) continue;
    fail(ErrorCode::unsupported, "output '", printable(descs[i].name), "' is ", to_string(output.dtype()),
         " ", to_string(shape), " for ", rows, " rows, but the model's signature says ", to_string(descs[i]),
         ", a row of results for each row");
  }
}

void require_results(std::size_t results, std::size_t rows) {
  if (results == rows) return;
  fail(ErrorCode::unsupported, "the model gives results of ", results, " samples for ", rows,
       " rows; expected a result for each row");
}

void append_outputs(const OutputRow& row, const std::vector<ColumnSpec>& columns, Builders& to) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    const Tensor& output = (*row.outputs)[i];
    const std::int64_t count = output.elements() / output.shape()[0];
    const auto bytes = static_cast<std::size_t>(row.row * count) * size_of(output.dtype());
    const auto* const numbers = static_cast<const std::byte*>(output.raw()) + bytes;
    if (columns[i].format == "+l") {
      to[i].append_list(numbers, count);
    } else {
      to[i].append_numbers(numbers);
    }
  }
}

}  // namespace mxinfer::table
