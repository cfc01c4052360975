// TableTask: runs a table and collects the results of its rows. There is one for each class of predictor.
//
//   const std::unique_ptr<TableTask> task = make_task(classifier, options);
//   task->check(schema);                             // before there are rows
//   const RunRows run = task->start({schema, array});
//   run({0, 32}, builders, verdicts);                // appends 32 rows, null where one is wrong
#pragma once

#include <mxinfer/classifier.h>
#include <mxinfer/predictor.h>
#include <mxinfer/sequence/text_classifier.h>
#include <mxinfer/table/table_predictor.h>
#include <mxinfer/vision/image_classifier.h>
#include <mxinfer/vision/object_detector.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "table/column.h"
#include "table/result_column.h"
#include "table/verdicts.h"

namespace mxinfer::table {

using Builders = std::vector<ColumnBuilder>;

/// Appends the results of rows of a batch to the builders, one for each column of TableTask::columns().
using RunRows = std::function<void(Rows rows, Builders& results, Verdicts& verdicts)>;

/// A record batch. Both structs are borrowed.
struct Batch {
  const ArrowSchema& schema;
  const ArrowArray& array;

  [[nodiscard]] Column column(std::int64_t index) const {
    return {*schema.children[index], *array.children[index], array.offset, array.length};
  }
};

class TableTask {
 public:
  TableTask() = default;
  TableTask(const TableTask&) = delete;
  TableTask& operator=(const TableTask&) = delete;
  virtual ~TableTask() = default;

  /// The columns of results, without "error".
  [[nodiscard]] virtual std::vector<ColumnSpec> columns() const = 0;
  /// Throws as TablePredictor::result_schema.
  virtual void check(const ArrowSchema& table) const = 0;
  /// A function that runs the rows of a batch; the task and the batch's structs must outlive it. Throws
  /// Error(invalid_argument) for arrays that do not match their schema. Precondition: check() was called.
  [[nodiscard]] virtual RunRows start(const Batch& batch) const = 0;
  /// The default number of rows that run as one batch.
  [[nodiscard]] virtual std::int64_t batch_rows() const = 0;
};

std::unique_ptr<TableTask> make_task(const Predictor& predictor, const TableOptions& options);
std::unique_ptr<TableTask> make_task(const Classifier& classifier, const TableOptions& options);
std::unique_ptr<TableTask> make_task(const ImageClassifier& classifier, const TableOptions& options);
std::unique_ptr<TableTask> make_task(const ObjectDetector& detector, const TableOptions& options);
std::unique_ptr<TableTask> make_task(const TextClassifier& classifier, const TableOptions& options);

}  // namespace mxinfer::table
