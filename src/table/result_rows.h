// Results of rows as columns: classes, detections, outputs.
#pragma once

#include <mxinfer/classifier.h>
#include <mxinfer/signature.h>
#include <mxinfer/tensor.h>
#include <mxinfer/vision/detections.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "table/table_task.h"

namespace mxinfer::table {

/// label, score and index, or for several classes one list of such structs.
std::vector<ColumnSpec> class_columns(int top_k);
/// Without classes, which ClassifierOptions::min_score may bring about, label, score and index are null.
void append_classes(const std::vector<Classification>& classes, int top_k, Builders& to);

std::vector<ColumnSpec> detection_columns();
void append_detections(const std::vector<Detection>& detections, Builders& to);

/// A column for each output. Error(unsupported) for an output of a type that Arrow has not, or that is called
/// "error".
std::vector<ColumnSpec> output_columns(const std::vector<DataDesc>& outputs);
/// A row of tensors with the batch in front.
struct OutputRow {
  std::shared_ptr<const std::vector<Tensor>> outputs;
  std::int64_t row = 0;
};
void append_outputs(const OutputRow& row, const std::vector<ColumnSpec>& columns, Builders& to);

/// Whether each output has `rows` rows, of the dtype and the count that its column was made for;
/// Error(unsupported) for one that has not: a signature may say what the network does not give.
void require_outputs(const std::vector<Tensor>& outputs, const std::vector<DataDesc>& descs,
                     const std::vector<ColumnSpec>& columns, std::size_t rows);

/// Appends rows in order: what `append(i)` does for the i-th right one, nulls for the wrong ones. `right`
/// holds the rows that have a result, by falling position none.
template <typename Append>
void append_rows(Rows rows, const Verdicts& verdicts, Builders& to, const Append& append) {
  for (std::int64_t row = rows.begin; row < rows.end; ++row) {
    if (!verdicts.is_wrong(row)) {
      append(row);
      continue;
    }
    for (ColumnBuilder& column : to) column.append_null();
  }
}

}  // namespace mxinfer::table
