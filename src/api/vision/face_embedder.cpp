#include <mxinfer/vision/face_embedder.h>

#include "api/core/predictor_call.h"
#include "api/core/run_images.h"
#include "base/fail.h"
#include "vision/images/image_options.h"

namespace mxinfer {
namespace {

using api::ImageFeed;

// The size of faces for a model that resizes images itself.
constexpr int kUsualSize = 112;

bool is_batch_of_vectors(const Shape& shape) {
  return shape.rank() == 2 || (shape.rank() == 4 && shape[2] == 1 && shape[3] == 1);
}

[[noreturn]] void reject_output(const Model& model, const std::string& what) {
  fail(ErrorCode::invalid_argument, "model '", printable(model.name()), "' gives ", what,
       "; expected an embedding, one output of float32 (batch, n). To use an inner value instead, name it in "
       "LoadOptions::outputs (--layer)");
}

// Checks that are possible before the first image.
void reject_without_vectors(const Model& model) {
  const auto& outputs = model.signature().outputs;
  if (outputs.size() != 1) reject_output(model, concat(outputs.size(), " outputs"));
  const DataDesc& output = outputs[0];
  if (output.shape.rank() > 0 && !is_batch_of_vectors(output.shape)) reject_output(model, to_string(output));
}

}  // namespace

struct FaceEmbedder::EmbedderImpl {
  ImageFeed feed;
  bool normalize = true;

  std::vector<float> vector_of(Span<const float> row) const {
    return normalize ? l2_normalize(row) : std::vector<float>(row.begin(), row.end());
  }

  // A vector of each row of the output; throws Error(invalid_argument) if the number of rows differs. Reports
  // rows without a direction in `errors`, behind those of images that are `wrong`.
  std::vector<std::vector<float>> vectors_of(const Model& model, const Tensor& output, std::size_t count,
                                             const std::vector<char>& wrong,
                                             std::vector<ItemError>* errors) const {
    const Shape& shape = output.shape();
    if (output.dtype() != DType::float32 || !is_batch_of_vectors(shape) ||
        shape[0] != static_cast<std::int64_t>(count)) {
      reject_output(model, concat(to_string(output.dtype()), " ", to_string(shape), " for ", count,
                                  count == 1 ? " image" : " images"));
    }
    const auto length = static_cast<std::size_t>(shape[1]);
    std::vector<std::vector<float>> vectors(count);
    for (std::size_t i = 0; i < count; ++i) {
      if (wrong[i] != 0) continue;
      try {
        vectors[i] = vector_of(output.span<float>().subspan(i * length, length));
      } catch (const Error& e) {
        if (errors == nullptr) throw;
        errors->push_back({i, e});
      }
    }
    return vectors;
  }
};

FaceEmbedder::FaceEmbedder(const Model& model, const EmbedderOptions& options) try
    : Predictor(model, options.options) {
  reject_without_vectors(model);
  embedder_ = std::make_shared<const EmbedderImpl>(
      EmbedderImpl{api::make_feed(*this, api::image_options_of(options)), options.normalize});
  api::take_images(*this, {embedder_, &embedder_->feed});
} catch (...) {
  throw_as_error();
}

FaceEmbedder::FaceEmbedder(const std::string& uri, const EmbedderOptions& options,
                           const LoadOptions& load) try
    : FaceEmbedder(Model::load(uri, load), options) {
} catch (...) {
  throw_as_error();
}

FaceEmbedder::FaceEmbedder(const FaceEmbedder&) noexcept = default;
FaceEmbedder& FaceEmbedder::operator=(const FaceEmbedder&) noexcept = default;
FaceEmbedder::~FaceEmbedder() = default;

std::vector<std::vector<float>> FaceEmbedder::embed_batch(Span<const Image> faces,
                                                          std::vector<ItemError>* errors) const try {
  std::vector<std::vector<float>> vectors(faces.size());
  if (faces.empty()) return vectors;
  const std::size_t known = errors == nullptr ? 0 : errors->size();
  const std::vector<Tensor> outputs = api::run_images(*this, embedder_->feed, faces, errors);
  if (outputs.empty()) return vectors;  // all are wrong
  const std::vector<char> wrong = api::wrong_items(errors, known, faces.size());
  vectors = embedder_->vectors_of(model(), outputs[0], faces.size(), wrong, errors);
  api::sort_by_item(errors, known);
  return vectors;
} catch (...) {
  throw_as_error();
}

std::vector<float> FaceEmbedder::embed(const Image& face) const try {
  return std::move(embed_batch(Span<const Image>(&face, 1))[0]);
} catch (...) {
  throw_as_error();
}

std::vector<float> FaceEmbedder::embed_file(const std::string& path) const try {
  return api::call_with_file(*this, embedder_->feed, path, [&](const Image& image) { return embed(image); });
} catch (...) {
  throw_as_error();
}

std::vector<float> FaceEmbedder::embed_bytes(ByteSpan encoded) const try {
  return api::call_with_bytes(*this, embedder_->feed, encoded,
                              [&](const Image& image) { return embed(image); });
} catch (...) {
  throw_as_error();
}

std::vector<std::vector<float>> FaceEmbedder::embed_files(const std::vector<std::string>& paths,
                                                          std::vector<ItemError>* errors) const try {
  return api::call_with_images(*this, embedder_->feed, paths, errors,
                               [&](const std::vector<Image>& faces) { return embed_each(faces, errors); });
} catch (...) {
  throw_as_error();
}

std::vector<std::vector<float>> FaceEmbedder::embed_bytes_list(const ByteSpans& encoded,
                                                               std::vector<ItemError>* errors) const try {
  return api::call_with_bytes_list(
      *this, embedder_->feed, encoded, errors,
      [&](const std::vector<Image>& images) { return embed_each(images, errors); });
} catch (...) {
  throw_as_error();
}

std::vector<std::vector<float>> FaceEmbedder::embed_each(const std::vector<Image>& faces,
                                                         std::vector<ItemError>* errors) const {
  return api::run_readable<std::vector<float>>(
      faces, errors, [&](Span<const Image> readable) { return embed_batch(readable, errors); });
}

int FaceEmbedder::aligned_size() const {
  const api::ImageEntry& entry = embedder_->feed.entry();
  if (entry.model_resizes) return kUsualSize;
  if (embedder_->feed.options().preprocess.resize == ResizePolicy::short_side_crop) {
    fail(ErrorCode::invalid_argument,
         "EmbedderOptions::preprocess crops images (ResizePolicy::short_side_crop), which would cut off "
         "parts of an aligned face; use ResizePolicy::stretch");
  }
  if (entry.input.height != entry.input.width) {
    fail(ErrorCode::invalid_argument, "model '", printable(model().name()), "' takes images of ",
         entry.input.width, " x ", entry.input.height,
         " pixels, but faces are aligned to squares. Align and crop them with fit_similarity, and give "
         "embed() the result");
  }
  return entry.input.width;
}

std::vector<std::vector<float>> FaceEmbedder::embed_batch(const Image& photo,
                                                          Span<const FaceLandmarks> faces) const try {
  const int size = aligned_size();
  return api::as_call(*this, [&] {
    std::vector<Image> aligned;
    for (std::size_t i = 0; i < faces.size(); ++i) {
      in_context([&] { return concat("face ", i); },
                 [&] { aligned.push_back(align_face(photo, faces[i], size)); });
    }
    return embed_batch(Span<const Image>(aligned));
  });
} catch (...) {
  throw_as_error();
}

std::vector<float> FaceEmbedder::embed(const Image& photo, const FaceLandmarks& landmarks) const try {
  const int size = aligned_size();
  return api::as_call(*this, [&] { return embed(align_face(photo, landmarks, size)); });
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
