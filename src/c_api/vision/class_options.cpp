#include "c_api/vision/class_options.h"

#include <string>

#include "c_api/call.h"
#include "c_api/handles.h"

namespace mxinfer::c_api {

ImageOptions image_options_of(const mxinfer_options* options, const char* class_name, bool scores) {
  const ImageOptions image = settings_of(options).image_options();
  const auto refuse = [&](const char* option) {
    reject(std::string("the option ") + option + " has no effect on " + class_name + "; leave it out");
  };
  if (image.min_score) refuse("min_score");
  if (!scores && image.activation != Activation::none) refuse("activation");
  return image;
}

}  // namespace mxinfer::c_api
