// Assigns the columns of a table to the inputs of a model.
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

/// The form of images in a column.
enum class ImageCells { files, places, pixels };

struct BoundImage {
  std::int64_t column = 0;
  ImageCells cells = ImageCells::files;
};

/// The members of a struct of an image, by position.
struct ImageMembers {
  std::int64_t height = 0, width = 0, channels = 0, mode = 0, data = 0;
};

/// The numbers of a cell if the type of the column fixes it, else -1.
std::int64_t cell_size(const ArrowSchema& column);

/// For inputs of numbers and texts; optional ones may be missing. Throws Error(invalid_argument) if the table
/// is not a struct, a name is missing, duplicate or not an input, or a type does not convert to the input's.
std::vector<BoundInput> bind_inputs(const ArrowSchema& table, const std::vector<InputColumns>& columns,
                                    const std::vector<DataDesc>& inputs);

/// For a model whose only input, `input`, takes images. Without `columns`, the only column of files or
/// pixels, or, if there is none, of paths or addresses. `takes_places`: whether paths and addresses can be
/// read.
BoundImage bind_image(const ArrowSchema& table, const std::vector<InputColumns>& columns,
                      const std::string& input, bool takes_places);

/// For a struct like those of Spark's image source; nullopt for any other.
std::optional<ImageMembers> image_members(const ArrowSchema& column);

}  // namespace mxinfer::table
