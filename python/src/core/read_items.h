// The items of a list of Python that could be read, and what is wrong with the others; results and errors of
// a call with them, by their positions in that list.
#pragma once

#include <mxinfer/item_error.h>
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/records.h"

namespace mxinfer::python {

/// The name of its class, for messages.
std::string class_name(nanobind::handle object);

/// What can be iterated, as a list. Error(invalid_argument): a text, or what cannot be.
nanobind::list list_of(nanobind::handle items, const char* what);

template <typename T>
struct ReadItems {
  std::size_t count = 0;  ///< of the list
  std::vector<T> values{};
  std::vector<std::size_t> positions{};  ///< of each value
  std::vector<ItemError> wrong{};
};

/// read(item, "what 3") gives a T or throws Error, which is thrown on unless it is collected.
template <typename T, typename Read>
ReadItems<T> read_items(const nanobind::list& list, const char* what, bool collect, Read&& read) {
  ReadItems<T> items;
  items.count = list.size();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const nanobind::object item = list[i];
    try {
      items.values.push_back(read(item, (what + (" " + std::to_string(i))).c_str()));
      items.positions.push_back(i);
    } catch (const Error& e) {
      if (!collect) throw;
      items.wrong.push_back({i, e});
    }
  }
  return items;
}

/// (results, errors): a result for each item of the list, an empty list for those that are wrong.
template <typename T, typename Result>
nanobind::object results_of(const ReadItems<T>& items, std::vector<Result> results,
                            const std::vector<ItemError>& errors) {
  nanobind::list all;
  std::size_t next = 0;
  for (std::size_t i = 0; i < items.count; ++i) {
    const bool is_read = next < items.positions.size() && items.positions[next] == i;
    if (is_read && next < results.size()) {
      all.append(to_python(std::move(results[next])));
    } else {
      all.append(nanobind::list());
    }
    if (is_read) ++next;
  }
  std::vector<ItemError> wrong = items.wrong;
  for (const ItemError& error : errors) wrong.push_back({items.positions.at(error.item), error.error});
  std::stable_sort(wrong.begin(), wrong.end(),
                   [](const ItemError& a, const ItemError& b) { return a.item < b.item; });
  return nanobind::make_tuple(all, to_python(wrong));
}

}  // namespace mxinfer::python
