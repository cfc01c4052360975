#include "api/core/item_errors.h"

#include <algorithm>

namespace mxinfer::api {

std::vector<char> wrong_items(const std::vector<ItemError>* errors, std::size_t known, std::size_t count) {
  std::vector<char> wrong(count, 0);
  for (std::size_t e = known; errors != nullptr && e < errors->size(); ++e) wrong[(*errors)[e].item] = 1;
  return wrong;
}

void sort_by_item(std::vector<ItemError>* errors, std::size_t first) {
  if (errors == nullptr) return;
  std::stable_sort(errors->begin() + static_cast<std::ptrdiff_t>(first), errors->end(),
                   [](const ItemError& a, const ItemError& b) { return a.item < b.item; });
}

void renumber(std::vector<ItemError>& errors, std::size_t first, std::size_t second,
              const std::vector<std::size_t>& positions) {
  for (std::size_t i = second; i < errors.size(); ++i) errors[i].item = positions[errors[i].item];
  sort_by_item(&errors, first);
}

}  // namespace mxinfer::api
