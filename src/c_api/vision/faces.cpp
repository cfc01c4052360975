#include <mxinfer/vision/face.h>
#include <mxinfer_c/faces.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "c_api/call.h"
#include "c_api/structs.h"
#include "c_api/vision/class_options.h"
#include "c_api/vision/handles.h"
#include "c_api/vision/images.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

namespace {

constexpr std::size_t kLandmarks = std::tuple_size_v<FaceLandmarks>;

/// The landmarks of several faces, one face after another.
std::vector<FaceLandmarks> faces_of(const float* landmarks, std::size_t face_count) {
  if (face_count > 0) need(landmarks, "landmarks");
  std::vector<FaceLandmarks> faces(face_count);
  for (std::size_t i = 0; i < face_count; ++i) {
    const Span<const Point> points = points_of(landmarks + i * 2 * kLandmarks, kLandmarks, "landmarks");
    std::copy(points.begin(), points.end(), faces[i].begin());
  }
  return faces;
}

FaceLandmarks landmarks_of(const float* landmarks, std::size_t count) {
  need(landmarks, "landmarks");
  if (count != kLandmarks) {
    reject("a face has " + std::to_string(count) +
           " landmarks; give 5: eyes, nose and the corners of the mouth");
  }
  return faces_of(landmarks, 1)[0];
}

EmbedderOptions embedder_options_of(const mxinfer_embed_options* embed, const mxinfer_options* options) {
  ImageOptions image = image_options_of(options, "a face embedder", false);
  EmbedderOptions result;
  result.preprocess = image.preprocess;
  result.apply_exif = image.apply_exif;
  result.height = image.height;
  result.width = image.width;
  result.normalize = embed == nullptr || read_struct(*embed).raw == 0;
  result.options = std::move(image.options);
  return result;
}

/// embed(embedder, errors) gives the vector of each face; `errors` is NULL without collect_errors.
template <typename Embed>
mxinfer_status embed_list(const mxinfer_face_embedder* embedder, int collect_errors, mxinfer_tensors** out,
                          Embed embed, const char* function = __builtin_FUNCTION()) {
  return give(
      out,
      [&] {
        const FaceEmbedder& self = need(embedder, "embedder").embedder;
        auto made = std::make_unique<mxinfer_tensors>();
        for (const std::vector<float>& vector : embed(self, collect_errors != 0 ? &made->errors : nullptr)) {
          made->list.push_back(Tensor::copy_of(
              TensorView(DType::float32, {static_cast<std::int64_t>(vector.size())}, vector.data())));
        }
        return made.release();
      },
      function);
}

/// embed(embedder) gives the vector of one face.
template <typename Embed>
mxinfer_status embed_one(const mxinfer_face_embedder* embedder, mxinfer_tensors** out, Embed embed,
                         const char* function = __builtin_FUNCTION()) {
  const auto embed_it = [&](const FaceEmbedder& self, std::vector<ItemError>*) {
    return std::vector<std::vector<float>>{embed(self)};
  };
  return embed_list(embedder, 0, out, embed_it, function);
}

}  // namespace

mxinfer_status mxinfer_face_template(int32_t size, float* landmarks) {
  return call([&] {
    need(landmarks, "landmarks");
    for (const Point& point : face_template(size)) {
      *landmarks++ = point.x;
      *landmarks++ = point.y;
    }
  });
}

mxinfer_status mxinfer_align_face(const mxinfer_image* image, const float* landmarks, size_t landmark_count,
                                  int32_t size, mxinfer_owned_image** out) {
  return give(out, [&] {
    return new mxinfer_owned_image{
        align_face(image_of(image), landmarks_of(landmarks, landmark_count), size)};
  });
}

mxinfer_status mxinfer_cosine_similarity(const float* a, const float* b, size_t count, float* out) {
  return call([&] {
    float& similarity = need(out, "out");
    similarity = cosine_similarity(need_span(a, count, "a"), need_span(b, count, "b"));
  });
}

mxinfer_status mxinfer_face_embedder_create(const mxinfer_model* model, const mxinfer_embed_options* embed,
                                            const mxinfer_options* options, mxinfer_face_embedder** out) {
  return give(out, [&] {
    return new mxinfer_face_embedder(
        FaceEmbedder(need(model, "model").model, embedder_options_of(embed, options)));
  });
}

mxinfer_status mxinfer_face_embedder_open(const char* uri, const mxinfer_embed_options* embed,
                                          const mxinfer_options* options, mxinfer_face_embedder** out) {
  return give(out, [&] {
    return new mxinfer_face_embedder(FaceEmbedder(need_text(uri, "uri"), embedder_options_of(embed, options),
                                                  settings_of(options).load_options()));
  });
}

void mxinfer_face_embedder_free(mxinfer_face_embedder* embedder) {
  delete embedder;
}

const mxinfer_predictor* mxinfer_face_embedder_predictor(const mxinfer_face_embedder* embedder) {
  return embedder == nullptr ? nullptr : &embedder->base;
}

mxinfer_status mxinfer_face_embedder_embed_file(const mxinfer_face_embedder* embedder, const char* path,
                                                mxinfer_tensors** out) {
  return embed_one(embedder, out,
                   [&](const FaceEmbedder& self) { return self.embed_file(need_text(path, "path")); });
}

mxinfer_status mxinfer_face_embedder_embed_bytes(const mxinfer_face_embedder* embedder, const void* encoded,
                                                 size_t bytes, mxinfer_tensors** out) {
  return embed_one(embedder, out,
                   [&](const FaceEmbedder& self) { return self.embed_bytes(encoded_of(encoded, bytes)); });
}

mxinfer_status mxinfer_face_embedder_embed_image(const mxinfer_face_embedder* embedder,
                                                 const mxinfer_image* face, mxinfer_tensors** out) {
  return embed_one(embedder, out,
                   [&](const FaceEmbedder& self) { return self.embed(image_of(face, "face")); });
}

mxinfer_status mxinfer_face_embedder_embed_face(const mxinfer_face_embedder* embedder,
                                                const mxinfer_image* photo, const float* landmarks,
                                                size_t landmark_count, mxinfer_tensors** out) {
  return embed_one(embedder, out, [&](const FaceEmbedder& self) {
    return self.embed(image_of(photo, "photo"), landmarks_of(landmarks, landmark_count));
  });
}

mxinfer_status mxinfer_face_embedder_embed_faces(const mxinfer_face_embedder* embedder,
                                                 const mxinfer_image* photo, const float* landmarks,
                                                 size_t face_count, mxinfer_tensors** out) {
  return embed_list(embedder, 0, out, [&](const FaceEmbedder& self, std::vector<ItemError>*) {
    return self.embed_batch(image_of(photo, "photo"), faces_of(landmarks, face_count));
  });
}

mxinfer_status mxinfer_face_embedder_embed_files(const mxinfer_face_embedder* embedder,
                                                 const char* const* paths, size_t count, int collect_errors,
                                                 mxinfer_tensors** out) {
  return embed_list(embedder, collect_errors, out,
                    [&](const FaceEmbedder& self, std::vector<ItemError>* errors) {
                      return self.embed_files(paths_of(paths, count), errors);
                    });
}

mxinfer_status mxinfer_face_embedder_embed_bytes_list(const mxinfer_face_embedder* embedder,
                                                      const mxinfer_bytes* encoded, size_t count,
                                                      int collect_errors, mxinfer_tensors** out) {
  return embed_list(embedder, collect_errors, out,
                    [&](const FaceEmbedder& self, std::vector<ItemError>* errors) {
                      return self.embed_bytes_list(encoded_list(encoded, count), errors);
                    });
}

mxinfer_status mxinfer_face_embedder_embed_images(const mxinfer_face_embedder* embedder,
                                                  const mxinfer_image* faces, size_t count,
                                                  int collect_errors, mxinfer_tensors** out) {
  return embed_list(embedder, collect_errors, out,
                    [&](const FaceEmbedder& self, std::vector<ItemError>* errors) {
                      return self.embed_batch(images_of(faces, count), errors);
                    });
}
