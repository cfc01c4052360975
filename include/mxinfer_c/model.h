// Model: a network and its weights, read once, never changed, shared by any number of predictors and threads.
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
/// (.mar, .model), SageMaker's model.tar.gz, or any zip, tar or tar.gz file with one pair in it. Of the
/// options those of the group "load" count. MXINFER_NOT_FOUND, _MALFORMED, _UNSUPPORTED (every operator that
/// is missing), _INVALID_ARGUMENT (options that do not fit the network).
MXINFER_C_API mxinfer_status mxinfer_model_load(const char* uri, const mxinfer_options* options,
                                                mxinfer_model** out);
/// Loads two files by their own names, paths or addresses; `params` may be NULL for networks without
/// parameters.
MXINFER_C_API mxinfer_status mxinfer_model_load_files(const char* symbol, const char* params,
                                                      const mxinfer_options* options, mxinfer_model** out);
/// Loads from memory: the contents of the two files, which are not needed after the call.
MXINFER_C_API mxinfer_status mxinfer_model_load_memory(const void* symbol_json, size_t symbol_bytes,
                                                       const void* params, size_t params_bytes,
                                                       const mxinfer_options* options, mxinfer_model** out);
/// Loads a file that holds a whole model, as mxinfer_model_load does, from memory.
MXINFER_C_API mxinfer_status mxinfer_model_load_archive(const void* archive, size_t bytes,
                                                        const mxinfer_options* options, mxinfer_model** out);

/// Bytes from wherever a program has them: a database, an encrypted file. Several threads may call the
/// functions at once.
typedef struct mxinfer_source {
  size_t struct_size;
  void* user;
  int64_t bytes;  ///< their number, which does not change
  /// Copies the bytes [offset, offset + bytes), which lie inside of it, to `to`. Anything but MXINFER_OK
  /// fails what needed them; the function may write a message of at most `message_bytes`, with its end, to
  /// `message`.
  mxinfer_status (*read)(void* user, int64_t offset, size_t bytes, void* to, char* message,
                         size_t message_bytes);
  void (*release)(void* user);  ///< called once when the source is not needed any more; may be NULL
} mxinfer_source;

/// From sources of the caller; that of the parameters is kept and read from later, as a file is, unless the
/// option read_weights_at_once says otherwise. `params` and `labels` (class names, one a line) may be NULL.
/// Every source is released in any case, also if this fails.
MXINFER_C_API mxinfer_status mxinfer_model_load_sources(const mxinfer_source* symbol,
                                                        const mxinfer_source* params,
                                                        const mxinfer_source* labels, const char* name,
                                                        const mxinfer_options* options, mxinfer_model** out);

/// The prefix or file it came from.
MXINFER_C_API const char* mxinfer_model_name(const mxinfer_model* model);
/// What it takes and gives, in order. Borrowed: not to be freed.
MXINFER_C_API const mxinfer_descs* mxinfer_model_inputs(const mxinfer_model* model);
MXINFER_C_API const mxinfer_descs* mxinfer_model_outputs(const mxinfer_model* model);
/// Class names: how many, and one of them; NULL beyond the last.
MXINFER_C_API size_t mxinfer_model_label_count(const mxinfer_model* model);
MXINFER_C_API const char* mxinfer_model_label(const mxinfer_model* model, size_t index);
/// What was odd about the files but did no harm: how many sentences, and one of them; NULL beyond the last.
MXINFER_C_API size_t mxinfer_model_warning_count(const mxinfer_model* model);
MXINFER_C_API const char* mxinfer_model_warning(const mxinfer_model* model, size_t index);

/// Predictors that were made from it go on.
MXINFER_C_API void mxinfer_model_free(mxinfer_model* model);

#endif
