// docs/reference/operators.md is made from the operators themselves. Where one was added or changed:
//
//   MXINFER_UPDATE_DOCS=1 build/release/tests/mxinfer_tree_tests --gtest_filter='OperatorsPage.*'
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "ops/registry.h"
#include "support/recorded_cases.h"

namespace mxinfer {
namespace {

const std::string kPage = MXINFER_SOURCE_DIR "/docs/reference/operators.md";

// A '|' would end the cell of the table.
std::string cell(const std::string& text) {
  std::string escaped;
  for (char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

std::string attribute(const graph::AttrSpec& spec) {
  if (spec.required) return "**" + spec.name + "**";
  return spec.default_text.empty() ? spec.name : spec.name + "=" + spec.default_text;
}

using Recorded = std::map<std::string, test::RecordedCases>;

// "14 cases: float32, float64", under whichever of its names they were recorded.
std::string recorded_cell(const ops::OpDef& op, const Recorded& recorded) {
  test::RecordedCases all;
  const auto add = [&](const std::string& name) {
    const auto found = recorded.find(name);
    if (found == recorded.end()) return;
    all.count += found->second.count;
    all.dtypes.insert(found->second.dtypes.begin(), found->second.dtypes.end());
  };
  add(op.name);
  for (const std::string& alias : op.aliases) add(alias);
  if (all.count == 0) return "";
  std::string text = std::to_string(all.count) + (all.count == 1 ? " case" : " cases");
  for (const std::string& dtype : all.dtypes) text += (dtype == *all.dtypes.begin() ? ": " : ", ") + dtype;
  return text;
}

std::string row(const ops::OpDef& op, const Recorded& recorded) {
  std::string names = op.name;
  for (const std::string& alias : op.aliases) names += ", " + alias;
  std::string attributes;
  for (const graph::AttrSpec& spec : op.attrs) {
    if (!spec.ignored) attributes += (attributes.empty() ? "" : ", ") + attribute(spec);
  }
  return "| " + cell(names) + " | " + cell(op.summary) + " | " + cell(attributes) + " | " +
         recorded_cell(op, recorded) + " |\n";
}

std::string refused_row(const ops::RefusedOps& kind) {
  std::string names;
  for (const std::string& name : kind.names) names += (names.empty() ? "`" : ", `") + name + "`";
  return "| " + cell(names) + " | " + cell(kind.what) + " | " + cell(kind.remedy) + " |\n";
}

std::string refused_section() {
  std::string section =
      "\n"
      "## Operators that mxinfer rejects\n"
      "\n"
      "mxinfer knows these operators of MXNet, but does not run them. A model may contain them if no output "
      "needs them. Otherwise,\n"
      "loading the model fails, and the message names the nodes and gives the text below. `mxinfer inspect` "
      "reports them too. A `*`\n"
      "stands for any text, except for the names in the table above.\n"
      "\n"
      "| operators | what they are | what to do |\n|---|---|---|\n";
  for (const ops::RefusedOps& kind : ops::refused_ops()) section += refused_row(kind);
  return section;
}

std::string make_page() {
  const auto& all = ops::all_ops();
  std::string page =
      "# Operators\n"
      "\n"
      "A model may use these " +
      std::to_string(all.size()) +
      " operators, with the names, attributes and defaults of MXNet 1.9.1. Attributes in bold are required.\n"
      "Attributes that matter only in training or to a GPU are accepted, but not listed.\n"
      "\n"
      "The last column gives the number of cases recorded from MXNet that test an operator, and the dtypes "
      "of their first input.\n"
      "Operators without cases are mxinfer's own (`_mxinfer_*`), or MXNet runs them only on GPUs, in place "
      "or on sparse arrays, or\n"
      "tests cover them in whole graphs. A dtype that is neither float32 nor listed may be rejected when a "
      "plan is made; the error\n"
      "says so.\n"
      "\n"
      "`tests/operators_page_test.cpp` generates this page from the operators and the recorded cases.\n"
      "\n"
      "| operator, and its other names | what it computes | attributes | recorded from MXNet "
      "|\n|---|---|---|---|\n";
  const Recorded recorded = test::recorded_cases();
  for (const ops::OpDef* op : all) page += row(*op, recorded);
  return page + refused_section();
}

TEST(OperatorsPage, SaysWhatTheOperatorsSay) {
  const std::string page = make_page();
  if (std::getenv("MXINFER_UPDATE_DOCS") != nullptr) std::ofstream(kPage) << page;
  std::ifstream file(kPage);
  const std::string current(std::istreambuf_iterator<char>(file), {});
  EXPECT_TRUE(current == page) << "docs/reference/operators.md is not up to date; make it again:\n"
                                  "  MXINFER_UPDATE_DOCS=1 build/release/tests/mxinfer_tree_tests "
                                  "--gtest_filter='OperatorsPage.*'";
}

// What MXNet does not run by itself in a symbol on a CPU: tested otherwise, in tests/ops, tests/api and
// tests/image.
const std::set<std::string> kNotRecorded = {
    "_foreach",
    "_while_loop",
    "_cond",
    "_sg_mkldnn_conv",
    "_sg_mkldnn_fully_connected",  // in whole graphs, with their subgraphs
    "_npi_bincount",               // its size depends on values: in whole graphs
    "_contrib_fft",
    "_contrib_ifft",
    "_contrib_count_sketch",  // GPUs only
    "_contrib_getnnz",
    "_sparse_retain",
    "_square_sum",  // sparse arrays only
    "_copyto",
    "_onehot_encode",
    "fill_element_0index",         // in place only
    "_contrib_BatchNormWithReLU",  // oneDNN only
    "_cvimdecode",
    "_cvimread",  // files
    "_image_random_color_jitter",
    "_image_random_crop",
    "_image_random_resized_crop",  // random
    "_image_random_flip_left_right",
    "_image_random_flip_top_bottom"};

TEST(OperatorsPage, EveryOperatorIsRecordedFromMxnetOrListedHere) {
  const Recorded recorded = test::recorded_cases();
  for (const ops::OpDef* op : ops::all_ops()) {
    if (op->name.rfind("_mxinfer_", 0) == 0) continue;
    const bool is_listed = op->traits.draws_random_numbers || kNotRecorded.count(op->name) > 0;
    EXPECT_EQ(recorded_cell(*op, recorded).empty(), is_listed)
        << op->name << ": record a case (tests/oracle/op_cases), or say here why there is none";
  }
}

TEST(OperatorsPage, EveryOperatorHasASummary) {
  for (const ops::OpDef* op : ops::all_ops()) EXPECT_FALSE(op->summary.empty()) << op->name;
}

}  // namespace
}  // namespace mxinfer
