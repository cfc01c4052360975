// Tables of numbers and texts: run as whole batches of tensors.
#include <mxinfer/classifier.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "api/core/run_images.h"
#include "base/fail.h"
#include "table/bind_columns.h"
#include "table/desc_traits.h"
#include "table/gather_inputs.h"
#include "table/image_rows.h"
#include "table/result_rows.h"
#include "table/table_task.h"

namespace mxinfer::table {
namespace {

constexpr std::int64_t kMostRows = 256;
constexpr std::int64_t kBatchBytes = std::int64_t{8} << 20;

/// The number of rows with kBatchBytes of inputs.
std::int64_t rows_for(const std::vector<DataDesc>& inputs) {
  std::int64_t bytes = 0;
  for (const DataDesc& input : inputs)
    bytes += std::max<std::int64_t>(sample_count(input), 1) * static_cast<std::int64_t>(size_of(input.dtype));
  return std::clamp<std::int64_t>(kBatchBytes / std::max<std::int64_t>(bytes, 1), 1, kMostRows);
}

void require_batch_in_front(const DataDesc& desc, const char* what) {
  if (desc.shape.rank() == 0 || batch_axis(desc) == std::size_t{0}) return;
  fail(ErrorCode::unsupported, what, " '", printable(desc.name), "' (", to_string(desc),
       ") does not have the batch as its first dimension, so a row of a table is not a sample of it");
}

/// Runs groups of rows; calls use(outputs, rows) for each group.
class ArrayRows {
 public:
  ArrayRows(const Predictor& predictor, const TableOptions& options)
      : predictor_(predictor),
        columns_(options.columns),
        most_bytes_(options.batch_rows > 0 ? std::numeric_limits<std::int64_t>::max() : kBatchBytes) {
    for (const DataDesc& input : inputs()) require_batch_in_front(input, "input");
  }

  void check(const ArrowSchema& table) const { (void)bind_inputs(table, columns_, inputs()); }
  [[nodiscard]] std::int64_t batch_rows() const { return rows_for(inputs()); }

  using Use = std::function<void(std::vector<Tensor>, const std::vector<std::int64_t>&)>;

  [[nodiscard]] Gather gather(const Batch& batch) const {
    return {batch, bind_inputs(batch.schema, columns_, inputs()), inputs(), most_bytes_};
  }

  void run(const Gather& gather, Rows rows, Verdicts& verdicts, const Use& use) const {
    for (const RowGroup& group : gather.groups(rows, verdicts)) {
      const Gathered gathered = gather.read(group, verdicts);
      if (gathered.rows.empty()) continue;
      if (!run_group(gathered, verdicts, use))
        run_each(gather, {group.samples, gathered.rows}, verdicts, use);
    }
  }

 private:
  [[nodiscard]] const std::vector<DataDesc>& inputs() const { return predictor_.model().signature().inputs; }

  /// False if the model rejects the rows and a single row may be the cause, such as a text that its lookup
  /// lacks.
  bool run_group(const Gathered& gathered, Verdicts& verdicts, const Use& use) const {
    std::vector<Tensor> outputs;
    try {
      outputs = api::predict_rows(predictor_, gathered.views);
    } catch (const Error& e) {
      if (e.code() != ErrorCode::invalid_argument) throw;
      if (gathered.rows.size() > 1) return false;
      verdicts.set(gathered.rows[0], e);
      return true;
    }
    use(std::move(outputs), gathered.rows);
    return true;
  }

  /// In halves, so that few runs find the rejected rows.
  void run_each(const Gather& gather, const RowGroup& group, Verdicts& verdicts, const Use& use) const {
    const std::size_t middle = group.rows.size() / 2;
    const auto at = group.rows.begin() + static_cast<std::ptrdiff_t>(middle);
    for (const auto& half : {std::vector<std::int64_t>(group.rows.begin(), at), {at, group.rows.end()}}) {
      const RowGroup part{group.samples, half};
      if (!run_group(gather.read(part, verdicts), verdicts, use)) run_each(gather, part, verdicts, use);
    }
  }

  Predictor predictor_;
  std::vector<InputColumns> columns_;
  std::int64_t most_bytes_;
};

class PredictArrays final : public TableTask {
 public:
  PredictArrays(const Predictor& predictor, const TableOptions& options)
      : rows_(predictor, options),
        outputs_(predictor.model().signature().outputs),
        columns_(output_columns(outputs_)) {}

  std::vector<ColumnSpec> columns() const override { return columns_; }
  void check(const ArrowSchema& table) const override { rows_.check(table); }
  std::int64_t batch_rows() const override { return rows_.batch_rows(); }

  RunRows start(const Batch& batch) const override {
    return [this, gather = rows_.gather(batch)](Rows rows, Builders& results, Verdicts& verdicts) {
      ResultRows<OutputRow> found(rows);
      rows_.run(gather, rows, verdicts,
                [&](std::vector<Tensor> outputs, const std::vector<std::int64_t>& of) {
                  require_outputs(outputs, outputs_, columns_, of.size());
                  const auto shared = std::make_shared<const std::vector<Tensor>>(std::move(outputs));
                  for (std::size_t i = 0; i < of.size(); ++i)
                    found[of[i]] = {shared, static_cast<std::int64_t>(i)};
                });
      found.append_to(results, verdicts,
                      [&](const OutputRow& row) { append_outputs(row, columns_, results); });
    };
  }

 private:
  ArrayRows rows_;
  std::vector<DataDesc> outputs_;
  std::vector<ColumnSpec> columns_;
};

class ClassifyArrays final : public TableTask {
 public:
  ClassifyArrays(const Classifier& classifier, const TableOptions& options)
      : classifier_(classifier), rows_(classifier, options), top_k_(options.top_k) {}

  std::vector<ColumnSpec> columns() const override { return class_columns(top_k_); }
  void check(const ArrowSchema& table) const override { rows_.check(table); }
  std::int64_t batch_rows() const override { return rows_.batch_rows(); }

  RunRows start(const Batch& batch) const override {
    return [this, gather = rows_.gather(batch)](Rows rows, Builders& results, Verdicts& verdicts) {
      ResultRows<std::vector<Classification>> found(rows);
      rows_.run(gather, rows, verdicts,
                [&](std::vector<Tensor> outputs, const std::vector<std::int64_t>& of) {
                  auto classes = classifier_.rank(std::move(outputs), wanted_classes(top_k_));
                  require_results(classes.size(), of.size());
                  for (std::size_t i = 0; i < of.size(); ++i) found[of[i]] = std::move(classes[i]);
                });
      found.append_to(results, verdicts,
                      [&](const auto& classes) { append_classes(classes, top_k_, results); });
    };
  }

 private:
  Classifier classifier_;
  ArrayRows rows_;
  int top_k_;
};

bool takes_images(const Predictor& predictor) {
  const std::vector<DataDesc>& inputs = predictor.model().signature().inputs;
  return inputs.size() == 1 &&
         (inputs[0].meaning == Meaning::image || inputs[0].meaning == Meaning::encoded_image) &&
         inputs[0].dtype == DType::uint8;
}

}  // namespace

std::unique_ptr<TableTask> make_task(const Predictor& predictor, const TableOptions& options) {
  if (takes_images(predictor)) return make_image_outputs(predictor, options);
  return std::make_unique<PredictArrays>(predictor, options);
}

std::unique_ptr<TableTask> make_task(const Classifier& classifier, const TableOptions& options) {
  return std::make_unique<ClassifyArrays>(classifier, options);
}

}  // namespace mxinfer::table
