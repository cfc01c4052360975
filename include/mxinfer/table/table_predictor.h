// TablePredictor: runs a model on the rows of a table, an Arrow record batch, and returns columns of results.
//
//   mxinfer::TablePredictor table(mxinfer::ImageClassifier("end_to_end"));   // a column of JPEGs in
//   ArrowSchema result_schema;
//   table.result_schema(schema, &result_schema);        // label, score, index, error; checks the columns
//   ArrowArray result;
//   table.predict(schema, batch, &result);              // a row for each row of the batch
//
// The class of the predictor determines the result columns. A Classifier, ImageClassifier or TextClassifier
// gives label (string), score (float32) and index (int32). If top_k is not 1, it gives one column, classes,
// with a list of such structs, best first. An ObjectDetector gives detections, a list of structs of label,
// score, index, left, top, right and bottom. A Predictor gives a column for each output, by its name: a
// number, or a fixed-size list of the numbers of a row. If the signature does not say how many there are, it
// is a list.
//
// The last column is error (string), which is null if the row succeeded; RowErrors::fail leaves it out. If a
// row fails, its results are null, and the other rows are not affected.
//
// Inputs of numbers take a column for each feature. A column has numbers, bools, or lists or fixed-size lists
// of them, which may be nested. Together the columns have as many numbers as a sample of the input. They are
// converted to the dtype of the input: integers and floats to floats, and integers to integers if they fit.
// Several columns are joined row by row. One fixed-size list of the input's own dtype, without nulls, is not
// copied.
//
// Inputs of images take binary (the bytes of a JPEG or PNG file), string (a path or address), and the struct
// of Spark's images (height, width, nChannels, mode, data: BGR). They work with ImageClassifier,
// ObjectDetector and a Predictor whose model takes images; a Predictor takes no strings. Inputs of
// Meaning::text take strings, as a TextClassifier does: one column, or two for pairs.
//
// A null makes its row fail, unless the input takes nulls (DataDesc::is_nullable): then it is NaN, or the
// empty text.
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

/// The columns that make up an input, in order.
struct InputColumns {
  std::string input;  ///< the input's name; may be empty if the model has one input
  std::vector<std::string> columns;
};

/// What happens to rows that fail.
enum class RowErrors {
  column,  ///< the column "error" has the message of each
  fail,    ///< the first one makes the call throw
};

/// How a table is read, and what is returned.
struct TableOptions {
  /// Empty: an ImageClassifier or ObjectDetector takes the only column that can be images. A TextClassifier
  /// takes the column "text", or else the only column of strings. Any other takes the columns with the names
  /// of its inputs. The columns of a TextClassifier may be listed for any input: the first has the texts, the
  /// second the other texts of pairs.
  std::vector<InputColumns> columns{};
  int top_k = 1;           ///< for classifiers; 0: all classes in label order
  DetectOptions detect{};  ///< for detectors
  RowErrors errors = RowErrors::column;
  /// How many rows run as one batch. 0: 32 images, 256 texts, or as many rows as fit into 8 MB of inputs, at
  /// most 256.
  int batch_rows = 0;
};

/// Runs a model on tables. Immutable and thread-safe. It is a handle: copies are cheap.
class MXINFER_API TablePredictor {
 public:
  /// Throws Error(invalid_argument) if the options contradict the model. Throws Error(unsupported) if the
  /// batch is not the first dimension of an input or output.
  explicit TablePredictor(const Predictor& predictor, const TableOptions& options = {});
  explicit TablePredictor(const Classifier& classifier, const TableOptions& options = {});
  explicit TablePredictor(const ImageClassifier& classifier, const TableOptions& options = {});
  explicit TablePredictor(const ObjectDetector& detector, const TableOptions& options = {});
  explicit TablePredictor(const TextClassifier& classifier, const TableOptions& options = {});
  TablePredictor(const TablePredictor&) noexcept;
  TablePredictor& operator=(const TablePredictor&) noexcept;
  ~TablePredictor();

  /// Writes the schema of the results for tables with the schema `table`: a struct of columns, which the
  /// caller releases. Runs nothing. Throws Error(invalid_argument) if a column is missing, occurs twice, or
  /// has a type that cannot be converted to the input. The message names the column, its type and what is
  /// expected.
  void result_schema(const ArrowSchema& table, ArrowSchema* result) const;
  /// Writes the results for a batch. `batch` is borrowed and not changed. The caller releases `result`, whose
  /// schema is result_schema(table). Throws as result_schema. Throws Error(invalid_argument) if the batch
  /// does not have the schema. With RowErrors::fail, throws the error of the first row that fails, "row 17 ›
  /// ...". Errors that are not the fault of one row, such as memory that cannot be allocated, are always
  /// thrown.
  void predict(const ArrowSchema& table, const ArrowArray& batch, ArrowArray* result) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
