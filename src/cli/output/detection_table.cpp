#include "cli/output/detection_table.h"

#include <algorithm>
#include <ostream>

#include "cli/output/output.h"

namespace mxinfer::cli {
namespace {

/// The number of columns with names, which are left-aligned; numbers are right-aligned.
constexpr std::size_t kNames = 2;

}  // namespace

void DetectionTable::widen(const Row& row) {
  for (std::size_t i = 0; i < row.size(); ++i) widths_[i] = std::max(widths_[i], row[i].size());
}

void DetectionTable::print(std::ostream& out, const Row& row) const {
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string space(widths_[i] - row[i].size(), ' ');
    out << (i == 0 ? "" : "  ") << (i < kNames ? row[i] + space : space + row[i]);
  }
  out << '\n';
}

void DetectionTable::print(std::ostream& out, const std::string& image,
                           const std::vector<Detection>& objects) {
  static const Row kTitles = {"image", "label", "score", "left", "top", "right", "bottom"};
  std::vector<Row> rows;
  for (const auto& object : objects) {
    rows.push_back({clean(image), clean(object.label), fixed(object.score, 3), fixed(object.box.left, 1),
                    fixed(object.box.top, 1), fixed(object.box.right, 1), fixed(object.box.bottom, 1)});
  }
  if (rows.empty()) return;
  widen(kTitles);
  for (const Row& row : rows) widen(row);
  if (!titled_) print(out, kTitles);
  titled_ = true;
  for (const Row& row : rows) print(out, row);
}

}  // namespace mxinfer::cli
