// What is printed: rows as they come and tables at the end, or one JSON document.
#pragma once

#include <vector>

#include "soak/crew.h"
#include "soak/options.h"
#include "soak/samples.h"

namespace mxinfer::soak {

struct Result {
  const SoakOptions& options;
  const Samples& samples;
  std::vector<Bar> bars;  ///< empty if memory tells nothing
  const std::vector<Tally>& tallies;
  const Surprises& surprises;

  /// One sentence for each thing that is wrong.
  [[nodiscard]] std::vector<std::string> failures() const;
};

void print_header();
void print_row(const Sample& sample);
void print_end(const Result& result);
void print_json(const Result& result);

}  // namespace mxinfer::soak
