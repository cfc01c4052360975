// What the threads do, each so often.
#pragma once

#include <cstddef>
#include <span>

#include "soak/hands.h"

namespace mxinfer::soak {

struct Operation {
  const char* name;
  int weight;           ///< how often, beside the others
  void (*run)(Hands&);  ///< leaves nothing behind but requests whose handles are gone
};

[[nodiscard]] std::span<const Operation> operations();
/// One of them, by weight.
[[nodiscard]] std::size_t choose_operation(Hands& hands);
/// One of those that have the most memory at a time: they make models, predictors and plans.
[[nodiscard]] std::size_t choose_large_operation(Hands& hands);

}  // namespace mxinfer::soak
