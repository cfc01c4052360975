// Options by name, as text, so that new ones need no new structs.
//
//   mxinfer_options* options = NULL;
//   mxinfer_options_create(&options);
//   mxinfer_options_set(options, "threads", "4");
//   mxinfer_options_set(options, "preset", "imagenet");
//   mxinfer_image_classifier_open("resnet18_v1", options, &classifier);
//
// Names are those of the fields of the C++ structs LoadOptions, Options, AsyncOptions, Preprocess,
// ImageOptions and DetectorOptions; mxinfer_options_describe() tells of all, and docs/how-to/c.md lists them.
#ifndef MXINFER_C_OPTIONS_H
#define MXINFER_C_OPTIONS_H

#include <mxinfer_c/status.h>
#include <stddef.h>

typedef struct mxinfer_options mxinfer_options;

/// No option set: all have their defaults. Where a function takes options, NULL stands for that too.
MXINFER_C_API mxinfer_status mxinfer_options_create(mxinfer_options** out);

/// Sets one; of a name that is set twice the last value counts. MXINFER_INVALID_ARGUMENT: a name that there
/// is not, or a value that the option does not take; nothing has changed then.
MXINFER_C_API mxinfer_status mxinfer_options_set(mxinfer_options* options, const char* name,
                                                 const char* value);

MXINFER_C_API void mxinfer_options_free(mxinfer_options* options);

/// One option that there is. The texts live as long as the process.
typedef struct mxinfer_option_info {
  size_t struct_size;
  const char* name;
  const char* group;         ///< "load", "run", "queue", "image", "scores" or "detector"
  const char* value;         ///< what it takes: "a whole number", "true or false"
  const char* default_text;  ///< what it is if nothing sets it; "" if that is not a value
  const char* help;
} mxinfer_option_info;

/// How many options there are.
MXINFER_C_API size_t mxinfer_options_known(void);

/// Tells of option `index`, from 0.
MXINFER_C_API mxinfer_status mxinfer_options_describe(size_t index, mxinfer_option_info* info);

#endif
