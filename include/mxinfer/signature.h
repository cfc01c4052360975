// DataDesc describes one input or output of a model. Signature describes all of them.
//
//   mxinfer::LoadOptions options;
//   options.inputs = {{"data", {-1, 3, 224, 224}}};           // float32, batch first; -1 is free
//   auto model = mxinfer::Model::load("resnet18_v1", options);
//   for (const auto& output : model.signature().outputs) std::cout << to_string(output) << '\n';
#pragma once

#include <mxinfer/dtype.h>
#include <mxinfer/export.h>
#include <mxinfer/shape.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// What the numbers of an input or output mean.
enum class Meaning {
  unspecified,
  image,          ///< pixels, 0 to 255, RGB or grey, in the layout of the descriptor
  encoded_image,  ///< the bytes of one JPEG or PNG file: uint8 (-1,)
  image_path,     ///< the path of a JPEG or PNG file as UTF-8: uint8 (-1,)
  scores,         ///< one for each class, or for each of `ids` or `boxes`
  ids,            ///< positions in the labels; -1 if a row is empty
  boxes,          ///< left, top, right, bottom
  text,           ///< a text in each row, as UTF-8 padded with zero bytes: uint8 (-1, -1)
  landmarks,      ///< points of each of `boxes`, such as eyes and nose: x and y of each point in turn
};

/// Returns "image", "encoded_image", and so on, or "" for unspecified.
MXINFER_API const char* to_string(Meaning meaning) noexcept;

/// An input or output of a model.
struct DataDesc {
  std::string name;
  Shape shape;  ///< a dimension of -1 is free: batch, height, width, length
  DType dtype = DType::float32;
  /// One letter for each dimension, such as "NCHW", "NTC" or "NT". Empty: "NCHW" if the shape has four
  /// dimensions, otherwise the batch comes first.
  std::string layout{};
  Meaning meaning = Meaning::unspecified;
  /// For inputs: the height and width, or the length, were inferred, and others may work as well; the model's
  /// warnings name the input. State them by LoadOptions::inputs or a signature in the file.
  bool is_guess = false;
  /// For inputs: the input may be left out and is then zeros. The initial states of a recurrent network are
  /// optional too.
  bool is_optional = false;
  /// For inputs: a row may be null, which is NaN in numbers and a row of zero bytes in text.
  bool is_nullable = false;
};

/// The inputs and outputs of a model, in order.
struct Signature {
  std::vector<DataDesc> inputs;
  std::vector<DataDesc> outputs;
};

/// The name and shape of an input or output.
using NamedShape = std::pair<std::string, Shape>;

/// Returns the position of the batch: that of N in the layout, or 0 if the layout is empty. Returns nothing
/// if the layout has no N, the shape has no dimensions, or the value is the bytes or path of a file. Throws
/// Error(invalid_argument) if the layout is not empty and its length is not the rank of the shape.
MXINFER_API std::optional<std::size_t> batch_axis(const DataDesc& desc);

/// Returns a description such as "data float32 (-1, 3, 224, 224) NCHW". It ends in "(a guess)", "(zeros when
/// not given)" or "(takes nulls)" if that applies.
MXINFER_API std::string to_string(const DataDesc& desc);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
