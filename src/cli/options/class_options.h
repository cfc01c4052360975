// What the commands that classify share: options for scores and classes, and classes as text and JSON.
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

/// No value means all classes.
std::optional<int> top_k_of(const ClassOptions& options);

/// `scores` is an ImageOptions or TextOptions.
template <typename ScoreOptions>
void set_scores(const ClassOptions& options, ScoreOptions& scores) {
  scores.activation = parse_activation(options.activation);
  if (options.min_score) scores.min_score = static_cast<float>(*options.min_score);
}

/// A heading, and a line for each class.
void print_classes(const std::string& heading, const Classes& classes);
/// {"classes": [{"label", "score", "index"}, ...]}
Json classes_json(const Classes& classes);

}  // namespace mxinfer::cli
