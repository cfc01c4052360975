// Builds the nodes of a graph from lists of transforms.
//
//   Chain chain(image_types(3), Layout::hwc, {});
//   chain.add_all(steps);                          // Error: the step, and what reaches it
//   std::vector<ChainResult> results = chain.append_to(graph, value, "data");
//
// The result of a list is found by trying several sizes of images: sizes that are the same for all are fixed,
// the others free.
#pragma once

#include <mxinfer/signature.h>
#include <mxinfer/tools/transforms.h>

#include <map>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "ops/op_def.h"

namespace mxinfer::api {

/// The types of one value, one for each trial.
using Trials = std::vector<ops::TensorType>;

/// One type for all trials: sizes that differ are -1.
ops::TensorType common_type(const Trials& trials);

/// Trials of a descriptor: its free batch as 1, 1 and 3, its other free sizes as those of two images,
/// multiplied by `scale`.
Trials trials_of(const DataDesc& desc, int scale);

/// The position of an image's channels in a value, if known.
enum class Layout { unknown, hwc, chw };

/// The description of one result of a list.
struct ChainResult {
  graph::Value value;
  Trials types;
  Meaning meaning = Meaning::unspecified;
};

class Chain {
 public:
  /// `types`: of the first step's input; of the decoded image if the input is encoded.
  Chain(Trials types, Layout layout);

  /// Throws Error(invalid_argument), Error(malformed) or Error(unsupported), which begins with the step and
  /// ends with its input.
  void add_all(const std::vector<Transform>& steps);

  /// The results; without steps, the input.
  const Trials& types() const { return current_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// "uint8 (1, 300, 400, 3), resize: uint8 (1, 224, 224, 3)".
  std::string trace() const;

  /// Appends the nodes behind `start`, with new names that begin with `prefix`. `nodes`, unless null, is set
  /// to those of the steps, size() of them.
  std::vector<ChainResult> append_to(graph::Graph& graph, graph::Value start, const std::string& prefix,
                                     std::vector<std::int32_t>* nodes = nullptr) const;
  std::size_t size() const { return links_.size(); }
  /// The outputs of node i.
  const std::vector<Trials>& outputs(std::size_t i) const { return links_[i].outputs; }

  /// Marks a column of a table, which the steps treat as such; `is_text`: it holds text.
  void set_column(bool is_text);
  /// Converts a column to (N, k) of a dtype. Throws Error(invalid_argument) if it is not (N) or (N, k).
  void end_column(DType dtype);

  // For the steps.
  bool is_column() const { return is_column_; }
  /// Whether the current value is a column of text.
  bool is_text() const { return is_text_ && links_.empty(); }
  Layout layout() const { return layout_; }
  void set_layout(Layout layout) { layout_ = layout; }
  /// Appends an operator that reads the current value, which becomes its output 0.
  void append(const std::string& op, std::map<std::string, std::string> attrs);
  /// Appends an operator whose second input is a row of these numbers, (1, row.size()).
  void append_with_row(const std::string& op, std::vector<double> row);
  /// Appends the operator that decodes bytes to an image; it must be the first.
  void append_reader(const std::string& op, std::map<std::string, std::string> attrs);
  /// Ends the list with several values; each is an operator on the current value.
  struct Branch {
    std::string name, op;
    std::map<std::string, std::string> attrs;
    Meaning meaning = Meaning::unspecified;
  };
  void split(const std::vector<Branch>& branches);
  /// Sets the meaning of the last operator's outputs.
  void set_meanings(std::vector<Meaning> meanings) { meanings_ = std::move(meanings); }
  void warn(std::string text);

 private:
  struct Link {
    std::string name;  ///< of the step
    std::string op;
    std::map<std::string, std::string> attrs;
    int input = -1;           ///< the link it reads; -1 for the start
    std::vector<double> row;  ///< its second input, if it has one
    std::vector<Trials> outputs;
  };
  Link make_link(const std::string& op, std::map<std::string, std::string> attrs,
                 std::vector<double> row = {}) const;
  void append(Link link);
  void add(const Transform& step);

  Trials start_;
  Trials current_;
  Layout layout_;
  std::vector<Link> links_;
  std::vector<std::size_t> ends_;  ///< links that the list gives if it ends with several
  std::vector<Meaning> meanings_;
  std::vector<std::string> warnings_;
  std::string step_;  ///< the name of the step that is being added
  bool is_column_ = false;
  bool is_text_ = false;
};

/// Whether a list treats its input as an image, because one of its steps works on pixels.
bool is_for_images(const std::vector<Transform>& steps);
/// Whether a list begins with bytes (Meaning::encoded_image) or a path (Meaning::image_path), and the
/// channels of the decoded image; unspecified otherwise.
struct Reading {
  Meaning meaning = Meaning::unspecified;
  int channels = 3;
};
Reading reading_of(const std::vector<Transform>& steps);

/// A name that no node of the graph has: "data_resize0".
std::string fresh_name(const graph::Graph& graph, const std::string& stem);

}  // namespace mxinfer::api
