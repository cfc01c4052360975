// Options by name, as text, so that new options need no new structs.
//
//   mxinfer_options* options = NULL;
//   mxinfer_options_create(&options);
//   mxinfer_options_set(options, "threads", "4");
//   mxinfer_options_set(options, "preset", "imagenet");
//   mxinfer_image_classifier_open("resnet18_v1", options, &classifier);
//
// Names are those of the fields of the C++ structs LoadOptions, Options, AsyncOptions, Preprocess,
// ImageOptions and DetectorOptions. mxinfer_options_describe() describes all of them, and
// docs/reference/options.md lists them.
#ifndef MXINFER_C_OPTIONS_H
#define MXINFER_C_OPTIONS_H

#include <mxinfer_c/status.h>
#include <stddef.h>

typedef struct mxinfer_options mxinfer_options;

/// Creates options that all have their defaults, which NULL means too. Use an object on one thread at a time.
/// Functions read it only during the call.
MXINFER_C_API mxinfer_status mxinfer_options_create(mxinfer_options** out);

/// Sets one option. If you set a name twice, the last value is used. Error: MXINFER_INVALID_ARGUMENT if the
/// name is unknown or the value is invalid; the options are then unchanged.
MXINFER_C_API mxinfer_status mxinfer_options_set(mxinfer_options* options, const char* name,
                                                 const char* value);

MXINFER_C_API void mxinfer_options_free(mxinfer_options* options);

/// One option. The texts live as long as the process.
typedef struct mxinfer_option_info {
  size_t struct_size;
  const char* name;
  const char* group;         ///< "load", "run", "queue", "image", "scores" or "detector"
  const char* value;         ///< which values it takes: "a whole number", "true or false"
  const char* default_text;  ///< its default; "" if that is not a value
  const char* help;
} mxinfer_option_info;

/// Returns the number of options.
MXINFER_C_API size_t mxinfer_options_known(void);

/// Writes the description of option `index`, from 0, to `info`. Error: MXINFER_INVALID_ARGUMENT if the index
/// is out of range.
MXINFER_C_API mxinfer_status mxinfer_options_describe(size_t index, mxinfer_option_info* info);

#endif
