// DataDesc describes one input or output of a model; Signature all of them.
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

/// What the numbers of an input or output are.
enum class Meaning {
  unspecified,
  image,          ///< pixels 0..255, RGB or grey, with the layout that the descriptor says
  encoded_image,  ///< the bytes of one JPEG or PNG file: uint8 (-1,)
  image_path,     ///< the path of a JPEG or PNG file as UTF-8: uint8 (-1,)
  scores,         ///< one for each class, or for each of `ids` or `boxes`
  ids,            ///< positions in the labels; -1 for nothing
  boxes,          ///< left, top, right, bottom
  text,           ///< a text in each row, as UTF-8 with zero bytes behind it: uint8 (-1, -1)
  landmarks,      ///< points of each of `boxes`, such as eyes and nose: x, y of one after another
};

/// "image", "encoded_image", ...; "" for unspecified.
MXINFER_API const char* to_string(Meaning meaning) noexcept;

struct DataDesc {
  std::string name;
  Shape shape;  ///< a dimension of -1 is free: batch, height, width, length
  DType dtype = DType::float32;
  /// One letter a dimension, such as "NCHW", "NTC", "NT"; empty: "NCHW" if the shape has four dimensions,
  /// otherwise the batch comes first.
  std::string layout{};
  Meaning meaning = Meaning::unspecified;
  /// Of an input: its height and width, or its length, were guessed, and others would do as well; the model's
  /// warnings say which. LoadOptions::inputs, or a signature in the file, says what it is.
  bool is_guess = false;
  /// Of an input: it may be left out, and is then zeros. So may the states that a recurrent network begins
  /// with.
  bool is_optional = false;
  /// Of an input: a row may be null, which is NaN in numbers and a row of zero bytes in text.
  bool is_nullable = false;
};

/// What a model takes and gives, in order.
struct Signature {
  std::vector<DataDesc> inputs;
  std::vector<DataDesc> outputs;
};

/// An input or output shape by name.
using NamedShape = std::pair<std::string, Shape>;

/// The position of the batch: that of N in the layout, 0 if the layout is empty, nothing if it has no N
/// or the shape has no dimensions. Throws Error(invalid_argument) if the layout's length is not the
/// shape's rank.
MXINFER_API std::optional<std::size_t> batch_axis(const DataDesc& desc);

/// "data float32 (-1, 3, 224, 224) NCHW", and what is special about an input: "(a guess)", "(zeros when not
/// given)", "(takes nulls)".
MXINFER_API std::string to_string(const DataDesc& desc);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
