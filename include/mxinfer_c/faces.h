// Faces: align a face, compute its vector, and compare two vectors.
//
//   mxinfer_face_embedder_open("mobilefacenet", NULL, options, &embedder);
//   mxinfer_face_embedder_embed_face(embedder, &photo, face.landmarks, face.landmark_count, &a);
//   mxinfer_face_embedder_embed_file(embedder, "aligned.png", &b);
//   mxinfer_cosine_similarity(vector_a, vector_b, 128, &alike);      // -1 to 1
//
// Any number of threads may use one embedder, and any thread may call the other functions. Use results on one
// thread at a time.
#ifndef MXINFER_C_FACES_H
#define MXINFER_C_FACES_H

#include <mxinfer_c/image.h>
#include <mxinfer_c/predictor.h>

// Landmarks are five points, x and y of one point after another: the left eye, the right eye, the tip of the
// nose, and the left and right corner of the mouth, as seen in the image. Whole numbers are the centres of
// pixels.

/// Writes where the landmarks lie in an aligned face of size x size pixels: 10 numbers to `landmarks`. Error:
/// MXINFER_INVALID_ARGUMENT if the size is not 1 to 4096.
MXINFER_C_API mxinfer_status mxinfer_face_template(int32_t size, float* landmarks);
/// Rotates, scales and moves the face so that its landmarks lie as near to mxinfer_face_template as possible,
/// and writes size x size pixels to `out`. Pixels outside the image are 0. `landmark_count` must be 5. Error:
/// MXINFER_INVALID_ARGUMENT if the size is not 1 to 4096, or the landmarks are not finite or cannot be those
/// of a face.
MXINFER_C_API mxinfer_status mxinfer_align_face(const mxinfer_image* image, const float* landmarks,
                                                size_t landmark_count, int32_t size,
                                                mxinfer_owned_image** out);
/// Writes the cosine of the angle between two vectors of `count` numbers to `out`: 1 for the same direction,
/// 0 if either is zeros. The vectors need not be normalised. Error: MXINFER_INVALID_ARGUMENT if `count` is 0
/// or a number is not finite.
MXINFER_C_API mxinfer_status mxinfer_cosine_similarity(const float* a, const float* b, size_t count,
                                                       float* out);

/// How vectors are made. Functions accept NULL, which means all zeros.
typedef struct mxinfer_embed_options {
  size_t struct_size;
  int32_t raw;  ///< 0: divides each vector by its length; 1: returns the network's vectors
} mxinfer_embed_options;

typedef struct mxinfer_face_embedder mxinfer_face_embedder;

/// Create an embedder for a model, or load the model first. The options are those of an image classifier
/// without activation and min_score. Error: MXINFER_INVALID_ARGUMENT unless the model has one input of images
/// and one float32 output, (batch, n) or (batch, n, 1, 1).
MXINFER_C_API mxinfer_status mxinfer_face_embedder_create(const mxinfer_model* model,
                                                          const mxinfer_embed_options* embed,
                                                          const mxinfer_options* options,
                                                          mxinfer_face_embedder** out);
MXINFER_C_API mxinfer_status mxinfer_face_embedder_open(const char* uri, const mxinfer_embed_options* embed,
                                                        const mxinfer_options* options,
                                                        mxinfer_face_embedder** out);
MXINFER_C_API void mxinfer_face_embedder_free(mxinfer_face_embedder* embedder);
/// Returns the same object as a predictor. Borrowed: do not free it.
MXINFER_C_API const mxinfer_predictor* mxinfer_face_embedder_predictor(const mxinfer_face_embedder* embedder);

/// Compute the vector of an image that shows an aligned face and nothing else: a file at a path or address,
/// the bytes of a JPEG or PNG, or pixels. Write one array of shape (n) to `out`. Errors: as
/// mxinfer_image_classifier_classify_file and similar functions.
MXINFER_C_API mxinfer_status mxinfer_face_embedder_embed_file(const mxinfer_face_embedder* embedder,
                                                              const char* path, mxinfer_tensors** out);
MXINFER_C_API mxinfer_status mxinfer_face_embedder_embed_bytes(const mxinfer_face_embedder* embedder,
                                                               const void* encoded, size_t bytes,
                                                               mxinfer_tensors** out);
MXINFER_C_API mxinfer_status mxinfer_face_embedder_embed_image(const mxinfer_face_embedder* embedder,
                                                               const mxinfer_image* face,
                                                               mxinfer_tensors** out);
/// Aligns a face of a photograph to the size of the network's input and computes its vector: one array of
/// shape (n). Errors: as mxinfer_align_face, and MXINFER_INVALID_ARGUMENT if the network's input is not
/// square, or the option "resize" is short_side_crop.
MXINFER_C_API mxinfer_status mxinfer_face_embedder_embed_face(const mxinfer_face_embedder* embedder,
                                                              const mxinfer_image* photo,
                                                              const float* landmarks, size_t landmark_count,
                                                              mxinfer_tensors** out);
/// The same for all faces of a photograph, as one batch: an array of shape (n) for each face. `landmarks`
/// holds 10 numbers for each face.
MXINFER_C_API mxinfer_status mxinfer_face_embedder_embed_faces(const mxinfer_face_embedder* embedder,
                                                               const mxinfer_image* photo,
                                                               const float* landmarks, size_t face_count,
                                                               mxinfer_tensors** out);
/// Compute the vectors of lists of aligned faces, as one batch: an array of shape (n) for each face, in
/// order. With collect_errors, mxinfer_tensors_item_status reports images that fail; they have an array of
/// shape (0), and the others are not affected. Without it, the first image that fails makes the call fail.
MXINFER_C_API mxinfer_status mxinfer_face_embedder_embed_files(const mxinfer_face_embedder* embedder,
                                                               const char* const* paths, size_t count,
                                                               int collect_errors, mxinfer_tensors** out);
MXINFER_C_API mxinfer_status mxinfer_face_embedder_embed_bytes_list(const mxinfer_face_embedder* embedder,
                                                                    const mxinfer_bytes* encoded,
                                                                    size_t count, int collect_errors,
                                                                    mxinfer_tensors** out);
MXINFER_C_API mxinfer_status mxinfer_face_embedder_embed_images(const mxinfer_face_embedder* embedder,
                                                                const mxinfer_image* faces, size_t count,
                                                                int collect_errors, mxinfer_tensors** out);

#endif
