// The boxes between MTCNN's networks, and the rules that change them. Boxes are in edges: a box that covers
// the pixels 3, 4 and 5 of a row is from 3 to 6.
#pragma once

#include <mxinfer/mxinfer.h>

#include <vector>

namespace mtcnn {

/// A box that may hold a face.
struct Candidate {
  mxinfer::Box box;
  float score = 0;
  /// How far the network would move the edges, in fractions of the box's sides.
  mxinfer::Box offset;
  mxinfer::FaceLandmarks landmarks{};  ///< only from the third network
};

/// Drops the candidates that overlap a better one by more than `threshold`, and returns the others, best
/// first. With SuppressOverlap::min it also drops a box inside another.
std::vector<Candidate> suppress(const std::vector<Candidate>& candidates, float threshold,
                                mxinfer::SuppressOverlap overlap = mxinfer::SuppressOverlap::iou);

/// The box with its edges moved by the offset.
mxinfer::Box calibrated(const Candidate& candidate);

/// The square with the same centre and the longer side of the box, at whole pixels.
mxinfer::Box square_around(const mxinfer::Box& box);

/// Whether the box overlaps an image of that size, and all coordinates are valid: a damaged network returns
/// NaN.
bool touches(const mxinfer::Box& box, mxinfer::Size image);

/// Applies calibrated() and square_around() to all, and drops the boxes outside the image.
std::vector<mxinfer::Box> next_boxes(const std::vector<Candidate>& candidates, mxinfer::Size image);

/// The pixels of the image in a box at whole pixels; black beyond the image's edges.
/// Precondition: touches().
mxinfer::Image crop_with_border(const mxinfer::Image& image, const mxinfer::Box& box);

}  // namespace mtcnn
