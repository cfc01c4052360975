// What commands on lists of images or texts share: batches in which an invalid item does not affect the
// others, and results as text, one JSON document, or one line of JSON per item.
//
//   ItemReport report("texts", options.json, options.ndjson);
//   for_each_batch(list, 256, [&](std::vector<ListedText>& batch, Progress& progress) {
//     const auto results = run_good(batch, [&](const auto& good, auto& errors) { ... });
//     progress.hide();
//     for (std::size_t i = 0; i < batch.size(); ++i) ...   // batch[i].problem, or results[i]
//   });
//   return report.finish();
#pragma once

#include <mxinfer/error.h>
#include <mxinfer/item_error.h>

#include <cstddef>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/output/output.h"
#include "cli/output/progress.h"

namespace mxinfer::cli {

/// run(good, errors) returns a result for each item without a `problem`; its errors become the problems of
/// their items. Returns the results at the positions of their items.
template <typename Item, typename Run>
auto run_good(std::vector<Item>& batch, const Run& run) {
  std::vector<const Item*> good;
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (batch[i].problem) continue;
    good.push_back(&batch[i]);
    positions.push_back(i);
  }
  std::vector<ItemError> errors;
  auto found = run(std::as_const(good), errors);
  decltype(found) results(batch.size());
  for (std::size_t i = 0; i < found.size(); ++i) results[positions[i]] = std::move(found[i]);
  for (const ItemError& error : errors) batch[positions[error.item]].problem = error.error;
  return results;
}

/// run(batch, progress) for up to `most` items of the list at a time. It hides the progress before it prints.
template <typename List, typename Run>
void for_each_batch(List& list, std::size_t most, const Run& run) {
  Progress progress(list.size());
  // If the results cannot be written, as to a full disk, the rest is not worth its time.
  for (auto batch = list.next(most); !batch.empty() && std::cout; batch = list.next(most)) {
    run(batch, progress);
    std::cout.flush();
    progress.advance(batch.size());
  }
  progress.hide();
}

/// Prints results one after another or, as one JSON document, at the end.
class ItemReport {
 public:
  /// `list` is the key of the items in that document, such as "images".
  ItemReport(std::string list, bool json, bool ndjson)
      : list_(std::move(list)), json_(json), ndjson_(ndjson) {}

  bool is_text() const { return !json_ && !ndjson_; }
  /// The item, followed by its result. Precondition: not is_text().
  void add_json(Json item, const Json& facts);
  /// Prints an error on standard error, preceded by `place`, and adds it to the JSON.
  void add_error(Json item, const Error& error, const std::string& place = "");
  /// The exit code.
  int finish() const;

 private:
  std::string list_;
  bool json_;
  bool ndjson_;
  Json items_ = Json::array();
  bool all_good_ = true;
};

}  // namespace mxinfer::cli
