// TablePredictor: runs a model on the rows of a table, an Arrow record batch, and gives columns of results.
//
//   mxinfer::TablePredictor table(mxinfer::ImageClassifier("end_to_end"));   // a column of JPEGs in
//   ArrowSchema result_schema;
//   table.result_schema(schema, &result_schema);        // label, score, index, error; checks the columns
//   ArrowArray result;
//   table.predict(schema, batch, &result);              // a row for each row of the batch
//
// What stands in the columns of results follows from the class of the predictor. A Classifier,
// ImageClassifier or TextClassifier gives label (string), score (float32) and index (int32); with a top_k
// other than 1 it gives one column, classes, of lists of such structs, the best first. An ObjectDetector
// gives detections, lists of structs of label, score, index, left, top, right and bottom. A Predictor gives a
// column for each output, by its name: a number, or a fixed-size list of the numbers of a row (a list, where
// the signature does not say how many). Behind them stands error (string), unless RowErrors::fail is asked
// for: null where the row is right. The results of a row that is wrong are null, and it costs the others
// nothing.
//
// Inputs of numbers take primitive types and bools, a column for each feature, and lists and fixed-size lists
// of them, also nested, of as many numbers as a sample of the input has. They become the dtype of the input:
// integers and floats a float, integers an integer in which they fit. Columns of several are joined row by
// row. One fixed-size list of the input's own dtype, without nulls, is read where it lies.
//
// Inputs of images take binary (the bytes of a JPEG or PNG file), string (a path or address) and a struct as
// Spark has images (height, width, nChannels, mode, data: BGR), for ImageClassifier, ObjectDetector and, but
// for strings, a Predictor whose model takes images. Inputs of Meaning::text take strings, as a
// TextClassifier does: of one column, or of two for pairs.
//
// A null is a wrong row, unless the input takes nulls (DataDesc::is_nullable): then it is NaN, or the empty
// text.
#pragma once

#include <mxinfer/classifier.h>
#include <mxinfer/export.h>
#include <mxinfer/predictor.h>
#include <mxinfer/sequence/text_classifier.h>
#include <mxinfer/table/arrow.h>
#include <mxinfer/vision/image_classifier.h>
#include <mxinfer/vision/object_detector.h>

#include <memory>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// The columns that an input is made of, in order.
struct InputColumns {
  std::string input;  ///< its name; may be empty if the model has one input
  std::vector<std::string> columns;
};

/// What becomes of rows that are wrong.
enum class RowErrors {
  column,  ///< a column "error" says what is wrong with each
  fail,    ///< the first one fails the call
};

struct TableOptions {
  /// Empty: an ImageClassifier or ObjectDetector takes the one column that can be images, a TextClassifier
  /// the one that is called "text" or that alone has strings, any other the columns that are called as its
  /// inputs. The columns of a TextClassifier may be named for any input: the first has the texts, a second
  /// those that make pairs of them.
  std::vector<InputColumns> columns{};
  int top_k = 1;           ///< of classifiers; 0: all classes in the order of the labels
  DetectOptions detect{};  ///< of detectors
  RowErrors errors = RowErrors::column;
  /// So many rows run as one batch. 0: 32 images, 256 texts, or as many rows as have 8 MB of inputs, at most
  /// 256.
  int batch_rows = 0;
};

/// Immutable; any number of threads may call one object. It is a handle: copies are cheap.
class MXINFER_API TablePredictor {
 public:
  /// Errors (invalid_argument): options that contradict the model; (unsupported): a model whose inputs or
  /// outputs do not have the batch in front.
  explicit TablePredictor(const Predictor& predictor, const TableOptions& options = {});
  explicit TablePredictor(const Classifier& classifier, const TableOptions& options = {});
  explicit TablePredictor(const ImageClassifier& classifier, const TableOptions& options = {});
  explicit TablePredictor(const ObjectDetector& detector, const TableOptions& options = {});
  explicit TablePredictor(const TextClassifier& classifier, const TableOptions& options = {});
  TablePredictor(const TablePredictor&) noexcept;
  TablePredictor& operator=(const TablePredictor&) noexcept;
  ~TablePredictor();

  /// The result's schema for tables of this schema, a struct of columns; the caller releases it. Errors
  /// (invalid_argument): a column that is missing, there twice, or of a type that the input cannot be made
  /// of; the message names the column, its type and what is expected. Runs nothing.
  void result_schema(const ArrowSchema& table, ArrowSchema* result) const;
  /// The results of a batch, which is borrowed and stays as it is; the caller releases `result`, whose schema
  /// is result_schema(table). Errors: those of result_schema; invalid_argument for a batch that is not of the
  /// schema; with RowErrors::fail those of the first wrong row, "row 17 › ..."; whatever is not one row's
  /// fault, such as memory that is refused.
  void predict(const ArrowSchema& table, const ArrowArray& batch, ArrowArray* result) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
