// Faces: aligned, embedded, compared.
#include <mxinfer/vision/face.h>
#include <mxinfer/vision/face_embedder.h>

#include <string>
#include <vector>

#include "handles.h"
#include "org_mxinfer_NativeVision.h"
#include "support.h"
#include "values.h"
#include "vision/images.h"

using namespace mxinfer::jni;
using mxinfer::ByteSpan;
using mxinfer::FaceEmbedder;
using mxinfer::FaceLandmarks;
using mxinfer::Image;

namespace {

using Vectors = std::vector<std::vector<float>>;

std::vector<FaceLandmarks> landmarks_of(const std::vector<float>& numbers) {
  constexpr std::size_t kNumbers = 2 * std::tuple_size_v<FaceLandmarks>;
  std::vector<FaceLandmarks> faces;
  for (std::size_t i = 0; i + kNumbers <= numbers.size(); i += kNumbers) {
    FaceLandmarks& face = faces.emplace_back();
    for (std::size_t point = 0; point < face.size(); ++point)
      face[point] = {numbers[i + 2 * point], numbers[i + 2 * point + 1]};
  }
  return faces;
}

/// float[][]; null where a status is not MXINFER_OK.
jobjectArray to_java(JNIEnv* env, const Vectors& vectors, const std::vector<jint>& statuses) {
  const LocalRef<jclass> type(env, env->FindClass("java/lang/Object"));
  jobjectArray list = env->NewObjectArray(static_cast<jsize>(vectors.size()), type.get(), nullptr);
  check_java(env);
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    if (statuses.at(i) != MXINFER_OK) continue;
    const LocalRef<jfloatArray> vector(env, from_floats(env, vectors[i]));
    env->SetObjectArrayElement(list, static_cast<jsize>(i), vector.get());
  }
  return list;
}

}  // namespace

jobjectArray Java_org_mxinfer_NativeVision_embed(JNIEnv* env, jclass /*type*/, jlong address, jint source,
                                                 jbyteArray bytes, jintArray size, jfloatArray landmarks) {
  return guard(env, [&] {
    const auto& embedder = derived_at<FaceEmbedder>(address);
    const std::vector<FaceLandmarks> faces = landmarks_of(to_floats(env, landmarks));
    const OneImage image(env, bytes, size);
    Vectors vectors;
    if (landmarks != nullptr) {
      vectors = embedder.embed_batch(to_image(source, image), faces);
    } else {
      vectors.push_back(visit_image(
          source, image, [&](const std::string& path) { return embedder.embed_file(path); },
          [&](ByteSpan encoded) { return embedder.embed_bytes(encoded); },
          [&](const Image& face) { return embedder.embed(face); }));
    }
    return to_java(env, vectors, std::vector<jint>(vectors.size(), MXINFER_OK));
  });
}

jobjectArray Java_org_mxinfer_NativeVision_embedList(JNIEnv* env, jclass /*type*/, jlong address, jint source,
                                                     jobjectArray images, jintArray sizes, jintArray statuses,
                                                     jobjectArray messages) {
  return guard(env, [&] {
    const auto& embedder = derived_at<FaceEmbedder>(address);
    const ImageList list(env, source, images, sizes);
    std::vector<mxinfer::ItemError> errors;
    const Vectors vectors = visit_images(
        source, list,
        [&](const std::vector<std::string>& paths) { return embedder.embed_files(paths, &errors); },
        [&](const std::vector<ByteSpan>& encoded) { return embedder.embed_bytes_list(encoded, &errors); },
        [&](const std::vector<Image>& faces) { return embedder.embed_batch(faces, &errors); });
    const std::vector<jint> numbers = statuses_of(env, errors, messages);
    env->SetIntArrayRegion(statuses, 0, static_cast<jsize>(numbers.size()), numbers.data());
    return to_java(env, vectors, numbers);
  });
}

jbyteArray Java_org_mxinfer_NativeVision_alignFace(JNIEnv* env, jclass /*type*/, jbyteArray bytes,
                                                   jintArray size, jfloatArray landmarks, jint side) {
  return guard(env, [&] {
    const std::vector<FaceLandmarks> faces = landmarks_of(to_floats(env, landmarks));
    const OneImage image(env, bytes, size);
    return from_pixels(env, mxinfer::align_face(to_image(*image.image()), faces.at(0), side));
  });
}

jfloatArray Java_org_mxinfer_NativeVision_faceTemplate(JNIEnv* env, jclass /*type*/, jint side) {
  return guard(env, [&] {
    std::vector<float> numbers;
    for (const mxinfer::Point& point : mxinfer::face_template(side))
      numbers.insert(numbers.end(), {point.x, point.y});
    return from_floats(env, numbers);
  });
}

jfloatArray Java_org_mxinfer_NativeVision_normalize(JNIEnv* env, jclass /*type*/, jfloatArray vector) {
  return guard(env, [&] { return from_floats(env, mxinfer::l2_normalize(to_floats(env, vector))); });
}

jfloat Java_org_mxinfer_NativeVision_cosineSimilarity(JNIEnv* env, jclass /*type*/, jfloatArray a,
                                                      jfloatArray b) {
  return guard(env, [&] { return mxinfer::cosine_similarity(to_floats(env, a), to_floats(env, b)); });
}
