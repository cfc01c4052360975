// Cuts a list into batches that run side by side: while one thread decodes the images of its batch, others
// run the network on theirs.
//
//   rows = in_batches<Row>(runner, paths.size(), 8, errors, [&](ListPart part, std::vector<ItemError>* errors) {
//     return classify(paths, part.begin, part.count, errors);
//   });
#pragma once

#include <mxinfer/item_error.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "runtime/batch_runner.h"

namespace mxinfer::api {

/// Items [begin, begin + count) of a list.
struct ListPart {
  std::size_t begin;
  std::size_t count;
};

/// The rows of run(part, errors), which returns one for each item of its part and numbers errors from 0, in
/// the order of the list. A batch_size of 0 makes one part of the list. Without `errors`, throws the error of
/// the first part that failed.
template <typename Row, typename Run>
std::vector<Row> in_batches(runtime::BatchRunner& runner, std::size_t count, int batch_size,
                            std::vector<ItemError>* errors, const Run& run) {
  const auto most = static_cast<std::size_t>(batch_size);
  if (most == 0 || count <= most) return run(ListPart{0, count}, errors);

  const std::size_t parts = (count + most - 1) / most;
  std::vector<std::vector<Row>> rows(parts);
  std::vector<std::vector<ItemError>> found(parts);
  const auto run_part = [&](std::size_t p) {
    const std::size_t begin = p * most;
    rows[p] = run(ListPart{begin, std::min(most, count - begin)}, errors == nullptr ? nullptr : &found[p]);
  };
  for (const auto& thrown : runner.try_each(parts, run_part)) {
    if (thrown) std::rethrow_exception(thrown);
  }
  std::vector<Row> all;
  all.reserve(count);
  for (std::size_t p = 0; p < parts; ++p) {
    std::move(rows[p].begin(), rows[p].end(), std::back_inserter(all));
    for (const ItemError& error : found[p]) errors->push_back({p * most + error.item, error.error});
  }
  return all;
}

}  // namespace mxinfer::api
