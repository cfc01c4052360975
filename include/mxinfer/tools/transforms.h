// Transforms: the steps before and after a network, as lists of short names or operators.
//
//   namespace t = mxinfer::transforms;
//   std::vector<mxinfer::Transform> steps = {t::decode(), t::resize(224, 224), t::to_tensor()};
//   steps.push_back({"normalize", {{"mean", "(0.5, 0.5, 0.5)"}, {"std", "(0.2, 0.2, 0.2)"}}});
//   mxinfer::TransformLists lists;
//   lists.all = steps;                          // for every input; ModelBuilder::set_transforms takes them
//
// A transform becomes an operator of MXNet and does what that operator does.
// docs/reference/transforms.md lists them.
#pragma once

#include <mxinfer/byte_span.h>
#include <mxinfer/dtype.h>
#include <mxinfer/export.h>
#include <mxinfer/sequence/side.h>
#include <mxinfer/sequence/vocabulary.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// One step: a short name such as "resize" or the name of any operator with one input, and attributes in
/// MXNet's notation: {"size", "(224, 224)"}.
struct Transform {
  std::string op;
  std::map<std::string, std::string> attrs{};
};

/// One column of a table: an input of the whole, and the steps that turn it into features, (N) or (N, k).
struct ColumnTransform {
  std::string name;
  std::vector<Transform> steps{};
  DType dtype = DType::float32;  ///< of a column of numbers
  /// How many numbers a row has: the shape is (-1, size). 0: one number, shape (-1,).
  std::int64_t size = 0;
  bool is_text = false;  ///< a text in each row: uint8 (-1, -1), Meaning::text
};

/// Texts that become inputs of a network: ids, and if the network takes them, segments and the number of ids.
struct TextTransform {
  /// The inputs of the whole, uint8 (-1, -1), Meaning::text: one, or two for pairs.
  std::vector<std::string> inputs{"text"};
  /// The steps from text to ids, such as lower and wordpiece. An embedding may follow.
  std::vector<Transform> steps{};
  std::int64_t max_length = 128;  ///< the most ids, `begin` and `end` included; 1 to 1,048,576
  /// Tokens of the vocabulary before and after a text, such as "[CLS]" and "[SEP]". Empty: none. A pair is
  /// begin, first, end, second, end.
  std::string begin{};
  std::string end{};
  std::string pad{};  ///< the token of the padding; empty: the vocabulary's, or else the id 0
  Side pad_side = Side::right;
  Side truncate_side = Side::right;  ///< which end of a text that is too long is cut
  /// The network's input of the ids, (-1, length). Empty: its first one.
  std::string ids{};
  /// The network's input of segments (0 for ids of the first text, `begin` and padding, 1 for those of the
  /// second), and its input of the number of ids, (-1,). Empty: it has none.
  std::string segments{};
  std::string length{};
  /// Lengths at which the network runs, in ascending order (SequenceOptions::buckets). The last one is at
  /// most max_length.
  std::vector<std::int64_t> buckets{};
};

/// Lists of steps, as a file contains them.
struct TransformLists {
  std::vector<Transform> all{};                           ///< for every input (or output)
  std::map<std::string, std::vector<Transform>> named{};  ///< for the inputs (or outputs) with these names
  /// For inputs of the network that are rows of features: their columns, in order.
  std::map<std::string, std::vector<ColumnTransform>> columns{};
  /// Texts that become one or several inputs of the network.
  std::vector<TextTransform> texts{};
};

/// Parses a list of steps, [{"op": "resize", "size": [224, 224]}, {"op": "to_tensor"}], or an object from the
/// name of an input (or output) to such a list or to columns, {"columns": [{"name": "age", "dtype":
/// "float32", "steps": [...]}]}. Texts are {"texts": {"inputs": ["text"], "steps": [...], "max_length": 128,
/// ...}}. Throws Error(malformed), which names the step and the key. ModelBuilder checks whether the steps
/// fit, and reads the files that they name.
MXINFER_API TransformLists parse_transforms(ByteSpan json);
/// As above, from a file. Relative paths in it refer to its folder. Also throws Error(not_found).
MXINFER_API TransformLists read_transforms(const std::string& path);

/// The steps with short names. Sizes are in MXNet's order, width first. `interpolation` is MXNet's number: 0
/// nearest, 1 linear, 2 cubic, 3 area, 4 Lanczos.
namespace transforms {

/// Decodes the bytes of a JPEG or PNG to pixels. Must be the first step. The input then takes encoded images.
MXINFER_API Transform decode(bool color = true, bool rgb = true);
/// As decode, but the input takes the path of a file.
MXINFER_API Transform read_image(bool color = true, bool rgb = true);
/// _image_resize to width x height.
MXINFER_API Transform resize(int width, int height, int interpolation = 1);
/// _image_resize with one number. keep_ratio = true: the shorter side becomes `size`, the other in
/// proportion; false: both sides become `size`.
MXINFER_API Transform resize(int size, bool keep_ratio, int interpolation = 1);
/// mx.image.resize_short.
MXINFER_API Transform resize_short(int size, int interpolation = 1);
/// _image_crop.
MXINFER_API Transform crop(int x, int y, int width, int height);
/// mx.image.center_crop: a smaller image is enlarged.
MXINFER_API Transform center_crop(int width, int height, int interpolation = 1);
/// crop, then resize to to_width x to_height.
MXINFER_API Transform crop_resize(int x, int y, int width, int height, int to_width, int to_height,
                                  int interpolation = 1);
/// Resizes to the largest size of the same aspect that fits, centred on pixels of `value`.
MXINFER_API Transform letterbox(int width, int height, float value = 0, int interpolation = 1);
/// Adds a border of pixels of `value`.
MXINFER_API Transform pad(int left, int top, int right, int bottom, float value = 0);
/// _image_flip_left_right.
MXINFER_API Transform flip_left_right();
/// _image_flip_top_bottom.
MXINFER_API Transform flip_top_bottom();
/// `code` is "rgb2bgr", "bgr2rgb", "rgb2gray", "bgr2gray" or "gray2rgb".
MXINFER_API Transform convert_color(const std::string& code);
/// Converts (H, W, C) of 0 to 255 to (C, H, W) of 0 to 1, float32.
MXINFER_API Transform to_tensor();
/// Computes (x - mean[c]) / std[c] on (C, H, W), with one value for all channels or one for each. On a
/// column: with one value for all of its numbers, or one for each.
MXINFER_API Transform normalize(const std::vector<float>& mean, const std::vector<float>& std);
/// Converts to another dtype.
MXINFER_API Transform cast(DType dtype);
/// Multiplies by a number.
MXINFER_API Transform scale(float factor);
/// Permutes all dimensions, the batch included: (0, 3, 1, 2) moves the channels to the front.
MXINFER_API Transform transpose(const std::vector<int>& axes);

// Columns of a table.

/// A column with `size` numbers in each row. 0: one number, shape (-1,).
MXINFER_API ColumnTransform column(const std::string& name, std::vector<Transform> steps = {},
                                   DType dtype = DType::float32, std::int64_t size = 0);
/// A column of text.
MXINFER_API ColumnTransform text_column(const std::string& name, std::vector<Transform> steps);
/// Replaces NaN, which stands for a null among numbers, by `value`. As the first step it makes the column
/// nullable.
MXINFER_API Transform fill_null(float value);
/// As above, for text: a null becomes the empty text.
MXINFER_API Transform fill_null();
/// Returns the position of a text in `values`, int32. A text that is not in the list is an error.
MXINFER_API Transform lookup(const std::vector<std::string>& values);
/// As above, but a text that is not in the list becomes `default_id`.
MXINFER_API Transform lookup(const std::vector<std::string>& values, std::int32_t default_id);
/// Turns each position into `depth` numbers: `on` at the position and `off` elsewhere. If the position is out
/// of range, all are `off`.
MXINFER_API Transform one_hot(int depth, float on = 1, float off = 0);

// Texts. Each is a step of TextTransform::steps. The last step, or the last one before an embedding, makes
// ids.

/// Converts to lower case as Python's str.lower() does.
MXINFER_API Transform lower();
/// BERT's basic tokenizer: separates words, punctuation and CJK characters by single spaces.
MXINFER_API Transform basic_tokenize(bool lower = true);
/// Returns the ids of words between white space, or of characters. A token that is not in the vocabulary
/// becomes the unknown token; if there is none, it is an error that names the row.
MXINFER_API Transform token_ids(const Vocabulary& vocabulary, bool characters = false);
/// As above, with the vocabulary of the word vectors of an embedding.
MXINFER_API Transform token_ids(bool characters = false);
/// Returns the ids of the longest pieces of words. The vocabulary needs an unknown token. max_word_length is
/// 1 to 4,096.
MXINFER_API Transform wordpiece(const Vocabulary& vocabulary, int max_word_length = 200,
                                const std::string& prefix = "##");
/// Returns ids by a SentencePiece model: the path or address of its .model file, or its bytes.
MXINFER_API Transform sentencepiece(const std::string& uri);
MXINFER_API Transform sentencepiece(ByteSpan model);
/// Replaces ids by their vectors, for networks that take (N, length, numbers). `vectors` is the path or
/// address of a file that WordVectors::load reads; it becomes a parameter of the model. Each word of the
/// preceding step's vocabulary gets its vector. A word that the file lacks gets the vector of the file's
/// unknown token, or zeros if the file names none. If the file has no words (.npy, .params), ids are its
/// rows.
MXINFER_API Transform embedding(const std::string& vectors);

// Steps after a network.

/// Normalises exp(x) over an axis.
MXINFER_API Transform softmax(int axis = -1);
/// 1 / (1 + exp(-x)).
MXINFER_API Transform sigmoid();
/// Returns the k largest of the last axis, largest first, as two outputs: scores and int32 ids. Must be the
/// last step.
MXINFER_API Transform top_k(int k);
/// Splits the rows (id, score, left, top, right, bottom) of detection networks into three outputs: ids,
/// scores and boxes. Must be the last step.
MXINFER_API Transform boxes();

}  // namespace transforms

}  // namespace MXINFER_ABI
}  // namespace mxinfer
