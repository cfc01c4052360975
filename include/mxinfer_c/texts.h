// Lists of ids and of texts: your own, and those that the library owns.
//
//   mxinfer_ids* ids = NULL;
//   mxinfer_tokenizer_ids(tokenizer, "a pleasant day", &ids);
//   for (size_t i = 0; i < mxinfer_ids_count(ids); ++i) printf("%d\n", mxinfer_ids_data(ids)[i]);
//   mxinfer_ids_free(ids);
#ifndef MXINFER_C_TEXTS_H
#define MXINFER_C_TEXTS_H

#include <mxinfer_c/status.h>
#include <stddef.h>

/// Your own sequence of ids.
typedef struct mxinfer_id_list {
  size_t struct_size;
  const int32_t* ids;
  size_t count;
} mxinfer_id_list;

/// Ids that the library owns.
typedef struct mxinfer_ids mxinfer_ids;

/// Returns the number of ids.
MXINFER_C_API size_t mxinfer_ids_count(const mxinfer_ids* ids);
/// Returns the ids, which live as long as `ids`; NULL if there are none.
MXINFER_C_API const int32_t* mxinfer_ids_data(const mxinfer_ids* ids);
MXINFER_C_API void mxinfer_ids_free(mxinfer_ids* ids);

/// Texts that the library owns.
typedef struct mxinfer_texts mxinfer_texts;

/// Returns the number of texts.
MXINFER_C_API size_t mxinfer_texts_count(const mxinfer_texts* texts);
/// Returns text `index`, which lives as long as `texts`; NULL if the index is out of range.
MXINFER_C_API const char* mxinfer_texts_get(const mxinfer_texts* texts, size_t index);
MXINFER_C_API void mxinfer_texts_free(mxinfer_texts* texts);

#endif
