#include "cli/options/class_options.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "cli/options/value_checks.h"

namespace mxinfer::cli {

void add_class_options(CLI::App& command, ClassOptions& options) {
  CLI::Option* top_k = whole_number(command.add_option("-k,--top-k", options.top_k,
                                                       "Print the best N classes, best first (default 5)"),
                                    1)
                           ->type_name("N");
  command.add_flag("--all", options.all_classes, "Print every class, in label order")->excludes(top_k);
  one_of(
      command.add_option("--activation", options.activation,
                         "Activation that turns the network's outputs into scores: none (default), softmax "
                         "(for logits, such as those of Gluon networks) or sigmoid"),
      {"none", "softmax", "sigmoid"})
      ->type_name("NAME");
  number(command.add_option("--min-score", options.min_score, "Omit classes with a lower score"), -1e30, 1e30)
      ->type_name("X");
}

std::optional<int> top_k_of(const ClassOptions& options) {
  return options.all_classes ? std::nullopt : std::optional<int>(options.top_k);
}

void print_classes(const std::string& heading, const Classes& classes) {
  Table table;
  for (const auto& [label, score, index] : classes) table.add({fixed(score, 6), clean(label)});
  std::cout << clean(heading) << '\n';
  table.print(std::cout, "  ");
}

Json classes_json(const Classes& classes) {
  Json list = Json::array();
  for (const auto& [label, score, index] : classes)
    list.push_back({{"label", label}, {"score", score}, {"index", index}});
  return {{"classes", list}};
}

}  // namespace mxinfer::cli
