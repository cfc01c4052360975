// The images of rows: files, paths or addresses, or pixels.
#pragma once

#include <mxinfer/byte_span.h>
#include <mxinfer/vision/image.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "table/bind_columns.h"
#include "table/table_task.h"
#include "table/verdicts.h"

namespace mxinfer::table {

/// One of the three lists, for the rows in `rows`.
struct ImageRows {
  ImageCells cells = ImageCells::files;
  std::vector<std::int64_t> rows;
  std::vector<ByteSpan> files;
  std::vector<std::string> places;
  std::vector<Image> pixels;
};

/// A column of images, of a batch that outlives it.
class ImageColumn {
 public:
  /// Pixels become those of `channels`, 1 or 3, or stay as they are (0).
  ImageColumn(const Batch& batch, const BoundImage& image, int channels);

  /// Rows without an image are left out and get a verdict.
  [[nodiscard]] ImageRows read(Rows rows, Verdicts& verdicts) const;

 private:
  /// The members of a struct of pixels.
  struct Pixels {
    Column height, width, channels, mode, data;
  };
  [[nodiscard]] Image pixels_of(std::int64_t row) const;

  Column column_;
  ImageCells cells_;
  int channels_;
  std::optional<Pixels> pixels_{};
};

/// The channels of an image input, 1 or 3; 0 if its shape does not fix them.
int image_channels(const DataDesc& input);

/// The task of a predictor whose only input takes images.
std::unique_ptr<TableTask> make_image_outputs(const Predictor& predictor, const TableOptions& options);

}  // namespace mxinfer::table
