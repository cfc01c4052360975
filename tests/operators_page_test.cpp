// docs/operators.md is made from the operators themselves. Where one was added or changed:
//
//   MXINFER_UPDATE_DOCS=1 build/release/tests/mxinfer_tree_tests --gtest_filter='OperatorsPage.*'
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "ops/refused_ops.h"
#include "ops/registry.h"

namespace mxinfer {
namespace {

const std::string kPage = MXINFER_SOURCE_DIR "/docs/operators.md";

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

std::string row(const ops::OpDef& op) {
  std::string names = op.name;
  for (const std::string& alias : op.aliases) names += ", " + alias;
  std::string attributes;
  for (const graph::AttrSpec& spec : op.attrs) {
    if (!spec.ignored) attributes += (attributes.empty() ? "" : ", ") + attribute(spec);
  }
  return "| " + cell(names) + " | " + cell(op.summary) + " | " + cell(attributes) + " |\n";
}

std::string refused_row(const ops::RefusedOps& kind) {
  std::string names;
  for (const std::string& name : kind.names) names += (names.empty() ? "`" : ", `") + name + "`";
  return "| " + cell(names) + " | " + cell(kind.what) + " | " + cell(kind.remedy) + " |\n";
}

std::string refused_section() {
  std::string section =
      "\n## What is refused, and why\n\n"
      "These operators of MXNet are known and do not run. A model may contain them where no output needs "
      "them; "
      "otherwise\n"
      "loading it is an error that names the nodes and says what is below, and so does `mxinfer inspect`. A "
      "`*` "
      "stands for any\n"
      "text, without the names in the table above.\n\n"
      "| operators | what they are | what to do |\n|---|---|---|\n";
  for (const ops::RefusedOps& kind : ops::refused_ops()) section += refused_row(kind);
  return section;
}

std::string make_page() {
  const auto& all = ops::all_ops();
  std::string page =
      "# Operators\n\n"
      "What models may be made of: " +
      std::to_string(all.size()) +
      " operators, with the names, attributes and defaults of MXNet 1.9.1. Attributes in bold are\n"
      "required; those that matter only in training or to a GPU are accepted and not listed. This page is "
      "made from the\n"
      "operators themselves (`tests/operators_page_test.cpp`).\n\n"
      "| operator, and its other names | what it computes | attributes |\n|---|---|---|\n";
  for (const ops::OpDef* op : all) page += row(*op);
  return page + refused_section();
}

TEST(OperatorsPage, SaysWhatTheOperatorsSay) {
  const std::string page = make_page();
  if (std::getenv("MXINFER_UPDATE_DOCS") != nullptr) std::ofstream(kPage) << page;
  std::ifstream file(kPage);
  const std::string current(std::istreambuf_iterator<char>(file), {});
  EXPECT_TRUE(current == page) << "docs/operators.md is not up to date; make it again:\n"
                                  "  MXINFER_UPDATE_DOCS=1 build/release/tests/mxinfer_tree_tests "
                                  "--gtest_filter='OperatorsPage.*'";
}

TEST(OperatorsPage, EveryOperatorHasASummary) {
  for (const ops::OpDef* op : ops::all_ops()) EXPECT_FALSE(op->summary.empty()) << op->name;
}

}  // namespace
}  // namespace mxinfer
