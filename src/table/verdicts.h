// The errors of a batch's rows, by row.
//
//   Verdicts verdicts(rows);
//   verdicts.set(7, Error(...));
//   if (verdicts.is_wrong(7)) results.append_null();
#pragma once

#include <mxinfer/error.h>
#include <mxinfer/item_error.h>

#include <cstdint>
#include <map>
#include <vector>

namespace mxinfer::table {

class Verdicts {
 public:
  /// The first error of a row is kept.
  void set(std::int64_t row, Error error) { errors_.emplace(row, std::move(error)); }
  [[nodiscard]] bool is_wrong(std::int64_t row) const { return !errors_.empty() && errors_.count(row) > 0; }
  /// By row, the first row first.
  [[nodiscard]] const std::map<std::int64_t, Error>& all() const { return errors_; }

 private:
  std::map<std::int64_t, Error> errors_;
};

/// Converts errors of items to errors of their rows.
void set_verdicts(const std::vector<ItemError>& errors, const std::vector<std::int64_t>& rows,
                  Verdicts& verdicts);

}  // namespace mxinfer::table
