// Tables of images, for the image classes and for a predictor whose model takes images.
#include <mxinfer/vision/image_classifier.h>
#include <mxinfer/vision/object_detector.h>

#include <exception>
#include <utility>

#include "api/core/predictor_call.h"
#include "api/core/run_images.h"
#include "base/fail.h"
#include "table/image_rows.h"
#include "table/result_rows.h"
#include "table/table_task.h"

namespace mxinfer::table {
namespace {

constexpr std::int64_t kBatchRows = 32;

/// The base of all image tasks: Self::run_images(images, errors) returns a result for each image, which
/// Self::append(result, to) appends.
template <typename Self, typename Result>
class ImageTask : public TableTask {
 public:
  ImageTask(const Predictor& predictor, const TableOptions& options, bool takes_places)
      : columns_(options.columns), takes_places_(takes_places) {
    const std::vector<DataDesc>& inputs = predictor.model().signature().inputs;
    if (inputs.empty()) fail(ErrorCode::invalid_argument, "the model has no input");
    input_ = inputs[0].name;
    channels_ = image_channels(inputs[0]);
  }

  void check(const ArrowSchema& table) const final { (void)bind(table); }
  std::int64_t batch_rows() const final { return kBatchRows; }

  RunRows start(const Batch& batch) const final {
    return [this, column = ImageColumn(batch, bind(batch.schema), channels_)](Rows rows, Builders& results,
                                                                              Verdicts& verdicts) {
      const ImageRows images = column.read(rows, verdicts);
      ResultRows<Result> found(rows);
      if (!images.rows.empty()) {
        std::vector<ItemError> errors;
        std::vector<Result> given = self().run_images(images, &errors);
        require_results(given.size(), images.rows.size());
        set_verdicts(errors, images.rows, verdicts);
        for (std::size_t i = 0; i < given.size(); ++i) found[images.rows[i]] = std::move(given[i]);
      }
      found.append_to(results, verdicts, [&](const Result& result) { self().append(result, results); });
    };
  }

 private:
  [[nodiscard]] const Self& self() const { return static_cast<const Self&>(*this); }
  [[nodiscard]] BoundImage bind(const ArrowSchema& table) const {
    return bind_image(table, columns_, input_, takes_places_);
  }

  std::vector<InputColumns> columns_;
  bool takes_places_;
  std::string input_;
  int channels_ = 0;
};

class ClassifyImages final : public ImageTask<ClassifyImages, std::vector<Classification>> {
 public:
  ClassifyImages(const ImageClassifier& classifier, const TableOptions& options)
      : ImageTask(classifier, options, true), classifier_(classifier), top_k_(options.top_k) {}

  std::vector<ColumnSpec> columns() const override { return class_columns(top_k_); }

  std::vector<std::vector<Classification>> run_images(const ImageRows& images,
                                                      std::vector<ItemError>* errors) const {
    const std::optional<int> top_k = wanted_classes(top_k_);
    if (images.cells == ImageCells::files)
      return classifier_.classify_bytes_list(images.files, top_k, errors);
    if (images.cells == ImageCells::places) return classifier_.classify_files(images.places, top_k, errors);
    return classifier_.classify_batch(Span<const Image>(images.pixels), top_k, errors);
  }
  void append(const std::vector<Classification>& classes, Builders& to) const {
    append_classes(classes, top_k_, to);
  }

 private:
  ImageClassifier classifier_;
  int top_k_;
};

class DetectImages final : public ImageTask<DetectImages, std::vector<Detection>> {
 public:
  DetectImages(const ObjectDetector& detector, const TableOptions& options)
      : ImageTask(detector, options, true), detector_(detector), options_(options.detect) {}

  std::vector<ColumnSpec> columns() const override { return detection_columns(); }

  std::vector<std::vector<Detection>> run_images(const ImageRows& images,
                                                 std::vector<ItemError>* errors) const {
    if (images.cells == ImageCells::files) return detector_.detect_bytes_list(images.files, options_, errors);
    if (images.cells == ImageCells::places) return detector_.detect_files(images.places, options_, errors);
    return detector_.detect_batch(Span<const Image>(images.pixels), options_, errors);
  }
  void append(const std::vector<Detection>& detections, Builders& to) const {
    append_detections(detections, to);
  }

 private:
  ObjectDetector detector_;
  DetectOptions options_;
};

/// The outputs of an end-to-end model, such as embeddings.
class PredictImages final : public ImageTask<PredictImages, OutputRow> {
 public:
  PredictImages(const Predictor& predictor, const TableOptions& options)
      : ImageTask(predictor, options, false),
        predictor_(predictor),
        columns_(output_columns(predictor.model().signature().outputs)),
        takes_files_(predictor.model().signature().inputs[0].meaning == Meaning::encoded_image) {
    decode_.color = image_channels(predictor.model().signature().inputs[0]) != 1;
  }

  std::vector<ColumnSpec> columns() const override { return columns_; }

  std::vector<OutputRow> run_images(const ImageRows& images, std::vector<ItemError>* errors) const {
    if (takes_files_) return run_files(images, errors);
    std::vector<Image> decoded = images.pixels;
    std::vector<ItemError> undecoded;
    if (images.cells == ImageCells::files) decoded = decode(images.files, undecoded);
    std::vector<TensorView> views;
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < decoded.size(); ++i) {
      if (decoded[i].empty()) continue;
      views.push_back(decoded[i].view());
      positions.push_back(i);
    }
    std::vector<OutputRow> rows(images.rows.size());
    std::vector<ItemError> wrong;
    if (!views.empty()) spread(predictor_.predict_list(views, &wrong), positions, rows);
    for (const ItemError& error : wrong) undecoded.push_back({positions[error.item], error.error});
    errors->insert(errors->end(), undecoded.begin(), undecoded.end());
    return rows;
  }
  void append(const OutputRow& row, Builders& to) const { append_outputs(row, columns_, to); }

 private:
  std::vector<OutputRow> run_files(const ImageRows& images, std::vector<ItemError>* errors) const {
    if (images.cells == ImageCells::pixels) {
      fail(ErrorCode::invalid_argument,
           "the model takes JPEG or PNG files, but the column has pixels; give it a column of files");
    }
    std::vector<TensorView> views;
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < images.files.size(); ++i) {
      views.emplace_back(DType::uint8, Shape{static_cast<std::int64_t>(images.files[i].size())},
                         images.files[i].data());
      positions.push_back(i);
    }
    std::vector<OutputRow> rows(images.rows.size());
    spread(predictor_.predict_list(views, errors), positions, rows);
    return rows;
  }

  std::vector<Image> decode(const std::vector<ByteSpan>& files, std::vector<ItemError>& errors) const {
    std::vector<Image> images(files.size());
    api::as_call(predictor_, [&] {
      const auto decode_one = [&](std::size_t i) { images[i] = decode_image(files[i], decode_); };
      const auto thrown = api::batch_runner(predictor_).try_each(files.size(), decode_one);
      for (std::size_t i = 0; i < thrown.size(); ++i) {
        if (thrown[i]) errors.push_back({i, as_error(thrown[i])});
      }
    });
    return images;
  }

  void spread(std::vector<Tensor> outputs, const std::vector<std::size_t>& positions,
              std::vector<OutputRow>& rows) const {
    if (outputs.empty()) return;  // every item is invalid
    require_outputs(outputs, predictor_.model().signature().outputs, columns_, positions.size());
    const auto shared = std::make_shared<const std::vector<Tensor>>(std::move(outputs));
    for (std::size_t i = 0; i < positions.size(); ++i)
      rows[positions[i]] = {shared, static_cast<std::int64_t>(i)};
  }

  Predictor predictor_;
  std::vector<ColumnSpec> columns_;
  bool takes_files_;
  DecodeOptions decode_;
};

}  // namespace

std::unique_ptr<TableTask> make_task(const ImageClassifier& classifier, const TableOptions& options) {
  return std::make_unique<ClassifyImages>(classifier, options);
}

std::unique_ptr<TableTask> make_task(const ObjectDetector& detector, const TableOptions& options) {
  return std::make_unique<DetectImages>(detector, options);
}

std::unique_ptr<TableTask> make_image_outputs(const Predictor& predictor, const TableOptions& options) {
  return std::make_unique<PredictImages>(predictor, options);
}

}  // namespace mxinfer::table
