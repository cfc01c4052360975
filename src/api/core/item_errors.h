// The errors of a list of items, by position.
//
//   const std::size_t known = errors.size();
//   run(readable, &errors);                        // numbers those that it was given
//   renumber(errors, 0, known, positions);
#pragma once

#include <mxinfer/item_error.h>

#include <cstddef>
#include <vector>

namespace mxinfer::api {

/// Which of so many items have an error, of those from `known` on. `errors` may be null: none has.
std::vector<char> wrong_items(const std::vector<ItemError>* errors, std::size_t known, std::size_t count);

/// Brings those from `first` on into the order of the items. `errors` may be null.
void sort_by_item(std::vector<ItemError>* errors, std::size_t first);

/// The last errors, from `second` on, are of the items at `positions` only: numbers them as in the whole
/// list, and brings those from `first` on into its order.
void renumber(std::vector<ItemError>& errors, std::size_t first, std::size_t second,
              const std::vector<std::size_t>& positions);

}  // namespace mxinfer::api
