// The Arrow C Data Interface: passes record batches between libraries without a copy and without libarrow.
// The structs are Apache Arrow's, word for word, so a program may include this header and Arrow's own.
//
//   ArrowSchema schema;
//   ArrowArray batch;
//   export_rows(&schema, &batch);                          // such as arrow::ExportRecordBatch
//   table.predict(schema, batch, &result);
//   if (batch.release != nullptr) batch.release(&batch);   // the receiver releases a struct
//
// https://arrow.apache.org/docs/format/CDataInterface.html describes the members.
#pragma once

#include <cstdint>

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

#ifdef __cplusplus
extern "C" {
#endif

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // ARROW_C_DATA_INTERFACE
