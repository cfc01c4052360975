// Draws results into an image: boxes with names, points, skeletons, and areas by class.
//
//   mxinfer_object_detector_detect_image(detector, &street, NULL, &found);
//   mxinfer_draw_detections(&street, found, 0, NULL, &picture);
//   mxinfer_image pixels = {sizeof pixels};
//   mxinfer_owned_image_get(picture, &pixels);
//   mxinfer_write_image(&pixels, "street-found.png", 0);
//
// Every function writes a new RGB image of the same size to `out`, and does not change its argument.
// Coordinates are in pixels of the image. Shapes are clipped at its edges, and shapes with coordinates that
// are not finite are left out. Any thread may call these functions.
#ifndef MXINFER_C_DRAW_H
#define MXINFER_C_DRAW_H

#include <mxinfer_c/image.h>
#include <mxinfer_c/image_segmenter.h>
#include <mxinfer_c/object_detector.h>
#include <mxinfer_c/tensor.h>

/// How to draw. A member that is 0 or NULL has its default. Functions accept NULL, which means all zeros.
typedef struct mxinfer_draw_options {
  size_t struct_size;
  int32_t line_width;     ///< of boxes and limbs, in pixels, at most 1000; 0: suits the image's size
  float text_scale;       ///< scales the letters, 0.1 to 100; 0: 1
  int32_t no_labels;      ///< 1: leaves out the names of objects
  int32_t no_scores;      ///< 1: leaves out their scores
  const uint8_t* colors;  ///< red, green, blue of one colour after another, by class, point or limb
  size_t color_count;     ///< number of colours, which repeat from the start; 0: one for each class
} mxinfer_draw_options;

/// Draws the objects of image `index` of a detector's results: a box, a tab with label and score, and discs
/// on landmarks. Error: MXINFER_INVALID_ARGUMENT if the index or an option is out of range.
MXINFER_C_API mxinfer_status mxinfer_draw_detections(const mxinfer_image* image,
                                                     const mxinfer_detections* detections, size_t index,
                                                     const mxinfer_draw_options* options,
                                                     mxinfer_owned_image** out);
/// The same for `count` objects of your own. A label that is NULL is empty.
MXINFER_C_API mxinfer_status mxinfer_draw_boxes(const mxinfer_image* image, const mxinfer_detection* boxes,
                                                size_t count, const mxinfer_draw_options* options,
                                                mxinfer_owned_image** out);
/// Draws small discs on points: x and y of one point after another. `point_count` counts points.
MXINFER_C_API mxinfer_status mxinfer_draw_points(const mxinfer_image* image, const float* points,
                                                 size_t point_count, const mxinfer_draw_options* options,
                                                 mxinfer_owned_image** out);
/// Draws limbs, and discs on the points that they join. `limbs` holds the positions of two points for one
/// limb after another; `limb_count` counts limbs. Points that are not finite are left out, with their limbs.
/// Error: MXINFER_INVALID_ARGUMENT if a limb refers to a point that is not in the list.
MXINFER_C_API mxinfer_status mxinfer_draw_skeleton(const mxinfer_image* image, const float* points,
                                                   size_t point_count, const int32_t* limbs,
                                                   size_t limb_count, const mxinfer_draw_options* options,
                                                   mxinfer_owned_image** out);

/// How to blend colours into an image. A member that is 0 or NULL has its default. Functions accept NULL,
/// which means all zeros.
typedef struct mxinfer_blend_options {
  size_t struct_size;
  float opacity;           ///< of the colours, up to 1; 0: 0.5
  int32_t background;      ///< pixels with this label, or one below 0, do not change
  const uint8_t* palette;  ///< red, green, blue of one label after another
  size_t palette_count;    ///< number of colours, which repeat from the start; 0: one for each label
} mxinfer_blend_options;

/// Blends each pixel with the colour of its label. `labels` has the image's (height, width), and is uint8,
/// int32 or int64. Error: MXINFER_INVALID_ARGUMENT if the shape or dtype is another, or the opacity is not 0
/// to 1.
MXINFER_C_API mxinfer_status mxinfer_blend_labels(const mxinfer_image* image, const mxinfer_tensor* labels,
                                                  const mxinfer_blend_options* options,
                                                  mxinfer_owned_image** out);
/// The same with the labels of image `index` of a segmenter's results. Pixels of MXINFER_UNKNOWN_LABEL do not
/// change. Error: MXINFER_INVALID_ARGUMENT also if the index is out of range.
MXINFER_C_API mxinfer_status mxinfer_draw_segmentation(const mxinfer_image* image,
                                                       const mxinfer_segmentations* segmentations,
                                                       size_t index, const mxinfer_blend_options* options,
                                                       mxinfer_owned_image** out);

#endif
