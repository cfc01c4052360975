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

/// Which of the items have an error, counting errors from `known` on. If `errors` is null, none has.
std::vector<char> wrong_items(const std::vector<ItemError>* errors, std::size_t known, std::size_t count);

/// Sorts the errors from `first` on by item. `errors` may be null.
void sort_by_item(std::vector<ItemError>* errors, std::size_t first);

/// The errors from `second` on refer to the items at `positions`: renumbers them for the whole list, and
/// sorts those from `first` on.
void renumber(std::vector<ItemError>& errors, std::size_t first, std::size_t second,
              const std::vector<std::size_t>& positions);

}  // namespace mxinfer::api
