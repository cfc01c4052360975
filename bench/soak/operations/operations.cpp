#include "soak/operations/operations.h"

#include <iterator>

#include "soak/operations/async_operations.h"
#include "soak/operations/error_operations.h"
#include "soak/operations/model_operations.h"
#include "soak/operations/sync_operations.h"

namespace mxinfer::soak {
namespace {

constexpr Operation kOperations[] = {
    {"predict", 200, predict},
    {"predict_into", 300, predict_into},
    {"predict_flat", 50, predict_flat},
    {"classify_batch", 50, classify_batch},
    {"classify_bytes", 20, classify_bytes},
    {"predict_async", 100, predict_async},
    {"predict_into_async", 100, predict_into_async},
    {"classify_async", 50, classify_async},
    {"classify_bytes_async", 20, classify_bytes_async},
    {"completion_queue", 40, collect_completions},
    {"request_queue", 10, submit_to_a_queue_of_its_own},
    {"cancel", 40, cancel},
    {"deadline", 40, expire},
    {"full_queue", 10, fill_the_queue},
    {"abandon", 20, abandon},
    {"wrong_shape", 30, wrong_shape},
    {"wrong_shape_async", 30, wrong_shape_async},
    {"wrong_image", 10, wrong_image},
    {"wrong_model", 5, wrong_model},
    {"new_predictor", 10, make_predictor},
    {"destroy_in_flight", 10, destroy_in_flight},
    {"load_model", 5, load_and_free},
    {"replace_model", 5, replace},
    {"trim", 10, trim},
};

constexpr int sum_of_weights() {
  int sum = 0;
  for (const Operation& operation : kOperations) sum += operation.weight;
  return sum;
}

}  // namespace

std::span<const Operation> operations() {
  return kOperations;
}

std::size_t choose_operation(Hands& hands) {
  int left = static_cast<int>(hands.below(sum_of_weights()));
  std::size_t i = 0;
  while ((left -= kOperations[i].weight) >= 0) ++i;
  return i;
}

std::size_t choose_large_operation(Hands& hands) {
  // The last ones of the table.
  constexpr std::size_t kLarge = 5, kCount = std::size(kOperations);
  static_assert(kOperations[kCount - kLarge].run == make_predictor);
  return kCount - kLarge + hands.below(kLarge);
}

}  // namespace mxinfer::soak
