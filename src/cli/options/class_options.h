// What the commands that classify share: how scores are made and how many classes are printed, and the
// classes as text and JSON.
#pragma once

#include <mxinfer/activation.h>
#include <mxinfer/classifier.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/output/output.h"

namespace CLI {
class App;
}

namespace mxinfer::cli {

using Classes = std::vector<Classification>;

struct ClassOptions {
  int top_k = 5;
  bool all_classes = false;
  std::string activation = "none";
  std::optional<double> min_score;
};

/// --top-k, --all, --activation and --min-score.
void add_class_options(CLI::App& command, ClassOptions& options);

/// Nothing stands for all classes.
std::optional<int> top_k_of(const ClassOptions& options);

/// `scores` has the members of ImageOptions and its like.
template <typename ScoreOptions>
void set_scores(const ClassOptions& options, ScoreOptions& scores) {
  scores.activation = parse_activation(options.activation);
  if (options.min_score) scores.min_score = static_cast<float>(*options.min_score);
}

/// A line that says of what they are, and a line for each.
void print_classes(const std::string& heading, const Classes& classes);
/// {"classes": [{"label", "score", "index"}, ...]}
Json classes_json(const Classes& classes);

}  // namespace mxinfer::cli
