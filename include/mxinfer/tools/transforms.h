// Transforms: the steps that stand in front of a network and behind it, as lists of short names or operators.
//
//   namespace t = mxinfer::transforms;
//   std::vector<mxinfer::Transform> steps = {t::decode(), t::resize(224, 224), t::to_tensor()};
//   steps.push_back({"normalize", {{"mean", "(0.5, 0.5, 0.5)"}, {"std", "(0.2, 0.2, 0.2)"}}});
//   mxinfer::TransformLists lists;
//   lists.all = steps;                          // for every input; ModelBuilder::set_transforms takes them
//
// What a transform does is what the operator of MXNet does that it becomes; docs/how-to/end-to-end.md lists
// them.
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

/// One step: a short name such as "resize", or the name of any operator with one input; and attributes as
/// MXNet writes them: {"size", "(224, 224)"}.
struct Transform {
  std::string op;
  std::map<std::string, std::string> attrs{};
};

/// One column of a table: an input of the whole, and the steps that make features of it, (N) or (N, k).
struct ColumnTransform {
  std::string name;
  std::vector<Transform> steps{};
  DType dtype = DType::float32;  ///< of numbers
  std::int64_t size = 0;         ///< how many numbers a row has, shape (-1, size); 0: one number, shape (-1,)
  bool is_text = false;          ///< a text in each row: uint8 (-1, -1), Meaning::text
};

/// Texts that become inputs of a network: ids, and if it takes them the segments and how many ids there are.
struct TextTransform {
  /// The whole's inputs, uint8 (-1, -1), Meaning::text: one, or two for pairs.
  std::vector<std::string> inputs{"text"};
  /// From text to ids, such as lower and wordpiece; an embedding may follow.
  std::vector<Transform> steps{};
  std::int64_t max_length = 128;  ///< of the ids, `begin` and `end` among them; 1 to 1,048,576
  /// Tokens of the vocabulary in front of a text and behind it, such as "[CLS]" and "[SEP]"; empty: none. A
  /// pair is begin, first, end, second, end.
  std::string begin{};
  std::string end{};
  std::string pad{};  ///< token of the padding; empty: the vocabulary's, or the id 0
  Side pad_side = Side::right;
  Side truncate_side = Side::right;  ///< which end of a text that is too long is cut off
  /// The network's input of the ids, (-1, length); empty: its first one.
  std::string ids{};
  /// Its input that takes 0 for ids of the first text, `begin` and padding, and 1 for those of the second,
  /// and its input that takes how many ids there are, (-1,); empty: it has none.
  std::string segments{};
  std::string length{};
  /// Lengths that the network is run at, rising (SequenceOptions::buckets); the last one at most max_length.
  std::vector<std::int64_t> buckets{};
};

/// Lists of steps as a file has them.
struct TransformLists {
  std::vector<Transform> all{};                           ///< for every input (or output)
  std::map<std::string, std::vector<Transform>> named{};  ///< for those of these names
  /// For inputs of the network that are a row of features: the columns that they are made of, in order.
  std::map<std::string, std::vector<ColumnTransform>> columns{};
  /// Texts in front of one input of the network or several.
  std::vector<TextTransform> texts{};
};

/// Reads a list of steps, [{"op": "resize", "size": [224, 224]}, {"op": "to_tensor"}], or an object from the
/// name of an input (or output) to such a list; or to {"columns": [{"name": "age", "dtype": "float32",
/// "steps": [...]}]}; and texts as {"texts": {"inputs": ["text"], "steps": [...], "max_length": 128, ...}}.
/// Throws Error(malformed) naming the step and the key. Whether the steps make sense is for ModelBuilder to
/// say, which also reads the files that they name.
MXINFER_API TransformLists parse_transforms(ByteSpan json);
/// The same from a file, in whose folder the files are looked for that it names by relative paths. Throws
/// also Error(not_found).
MXINFER_API TransformLists read_transforms(const std::string& path);

/// The steps that have short names. Sizes are in MXNet's order, width first; `interpolation` is MXNet's
/// number: 0 nearest, 1 linear, 2 cubic, 3 area, 4 Lanczos.
namespace transforms {

/// Bytes of a JPEG or PNG to pixels; must be the first step. The input then takes encoded images.
MXINFER_API Transform decode(bool color = true, bool rgb = true);
/// As decode, but the input takes the path of a file.
MXINFER_API Transform read_image(bool color = true, bool rgb = true);
MXINFER_API Transform resize(int width, int height, int interpolation = 1);
/// The shorter side to `size`, the other in proportion; keep_ratio = false: both sides.
MXINFER_API Transform resize(int size, bool keep_ratio, int interpolation = 1);
/// mx.image.resize_short.
MXINFER_API Transform resize_short(int size, int interpolation = 1);
MXINFER_API Transform crop(int x, int y, int width, int height);
/// mx.image.center_crop: an image smaller than that is enlarged.
MXINFER_API Transform center_crop(int width, int height, int interpolation = 1);
MXINFER_API Transform crop_resize(int x, int y, int width, int height, int to_width, int to_height,
                                  int interpolation = 1);
/// The largest size of the same aspect that fits, centred on pixels of `value`.
MXINFER_API Transform letterbox(int width, int height, float value = 0, int interpolation = 1);
MXINFER_API Transform pad(int left, int top, int right, int bottom, float value = 0);
MXINFER_API Transform flip_left_right();
MXINFER_API Transform flip_top_bottom();
/// "rgb2bgr", "bgr2rgb", "rgb2gray", "bgr2gray" or "gray2rgb".
MXINFER_API Transform convert_color(const std::string& code);
/// (H, W, C) of 0..255 to (C, H, W) of 0..1, float32.
MXINFER_API Transform to_tensor();
/// (x - mean[c]) / std[c] on (C, H, W); one value for all channels, or one for each. Of a column: one for all
/// of its numbers, or one for each.
MXINFER_API Transform normalize(const std::vector<float>& mean, const std::vector<float>& std);
MXINFER_API Transform cast(DType dtype);
MXINFER_API Transform scale(float factor);
/// Over all dimensions, the batch included: (0, 3, 1, 2) moves the channels to the front.
MXINFER_API Transform transpose(const std::vector<int>& axes);

// Columns of a table.

/// A column of numbers, `size` of them in each row; 0: one, of shape (-1,).
MXINFER_API ColumnTransform column(const std::string& name, std::vector<Transform> steps = {},
                                   DType dtype = DType::float32, std::int64_t size = 0);
/// A column of text.
MXINFER_API ColumnTransform text_column(const std::string& name, std::vector<Transform> steps);
/// `value` in place of NaN, which a null is among numbers. As the first step it makes the column nullable.
MXINFER_API Transform fill_null(float value);
/// The same of text: a null is the empty text.
MXINFER_API Transform fill_null();
/// The position of a text in `values`, int32. A text that is not one of them is an error.
MXINFER_API Transform lookup(const std::vector<std::string>& values);
/// As above, but a text that is not one of them gives `default_id`.
MXINFER_API Transform lookup(const std::vector<std::string>& values, std::int32_t default_id);
/// `depth` numbers for each: `on` at the position, `off` elsewhere and everywhere for a position outside.
MXINFER_API Transform one_hot(int depth, float on = 1, float off = 0);

// Texts. Each is a step of TextTransform::steps; the last one, or the last but an embedding, makes ids.

/// Lower case as Python's str.lower() makes it.
MXINFER_API Transform lower();
/// BERT's basic tokenizer: words, punctuation and CJK characters, which single spaces then part.
MXINFER_API Transform basic_tokenize(bool lower = true);
/// Ids of words that white space parts, or of characters. A token that is not in the vocabulary is its
/// unknown token; without one it is an error that names the row.
MXINFER_API Transform token_ids(const Vocabulary& vocabulary, bool characters = false);
/// The same with the vocabulary that the vectors of an embedding bring along.
MXINFER_API Transform token_ids(bool characters = false);
/// Ids of the longest pieces of words; the vocabulary needs an unknown token. max_word_length is 1 to 4,096.
MXINFER_API Transform wordpiece(const Vocabulary& vocabulary, int max_word_length = 200,
                                const std::string& prefix = "##");
/// Ids by a model of SentencePiece: its .model file by path or address, or the bytes of it.
MXINFER_API Transform sentencepiece(const std::string& uri);
MXINFER_API Transform sentencepiece(ByteSpan model);
/// Behind the ids: their vectors, for networks that take (N, length, numbers). A file as WordVectors::load
/// reads it, by path or address; it becomes a parameter of the model. Each word of the vocabulary in front
/// gets its own vector; one that the file lacks gets that of the file's unknown token, or zeros if the file
/// names none. Of a file without words (.npy, .params) the rows are the ids.
MXINFER_API Transform embedding(const std::string& vectors);

// Behind a network.
MXINFER_API Transform softmax(int axis = -1);
MXINFER_API Transform sigmoid();
/// The k largest of the last axis, largest first: two outputs, scores and int32 ids. Must be the last step.
MXINFER_API Transform top_k(int k);
/// Rows (id, score, left, top, right, bottom) of detection networks: three outputs, ids, scores and boxes.
/// Must be the last step.
MXINFER_API Transform boxes();

}  // namespace transforms

}  // namespace MXINFER_ABI
}  // namespace mxinfer
