// Writes results of rows into columns: classes, detections, outputs.
#pragma once

#include <mxinfer/classifier.h>
#include <mxinfer/signature.h>
#include <mxinfer/tensor.h>
#include <mxinfer/vision/detections.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "table/table_task.h"

namespace mxinfer::table {

/// label, score and index, or for several classes one list of such structs.
std::vector<ColumnSpec> class_columns(int top_k);
/// The count for classifiers: nullopt for 0, which means all classes.
inline std::optional<int> wanted_classes(int top_k) {
  return top_k == 0 ? std::nullopt : std::optional<int>(top_k);
}
/// If there are no classes, as ClassifierOptions::min_score may cause, label, score and index are null.
void append_classes(const std::vector<Classification>& classes, int top_k, Builders& to);

std::vector<ColumnSpec> detection_columns();
void append_detections(const std::vector<Detection>& detections, Builders& to);

/// A column for each output. Throws Error(unsupported) for an output of a type that Arrow does not have, or
/// named "error".
std::vector<ColumnSpec> output_columns(const std::vector<DataDesc>& outputs);
/// A row of tensors whose first dimension is the batch.
struct OutputRow {
  std::shared_ptr<const std::vector<Tensor>> outputs;
  std::int64_t row = 0;
};
void append_outputs(const OutputRow& row, const std::vector<ColumnSpec>& columns, Builders& to);

/// Checks that each output has `rows` rows of the dtype and count of its column. Throws Error(unsupported)
/// otherwise: a signature may differ from the network.
void require_outputs(const std::vector<Tensor>& outputs, const std::vector<DataDesc>& descs,
                     const std::vector<ColumnSpec>& columns, std::size_t rows);

/// Throws Error(unsupported) unless there are as many results as rows.
void require_results(std::size_t results, std::size_t rows);

/// The results of some rows, added in any order and appended in the order of the rows.
template <typename Result>
class ResultRows {
 public:
  explicit ResultRows(Rows rows) : rows_(rows), results_(static_cast<std::size_t>(rows.count())) {}

  Result& operator[](std::int64_t row) { return results_[static_cast<std::size_t>(row - rows_.begin)]; }
  /// Calls append(result) for each valid row, and appends null to each column for the others.
  template <typename Append>
  void append_to(Builders& to, const Verdicts& verdicts, const Append& append) {
    for (std::int64_t row = rows_.begin; row < rows_.end; ++row) {
      if (!verdicts.is_wrong(row)) {
        append((*this)[row]);
        continue;
      }
      for (ColumnBuilder& column : to) column.append_null();
    }
  }

 private:
  Rows rows_;
  std::vector<Result> results_;
};

}  // namespace mxinfer::table
