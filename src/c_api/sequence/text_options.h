// Text options from the struct of the C interface.
#pragma once

#include <mxinfer/sequence/text_classifier.h>
#include <mxinfer/settings.h>
#include <mxinfer_c/text_classifier.h>

namespace mxinfer::c_api {

/// `settings` are those of the groups "run", "queue" and "scores". NULL: no text option is set.
TextOptions text_options_of(const mxinfer_text_options* options, const Settings& settings);

}  // namespace mxinfer::c_api
