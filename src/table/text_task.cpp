// Tables of texts, for a TextClassifier: one column of strings, or two of pairs.
#include <mxinfer/sequence/text_classifier.h>

#include <string>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "table/bind_columns.h"
#include "table/result_rows.h"
#include "table/table_task.h"

namespace mxinfer::table {
namespace {

constexpr std::int64_t kTextRows = 256;
constexpr const char* kTextInputs[] = {"text", "text_pair"};

std::vector<DataDesc> text_descs(std::size_t count) {
  std::vector<DataDesc> descs(count);
  for (std::size_t i = 0; i < count; ++i) {
    descs[i].name = kTextInputs[i];
    descs[i].dtype = DType::uint8;
    descs[i].shape = {-1, -1};
    descs[i].meaning = Meaning::text;
  }
  return descs;
}

/// The named columns, for any input.
std::vector<std::string> named_columns(const std::vector<InputColumns>& columns) {
  std::vector<std::string> names;
  for (const InputColumns& each : columns)
    names.insert(names.end(), each.columns.begin(), each.columns.end());
  return names;
}

/// The column that is called "text", or the only one that has strings.
std::vector<std::string> only_text_column(const ArrowSchema& table) {
  std::vector<std::string> names;
  for (std::int64_t i = 0; table.children != nullptr && i < table.n_children; ++i) {
    const ArrowSchema& column = *table.children[i];
    if (arrow_type(column).kind != CellKind::text) continue;
    if (column_name(column) == kTextInputs[0]) return {kTextInputs[0]};
    names.push_back(column_name(column));
  }
  if (names.size() > 1) {
    fail(ErrorCode::invalid_argument, "the table has ", names.size(),
         " columns of strings; name the one that has the texts, or two for pairs of texts");
  }
  return names.empty() ? std::vector<std::string>{kTextInputs[0]} : names;
}

/// One position, or two of pairs.
std::vector<std::int64_t> bind_texts(const ArrowSchema& table, const std::vector<InputColumns>& columns) {
  const std::vector<std::string> names = columns.empty() ? only_text_column(table) : named_columns(columns);
  if (names.empty() || names.size() > 2) {
    fail(ErrorCode::invalid_argument, names.size(), " columns are named for the texts; name one, or two for ",
         "pairs of texts");
  }
  std::vector<InputColumns> wanted;
  for (std::size_t i = 0; i < names.size(); ++i) wanted.push_back({kTextInputs[i], {names[i]}});
  std::vector<std::int64_t> found;
  for (const BoundInput& bound : bind_inputs(table, wanted, text_descs(names.size())))
    found.push_back(bound.columns[0]);
  return found;
}

std::string text_at(const Column& column, std::int64_t row) {
  const ByteSpan text = column.bytes(row);
  return {reinterpret_cast<const char*>(text.data()), text.size()};
}

class ClassifyTexts final : public TableTask {
 public:
  ClassifyTexts(const TextClassifier& classifier, const TableOptions& options)
      : classifier_(classifier), columns_(options.columns), top_k_(options.top_k) {}

  std::vector<ColumnSpec> columns() const override { return class_columns(top_k_); }
  void check(const ArrowSchema& table) const override { (void)bind_texts(table, columns_); }
  std::int64_t batch_rows() const override { return kTextRows; }

  RunRows start(const Batch& batch) const override {
    std::vector<Column> columns;
    for (const std::int64_t index : bind_texts(batch.schema, columns_))
      columns.push_back(batch.column(index));
    return [this, columns = std::move(columns)](Rows rows, Builders& results, Verdicts& verdicts) {
      run(columns, rows, results, verdicts);
    };
  }

 private:
  using Classes = std::vector<Classification>;

  void run(const std::vector<Column>& columns, Rows rows, Builders& results, Verdicts& verdicts) const {
    std::vector<std::int64_t> positions;
    for (std::int64_t row = rows.begin; row < rows.end; ++row) {
      if (verdicts.is_wrong(row)) continue;
      const bool is_null = columns[0].is_null(row) || columns.back().is_null(row);
      if (is_null) verdicts.set(row, Error(ErrorCode::invalid_argument, "the cell is null"));
      if (!is_null) positions.push_back(row);
    }
    std::vector<ItemError> errors;
    std::vector<Classes> given = classify(columns, positions, errors);
    set_verdicts(errors, positions, verdicts);
    ResultRows<Classes> found(rows);
    for (std::size_t i = 0; i < given.size(); ++i) found[positions[i]] = std::move(given[i]);
    found.append_to(results, verdicts,
                    [&](const Classes& classes) { append_classes(classes, top_k_, results); });
  }

  std::vector<Classes> classify(const std::vector<Column>& columns, const std::vector<std::int64_t>& rows,
                                std::vector<ItemError>& errors) const {
    const std::optional<int> top_k = wanted_classes(top_k_);
    if (columns.size() == 1) {
      std::vector<std::string> texts;
      for (const std::int64_t row : rows) texts.push_back(text_at(columns[0], row));
      return classifier_.classify_texts(texts, top_k, &errors);
    }
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const std::int64_t row : rows)
      pairs.emplace_back(text_at(columns[0], row), text_at(columns[1], row));
    return classifier_.classify_pairs(pairs, top_k, &errors);
  }

  TextClassifier classifier_;
  std::vector<InputColumns> columns_;
  int top_k_;
};

}  // namespace

std::unique_ptr<TableTask> make_task(const TextClassifier& classifier, const TableOptions& options) {
  return std::make_unique<ClassifyTexts>(classifier, options);
}

}  // namespace mxinfer::table
