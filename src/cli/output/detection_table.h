// DetectionTable: objects in images as rows of text below one title.
//
//   image       label  score   left    top  right  bottom
//   street.jpg  dog    0.931   12.0   40.5  310.2   298.7
//
// Rows are printed as they come, so columns may become wider, but never narrower.
#pragma once

#include <mxinfer/vision/detections.h>

#include <array>
#include <iosfwd>
#include <string>
#include <vector>

namespace mxinfer::cli {

class DetectionTable {
 public:
  void print(std::ostream& out, const std::string& image, const std::vector<Detection>& objects);

 private:
  using Row = std::array<std::string, 7>;
  void widen(const Row& row);
  void print(std::ostream& out, const Row& row) const;

  std::array<std::size_t, 7> widths_{};
  bool titled_ = false;
};

}  // namespace mxinfer::cli
