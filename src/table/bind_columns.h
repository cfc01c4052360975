// Which columns of a table feed which input of a model.
//
//   for (const BoundInput& input : bind_inputs(schema, options.columns, signature.inputs)) ...
//   const BoundImage image = bind_image(schema, options.columns, "data");
#pragma once

#include <mxinfer/signature.h>
#include <mxinfer/table/arrow.h>
#include <mxinfer/table/table_predictor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mxinfer::table {

struct BoundInput {
  std::size_t input = 0;              ///< its position in the signature
  std::vector<std::int64_t> columns;  ///< positions in the table
};

/// How a column holds images.
enum class ImageCells { files, places, pixels };

struct BoundImage {
  std::int64_t column = 0;
  ImageCells cells = ImageCells::files;
};

/// The members of a struct of an image, by position.
struct ImageMembers {
  std::int64_t height = 0, width = 0, channels = 0, mode = 0, data = 0;
};

/// The numbers of a cell where the type of the column says it, else -1.
std::int64_t cell_size(const ArrowSchema& column);

/// Of inputs of numbers and texts; optional ones may be missing. Errors (invalid_argument): a table that is
/// no struct; names that are missing, there twice or not an input; types that the input cannot be made of.
std::vector<BoundInput> bind_inputs(const ArrowSchema& table, const std::vector<InputColumns>& columns,
                                    const std::vector<DataDesc>& inputs);

/// Of a model whose one input, `input`, takes images. Without `columns` the one column of files or pixels, or
/// if there is none, of places. `takes_places`: paths and addresses can be read.
BoundImage bind_image(const ArrowSchema& table, const std::vector<InputColumns>& columns,
                      const std::string& input, bool takes_places);

/// Of a struct as Spark's image source has it; nothing if it is another.
std::optional<ImageMembers> image_members(const ArrowSchema& column);

}  // namespace mxinfer::table
