#include <mxinfer_c/image_segmenter.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "c_api/call.h"
#include "c_api/structs.h"
#include "c_api/vision/class_options.h"
#include "c_api/vision/handles.h"
#include "c_api/vision/images.h"
#include "c_api/vision/segment_options.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

SegmentOptions c_api::segment_options_of(const mxinfer_segment_options* options) {
  SegmentOptions result;
  if (options == nullptr) return result;
  const mxinfer_segment_options given = read_struct(*options);
  if (given.min_score != nullptr) result.min_score = *given.min_score;
  result.smooth = given.nearest == 0;
  return result;
}

namespace {

SegmenterOptions segmenter_options_of(const mxinfer_options* options) {
  ImageOptions image = image_options_of(options, "an image segmenter; mxinfer_segment_options has it", true);
  return {image.preprocess, image.apply_exif, image.height,
          image.width,      image.activation, std::move(image.options)};
}

/// segment(segmenter, options, errors) gives the labels of each image; `errors` is NULL without
/// collect_errors.
template <typename Segment>
mxinfer_status segment_list(const mxinfer_image_segmenter* segmenter, const mxinfer_segment_options* options,
                            int collect_errors, mxinfer_segmentations** out, Segment segment,
                            const char* function = __builtin_FUNCTION()) {
  return give(
      out,
      [&] {
        const ImageSegmenter& self = need(segmenter, "segmenter").segmenter;
        auto made = std::make_unique<mxinfer_segmentations>();
        made->images =
            segment(self, segment_options_of(options), collect_errors != 0 ? &made->errors : nullptr);
        return made.release();
      },
      function);
}

/// segment(segmenter, options) gives the labels of one image.
template <typename Segment>
mxinfer_status segment_one(const mxinfer_image_segmenter* segmenter, const mxinfer_segment_options* options,
                           mxinfer_segmentations** out, Segment segment,
                           const char* function = __builtin_FUNCTION()) {
  const auto segment_it = [&](const ImageSegmenter& self, const SegmentOptions& how,
                              std::vector<ItemError>*) {
    std::vector<Segmentation> images;
    images.push_back(segment(self, how));
    return images;
  };
  return segment_list(segmenter, options, 0, out, segment_it, function);
}

}  // namespace

size_t mxinfer_segmentations_images(const mxinfer_segmentations* segmentations) {
  return segmentations == nullptr ? 0 : segmentations->images.size();
}

mxinfer_status mxinfer_segmentations_labels(const mxinfer_segmentations* segmentations, size_t image,
                                            mxinfer_image* out) {
  return call([&] { write_struct(need(out, "out"), struct_of(label_image(segmentations, image))); });
}

size_t mxinfer_segmentations_areas(const mxinfer_segmentations* segmentations, size_t image) {
  return image < mxinfer_segmentations_images(segmentations) ? segmentations->images[image].areas.size() : 0;
}

mxinfer_status mxinfer_segmentations_area(const mxinfer_segmentations* segmentations, size_t image,
                                          size_t index, mxinfer_segment_area* out) {
  return call([&] {
    const auto& images = need(segmentations, "segmentations").images;
    if (image >= images.size()) no_such("image", image, images.size());
    const std::vector<SegmentArea>& areas = images[image].areas;
    if (index >= areas.size()) no_such("area", index, areas.size());
    const SegmentArea& found = areas[index];
    write_struct(need(out, "out"), {0, found.label.c_str(), found.index, found.pixels, found.part});
  });
}

mxinfer_status mxinfer_segmentations_item_status(const mxinfer_segmentations* segmentations, size_t image,
                                                 const char** message) {
  return item_status_of(segmentations, "segmentations", image, message);
}

void mxinfer_segmentations_free(mxinfer_segmentations* segmentations) {
  delete segmentations;
}

mxinfer_status mxinfer_image_segmenter_create(const mxinfer_model* model, const mxinfer_options* options,
                                              mxinfer_image_segmenter** out) {
  return give(out, [&] {
    return new mxinfer_image_segmenter(
        ImageSegmenter(need(model, "model").model, segmenter_options_of(options)));
  });
}

mxinfer_status mxinfer_image_segmenter_open(const char* uri, const mxinfer_options* options,
                                            mxinfer_image_segmenter** out) {
  return give(out, [&] {
    return new mxinfer_image_segmenter(ImageSegmenter(need_text(uri, "uri"), segmenter_options_of(options),
                                                      settings_of(options).load_options()));
  });
}

void mxinfer_image_segmenter_free(mxinfer_image_segmenter* segmenter) {
  delete segmenter;
}

const mxinfer_predictor* mxinfer_image_segmenter_predictor(const mxinfer_image_segmenter* segmenter) {
  return segmenter == nullptr ? nullptr : &segmenter->base;
}

mxinfer_status mxinfer_image_segmenter_segment_file(const mxinfer_image_segmenter* segmenter,
                                                    const char* path, const mxinfer_segment_options* options,
                                                    mxinfer_segmentations** out) {
  return segment_one(segmenter, options, out, [&](const ImageSegmenter& self, const SegmentOptions& how) {
    return self.segment_file(need_text(path, "path"), how);
  });
}

mxinfer_status mxinfer_image_segmenter_segment_bytes(const mxinfer_image_segmenter* segmenter,
                                                     const void* encoded, size_t bytes,
                                                     const mxinfer_segment_options* options,
                                                     mxinfer_segmentations** out) {
  return segment_one(segmenter, options, out, [&](const ImageSegmenter& self, const SegmentOptions& how) {
    return self.segment_bytes(encoded_of(encoded, bytes), how);
  });
}

mxinfer_status mxinfer_image_segmenter_segment_image(const mxinfer_image_segmenter* segmenter,
                                                     const mxinfer_image* image,
                                                     const mxinfer_segment_options* options,
                                                     mxinfer_segmentations** out) {
  return segment_one(segmenter, options, out, [&](const ImageSegmenter& self, const SegmentOptions& how) {
    return self.segment(image_of(image), how);
  });
}

mxinfer_status mxinfer_image_segmenter_segment_files(const mxinfer_image_segmenter* segmenter,
                                                     const char* const* paths, size_t count,
                                                     const mxinfer_segment_options* options,
                                                     int collect_errors, mxinfer_segmentations** out) {
  return segment_list(
      segmenter, options, collect_errors, out,
      [&](const ImageSegmenter& self, const SegmentOptions& how, std::vector<ItemError>* errors) {
        return self.segment_files(paths_of(paths, count), how, errors);
      });
}

mxinfer_status mxinfer_image_segmenter_segment_bytes_list(const mxinfer_image_segmenter* segmenter,
                                                          const mxinfer_bytes* encoded, size_t count,
                                                          const mxinfer_segment_options* options,
                                                          int collect_errors, mxinfer_segmentations** out) {
  return segment_list(
      segmenter, options, collect_errors, out,
      [&](const ImageSegmenter& self, const SegmentOptions& how, std::vector<ItemError>* errors) {
        return self.segment_bytes_list(encoded_list(encoded, count), how, errors);
      });
}

mxinfer_status mxinfer_image_segmenter_segment_images(const mxinfer_image_segmenter* segmenter,
                                                      const mxinfer_image* images, size_t count,
                                                      const mxinfer_segment_options* options,
                                                      int collect_errors, mxinfer_segmentations** out) {
  return segment_list(
      segmenter, options, collect_errors, out,
      [&](const ImageSegmenter& self, const SegmentOptions& how, std::vector<ItemError>* errors) {
        return self.segment_batch(images_of(images, count), how, errors);
      });
}

mxinfer_status mxinfer_encode_label_png(const mxinfer_image* labels, mxinfer_owned_bytes** out) {
  return give(out, [&] { return new mxinfer_owned_bytes{encode_label_png(image_of(labels, "labels"))}; });
}

mxinfer_status mxinfer_write_label_png(const mxinfer_image* labels, const char* path) {
  return call([&] { write_label_png(image_of(labels, "labels"), need_text(path, "path")); });
}
