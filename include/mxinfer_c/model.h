// Model: a network and its weights. It is read once and never changes, and any number of predictors and
// threads share it.
//
//   mxinfer_model* model = NULL;
//   if (mxinfer_model_load("models/digits", NULL, &model) != MXINFER_OK) return 1;
//   puts(mxinfer_model_label(model, 7));
//   mxinfer_model_free(model);
#ifndef MXINFER_C_MODEL_H
#define MXINFER_C_MODEL_H

#include <mxinfer_c/options.h>
#include <mxinfer_c/tensor.h>

typedef struct mxinfer_model mxinfer_model;

/// Loads a prefix ("resnet18_v1" for resnet18_v1-symbol.json and resnet18_v1-0000.params), a symbol file, a
/// folder that holds one model, or one file that holds the model: a bundle (.mxz), a model server's archive
/// (.mar, .model), SageMaker's model.tar.gz, or any zip, tar or tar.gz file with one pair in it. Uses the
/// options of the group "load". Errors: MXINFER_NOT_FOUND; MXINFER_MALFORMED; MXINFER_UNSUPPORTED, whose
/// message names every missing operator; MXINFER_INVALID_ARGUMENT if the options do not fit the network.
MXINFER_C_API mxinfer_status mxinfer_model_load(const char* uri, const mxinfer_options* options,
                                                mxinfer_model** out);
/// Loads two files, each from its own path or address. If the network has no parameters, `params` may be
/// NULL.
MXINFER_C_API mxinfer_status mxinfer_model_load_files(const char* symbol, const char* params,
                                                      const mxinfer_options* options, mxinfer_model** out);
/// Loads the contents of the two files from memory, which is not needed after the call.
MXINFER_C_API mxinfer_status mxinfer_model_load_memory(const void* symbol_json, size_t symbol_bytes,
                                                       const void* params, size_t params_bytes,
                                                       const mxinfer_options* options, mxinfer_model** out);
/// Loads the contents of one file that holds the model, such as a bundle, from memory, which is not needed
/// after the call.
MXINFER_C_API mxinfer_status mxinfer_model_load_archive(const void* archive, size_t bytes,
                                                        const mxinfer_options* options, mxinfer_model** out);

/// Bytes that your program provides, such as those of a database or of an encrypted file. Several threads may
/// call the functions at once.
typedef struct mxinfer_source {
  size_t struct_size;
  void* user;
  int64_t bytes;  ///< their number, which does not change
  /// Copies the bytes [offset, offset + bytes), which lie inside the source, to `to`. If it returns any
  /// status but MXINFER_OK, the call that needs the bytes fails. The function may write a message of at most
  /// `message_bytes`, its final 0 included, to `message`.
  mxinfer_status (*read)(void* user, int64_t offset, size_t bytes, void* to, char* message,
                         size_t message_bytes);
  void (*release)(void* user);  ///< called once when the source is no longer needed; may be NULL
} mxinfer_source;

/// Loads from your own sources. The source of the parameters is kept and read later, as a file is, unless the
/// option read_weights_at_once is true. `params`, `labels` (class names, one per line) and `name` may be
/// NULL. Every source is released when it is no longer needed, even if the call fails.
MXINFER_C_API mxinfer_status mxinfer_model_load_sources(const mxinfer_source* symbol,
                                                        const mxinfer_source* params,
                                                        const mxinfer_source* labels, const char* name,
                                                        const mxinfer_options* options, mxinfer_model** out);

/// Returns the prefix or file that the model came from; "" for NULL. The text lives as long as `model`, and
/// so does what the functions below return.
MXINFER_C_API const char* mxinfer_model_name(const mxinfer_model* model);
/// Return the inputs and the outputs, in order. Borrowed: do not free them.
MXINFER_C_API const mxinfer_descs* mxinfer_model_inputs(const mxinfer_model* model);
MXINFER_C_API const mxinfer_descs* mxinfer_model_outputs(const mxinfer_model* model);
/// Return the number of class names, and one of them; NULL if the index is out of range.
MXINFER_C_API size_t mxinfer_model_label_count(const mxinfer_model* model);
MXINFER_C_API const char* mxinfer_model_label(const mxinfer_model* model, size_t index);
/// Return the number of warnings about the files, and one of them, which is a sentence; NULL if the index is
/// out of range.
MXINFER_C_API size_t mxinfer_model_warning_count(const mxinfer_model* model);
MXINFER_C_API const char* mxinfer_model_warning(const mxinfer_model* model, size_t index);

/// Frees the handle. Predictors that were made from it continue to work.
MXINFER_C_API void mxinfer_model_free(mxinfer_model* model);

#endif
