#include <mxinfer/table/table_predictor.h>

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "table/bind_columns.h"
#include "table/table_task.h"

namespace mxinfer {

using table::Batch;
using table::bit_is_set;
using table::ColumnData;
using table::ColumnSpec;
using table::Rows;
using table::Verdicts;

struct TablePredictor::Impl {
  std::unique_ptr<table::TableTask> task;
  RowErrors errors;
  std::int64_t batch_rows;

  [[nodiscard]] std::vector<ColumnSpec> columns() const {
    std::vector<ColumnSpec> columns = task->columns();
    if (errors == RowErrors::column) columns.push_back({"error", "u"});
    return columns;
  }
};

namespace {

template <typename P>
std::unique_ptr<table::TableTask> checked_task(const P& predictor, const TableOptions& options) {
  if (options.batch_rows < 0) {
    fail(ErrorCode::invalid_argument, "batch_rows of a table is ", options.batch_rows,
         "; expected the number of rows that run as one batch, or 0");
  }
  if (options.top_k < 0) {
    fail(ErrorCode::invalid_argument, "top_k of a table is ", options.top_k,
         "; expected the number of classes to return, or 0 for all");
  }
  return table::make_task(predictor, options);
}

void require_batch(const ArrowSchema& schema, const ArrowArray& array) {
  const bool is_sound = array.release != nullptr && array.length >= 0 && array.offset >= 0 &&
                        array.n_children == schema.n_children &&
                        (array.n_children == 0 || array.children != nullptr);
  if (is_sound) return;
  fail(ErrorCode::invalid_argument, "the record batch is released, or has ", array.n_children,
       " columns where its schema has ", schema.n_children,
       "; give a batch of the schema that is not released");
}

/// Nulls of the batch itself, which record batches do not have but structs may.
void set_null_rows(const ArrowArray& array, Rows rows, Verdicts& verdicts) {
  if (array.null_count == 0 || array.n_buffers == 0 || array.buffers == nullptr ||
      array.buffers[0] == nullptr)
    return;
  for (std::int64_t row = rows.begin; row < rows.end; ++row) {
    if (!bit_is_set(array.buffers[0], row + array.offset))
      verdicts.set(row, Error(ErrorCode::invalid_argument, "the row is null"));
  }
}

void append_errors(Rows rows, const Verdicts& verdicts, table::ColumnBuilder& to) {
  auto next = verdicts.all().begin();
  for (std::int64_t row = rows.begin; row < rows.end; ++row) {
    if (next == verdicts.all().end() || next->first != row) {
      to.append_null();
      continue;
    }
    to.append_text(next->second.what());
    ++next;
  }
}

/// The results of all rows, batch by batch.
class Run {
 public:
  Run(const table::TableTask& task, RowErrors errors, std::int64_t batch_rows)
      : task_(task), errors_(errors), batch_rows_(batch_rows), error_({"error", "u"}) {
    for (const ColumnSpec& column : task.columns()) results_.emplace_back(column);
  }

  void run(const Batch& batch) {
    const std::int64_t length = batch.array.length;
    if (length == 0) return;
    const table::RunRows run_rows = task_.start(batch);
    for (std::int64_t row = 0; row < length; row += batch_rows_)
      append_rows(batch.array, {row, std::min(row + batch_rows_, length)}, run_rows);
  }

  std::vector<ColumnData> take() {
    std::vector<ColumnData> columns;
    for (table::ColumnBuilder& column : results_) columns.push_back(column.take());
    if (errors_ == RowErrors::column) columns.push_back(error_.take());
    return columns;
  }

 private:
  void append_rows(const ArrowArray& array, Rows rows, const table::RunRows& run_rows) {
    Verdicts verdicts;
    set_null_rows(array, rows, verdicts);
    run_rows(rows, results_, verdicts);
    if (errors_ == RowErrors::column) return append_errors(rows, verdicts, error_);
    if (verdicts.all().empty()) return;
    const auto& [row, error] = *verdicts.all().begin();
    throw Error(error.code(), concat("row ", row, kTrail, error.what()));
  }

  const table::TableTask& task_;
  RowErrors errors_;
  std::int64_t batch_rows_;
  table::Builders results_;
  table::ColumnBuilder error_;
};

template <typename Impl, typename P>
std::shared_ptr<const Impl> make_impl(const P& predictor, const TableOptions& options) {
  auto impl = std::make_shared<Impl>();
  impl->task = checked_task(predictor, options);
  impl->errors = options.errors;
  impl->batch_rows = options.batch_rows > 0 ? options.batch_rows : impl->task->batch_rows();
  return impl;
}

}  // namespace

TablePredictor::TablePredictor(const Predictor& predictor, const TableOptions& options) try
    : impl_(make_impl<Impl>(predictor, options)) {
} catch (...) {
  throw_as_error();
}

TablePredictor::TablePredictor(const Classifier& classifier, const TableOptions& options) try
    : impl_(make_impl<Impl>(classifier, options)) {
} catch (...) {
  throw_as_error();
}

TablePredictor::TablePredictor(const ImageClassifier& classifier, const TableOptions& options) try
    : impl_(make_impl<Impl>(classifier, options)) {
} catch (...) {
  throw_as_error();
}

TablePredictor::TablePredictor(const ObjectDetector& detector, const TableOptions& options) try
    : impl_(make_impl<Impl>(detector, options)) {
} catch (...) {
  throw_as_error();
}

TablePredictor::TablePredictor(const TextClassifier& classifier, const TableOptions& options) try
    : impl_(make_impl<Impl>(classifier, options)) {
} catch (...) {
  throw_as_error();
}

TablePredictor::TablePredictor(const TablePredictor&) noexcept = default;
TablePredictor& TablePredictor::operator=(const TablePredictor&) noexcept = default;
TablePredictor::~TablePredictor() = default;

void TablePredictor::result_schema(const ArrowSchema& table, ArrowSchema* result) const try {
  impl_->task->check(table);
  table::export_schema(impl_->columns(), result);
} catch (...) {
  throw_as_error();
}

void TablePredictor::predict(const ArrowSchema& table, const ArrowArray& batch, ArrowArray* result) const
    try {
  impl_->task->check(table);
  require_batch(table, batch);
  Run run(*impl_->task, impl_->errors, impl_->batch_rows);
  run.run({table, batch});
  table::export_struct(run.take(), batch.length, result);
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
