// ItemError: the error of one item of a list. Functions that take lists append one for each item that failed,
// and go on with the other items.
//
//   std::vector<mxinfer::ItemError> errors;
//   auto results = classifier.classify_files({"a.jpg", "b.jpg"}, 1, &errors);
//   for (const auto& [item, error] : errors) std::cerr << item << ": " << error.what() << '\n';
#pragma once

#include <mxinfer/error.h>
#include <mxinfer/export.h>

#include <cstddef>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// The error of one item of a list.
struct ItemError {
  std::size_t item = 0;  ///< the item's position in the list, from 0
  Error error;           ///< what went wrong with it
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
