// Gathers rows of columns into the tensors of a model's inputs.
//
//   Gather gather(batch, bind_inputs(schema, columns, inputs), inputs, most_bytes);
//   for (const RowGroup& group : gather.groups(rows, verdicts)) {
//     const Gathered inputs = gather.read(group, verdicts);   // inputs.views, inputs.rows
#pragma once

#include <mxinfer/signature.h>
#include <mxinfer/tensor.h>

#include <cstdint>
#include <vector>

#include "table/bind_columns.h"
#include "table/table_task.h"
#include "table/verdicts.h"

namespace mxinfer::table {

/// Rows whose samples have the same shapes, by input of the model; empty for those that are left out.
struct RowGroup {
  std::vector<Shape> samples;
  std::vector<std::int64_t> rows;
};

/// One tensor for each input; `rows` are those that are in it.
struct Gathered {
  std::vector<Tensor> owned;
  std::vector<TensorView> views;
  std::vector<std::int64_t> rows;
};

class Gather {
 public:
  /// Borrows all arguments. Groups of several rows have at most `most_bytes` of inputs. Throws
  /// Error(invalid_argument) for arrays that do not match the schema.
  Gather(const Batch& batch, const std::vector<BoundInput>& bound, const std::vector<DataDesc>& inputs,
         std::int64_t most_bytes);

  /// The valid rows grouped by the shapes of their samples, in order of appearance.
  std::vector<RowGroup> groups(Rows rows, Verdicts& verdicts) const;
  /// Rows with a number that does not fit are left out and get a verdict.
  Gathered read(const RowGroup& group, Verdicts& verdicts) const;

 private:
  struct Input {
    const DataDesc* desc;
    std::size_t index;
    std::vector<Column> columns;
    std::vector<std::string> names;
    std::vector<std::int64_t> sizes;  ///< numbers of a cell by its type, -1 if that does not say it
    bool is_text, takes_nulls;
  };
  static std::int64_t null_count(const Input& input, std::size_t column);
  static std::int64_t count_of(const Input& input, std::size_t i, std::int64_t row, Verdicts& verdicts);
  static bool shape_of(const Input& input, std::int64_t row, Verdicts& verdicts, Shape& sample);
  static bool read_row(const Input& input, std::int64_t row, std::int64_t elements, std::byte* to,
                       Verdicts& verdicts);
  static void read_text(const Input& input, std::int64_t row, std::int64_t length, std::byte* to);
  static std::vector<std::int64_t> copy_rows(const std::vector<const Input*>& inputs, const RowGroup& group,
                                             std::vector<Tensor>& tensors, Verdicts& verdicts);
  static TensorView in_place(const Input& input, const RowGroup& group, const Shape& sample);
  [[nodiscard]] std::int64_t bytes_of(const std::vector<Shape>& samples) const;

  std::size_t inputs_;
  std::int64_t most_bytes_;
  std::vector<Input> bound_;
};

}  // namespace mxinfer::table
