#include "table/result_rows.h"

#include "base/fail.h"

namespace mxinfer::table {
namespace {

std::vector<ColumnSpec> class_members() {
  return {{"label", "u"}, {"score", "f"}, {"index", "i"}};
}

/// The format of Arrow for a dtype; booleans are a byte each.
std::string format_of(const DataDesc& output) {
  switch (output.dtype) {
    case DType::float32:
      return "f";
    case DType::float64:
      return "g";
    case DType::float16:
      return "e";
    case DType::uint8:
    case DType::boolean:
      return "C";
    case DType::int8:
      return "c";
    case DType::int16:
      return "s";
    case DType::uint16:
      return "S";
    case DType::int32:
      return "i";
    case DType::uint32:
      return "I";
    case DType::int64:
      return "l";
    case DType::uint64:
      return "L";
    default:
      fail(ErrorCode::unsupported, "output '", printable(output.name), "' is ", to_string(output.dtype),
           ", a type that Arrow does not have");
  }
}

/// The numbers of a row, -1 if the signature does not say it.
std::int64_t row_size(const DataDesc& output) {
  if (output.shape.rank() == 0) return -1;
  std::int64_t size = 1;
  for (std::size_t i = 1; i < output.shape.rank(); ++i) {
    if (output.shape[i] < 0) return -1;
    size *= output.shape[i];
  }
  return size;
}

ColumnSpec output_column(const DataDesc& output) {
  if (output.name == "error")
    fail(ErrorCode::unsupported, "an output is called 'error', as the column of errors is");
  const std::string number = format_of(output);
  const std::int64_t size = row_size(output);
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
    to[0].append_text(classes[0].label);
    to[1].append(classes[0].score);
    to[2].append(static_cast<std::int32_t>(classes[0].index));
    return;
  }
  ColumnBuilder& item = to[0].child(0);
  for (const Classification& each : classes) {
    item.child(0).append_text(each.label);
    item.child(1).append(each.score);
    item.child(2).append(static_cast<std::int32_t>(each.index));
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
    item.child(0).append_text(each.label);
    item.child(1).append(each.score);
    item.child(2).append(static_cast<std::int32_t>(each.index));
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
    const std::int64_t wanted = row_size(descs[i]);
    const bool fits = has_rows && output.dtype() == descs[i].dtype &&
                      (columns[i].format == "+l" || output.elements() / shape[0] == wanted);
    if (fits) continue;
    fail(ErrorCode::unsupported, "output '", printable(descs[i].name), "' is ", to_string(output.dtype()),
         " ", to_string(shape), " for ", rows, " rows, where the model's signature says ",
         to_string(descs[i]), ", with a row of results for each row");
  }
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
