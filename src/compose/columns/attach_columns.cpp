#include "compose/columns/attach_columns.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/fail.h"
#include "compose/columns/column_steps.h"
#include "compose/connectors.h"
#include "ops/registry.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;
using ops::TensorType;

/// A column whose steps are known to fit.
struct FittedColumn {
  DataDesc desc;
  Chain chain;
};

DataDesc describe_column(const ColumnTransform& column) {
  DataDesc desc;
  desc.name = column.name;
  desc.is_nullable = takes_nulls(column);
  if (column.is_text) {
    desc.shape = {-1, -1};
    desc.dtype = DType::uint8;
    desc.meaning = Meaning::text;
    return desc;
  }
  desc.dtype = column.dtype;
  desc.shape = {-1};
  if (column.size > 0) desc.shape.push_back(column.size);
  return desc;
}

void check_column(const ColumnTransform& column) {
  if (column.name.empty()) fail(ErrorCode::invalid_argument, "it has no name");
  if (column.size < 0 || (column.is_text && column.size != 0)) {
    fail(ErrorCode::invalid_argument, "its size is ", column.size, "; expected ",
         column.is_text ? "none: texts have any length"
                        : "how many numbers a row has, or 0 for one without an axis");
  }
}

FittedColumn fit_column(const ColumnTransform& column, DType wanted) {
  check_column(column);
  DataDesc desc = describe_column(column);
  Chain chain(trials_of(desc, 1), Layout::unknown);
  chain.set_column(column.is_text);
  chain.add_all(column.steps);
  chain.end_column(wanted);
  return {std::move(desc), std::move(chain)};
}

std::string place_of(const ColumnTransform& column) {
  return concat("column '", printable(column.name), "'");
}

std::int64_t width_of(const FittedColumn& column) {
  return common_type(column.chain.types()).shape[1];
}

void require_features(const DataDesc& network) {
  if (network.shape.rank() == 0 || network.shape.rank() == 2) return;
  fail(ErrorCode::invalid_argument, "columns become a row of features, (N, features), but the network takes ",
       to_string(network));
}

[[noreturn]] void refuse_width(const DataDesc& network, const std::vector<FittedColumn>& columns,
                               std::int64_t features) {
  std::string list;
  for (const FittedColumn& column : columns) {
    list += concat(list.empty() ? "" : ", ", "'", printable(column.desc.name), "' ", width_of(column));
  }
  fail(ErrorCode::invalid_argument, "the columns make ", features, features == 1 ? " feature" : " features",
       " (", list, "), but the network takes ", network.shape[1], ": ", to_string(network));
}

void refuse_same_names(const std::vector<ColumnTransform>& columns) {
  std::set<std::string_view> names;
  for (const ColumnTransform& column : columns) {
    if (names.insert(column.name).second) continue;
    fail(ErrorCode::invalid_argument, "two columns have the name '", printable(column.name),
         "'; each is an input of its own");
  }
}

/// The features of all columns as one value.
Value join(Graph& graph, const std::string& name, const std::vector<Value>& parts, const TensorType& type,
           std::vector<std::string>& lines) {
  if (parts.size() == 1) return parts[0];
  Node node = ops::make_node(fresh_name(graph, name + "_concat"), "Concat",
                             {{"dim", "1"}, {"num_args", std::to_string(parts.size())}}, parts);
  lines.push_back(concat(node.name, " = Concat: ", ops::to_string(type)));
  return {graph::append(graph, std::move(node)), 0};
}

/// The network's variable becomes the connector of the columns; none of them may take its name.
void put_in_place(Graph& graph, const std::string& name, std::size_t index,
                  const std::vector<FittedColumn>& columns, const TensorType& features,
                  std::vector<std::string>& lines) {
  const auto own = static_cast<std::size_t>(find_variable(graph, name));
  graph.nodes[own].name = fresh_name(graph, name + "_columns");
  // Creates all of them first, so that the nodes of their steps get other names.
  std::vector<Value> parts;
  for (const FittedColumn& column : columns)
    parts.push_back(append_input(graph, column.desc, "give the column another one"));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    lines.push_back(to_string(columns[i].desc));
    parts[i] = append_chain(graph, columns[i].chain, parts[i], columns[i].desc.name, lines)[0].value;
  }
  const Value joined = join(graph, name, parts, features, lines);
  replace_variable(graph.nodes[own], "columns", index, name, joined);
}

/// One type of the features for each trial.
Trials feature_trials(const std::vector<FittedColumn>& columns, std::int64_t features) {
  Trials trials = columns[0].chain.types();
  for (TensorType& type : trials) type.shape[1] = features;
  return trials;
}

}  // namespace

void attach_columns(Graph& graph, const Network& network, std::size_t index,
                    const std::vector<ColumnTransform>& columns, AttachedInputs& attached) {
  const DataDesc& own = network.bare->signature.inputs[index];
  require_features(own);
  refuse_same_names(columns);
  std::vector<FittedColumn> fitted;
  std::int64_t features = 0;
  for (const ColumnTransform& column : columns) {
    in_context([&] { return place_of(column); }, [&] { fitted.push_back(fit_column(column, own.dtype)); });
    features += width_of(fitted.back());
    for (const std::string& warning : fitted.back().chain.warnings())
      attached.warnings.push_back(
          concat("input '", printable(own.name), "', ", place_of(column), ", ", warning));
  }
  if (own.shape.rank() == 2 && own.shape[1] >= 0 && own.shape[1] != features)
    refuse_width(own, fitted, features);
  Trials trials = feature_trials(fitted, features);
  put_in_place(graph, own.name, index, fitted, common_type(trials), attached.lines);
  attached.trials.push_back(std::move(trials));
  for (FittedColumn& column : fitted) attached.descs.push_back(std::move(column.desc));
  attached.columns[own.name] = columns;
}

}  // namespace mxinfer::api
