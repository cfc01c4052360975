// The boxes between MTCNN's networks, and the few rules by which they change. A box has edges: one that
// covers the pixels 3, 4 and 5 of a row is from 3 to 6.
#pragma once

#include <mxinfer/mxinfer.h>

#include <vector>

namespace mtcnn {

/// A box that may hold a face.
struct Candidate {
  mxinfer::Box box;
  float score = 0;
  /// By how much the network would move the edges, in parts of the box's sides.
  mxinfer::Box offset;
  mxinfer::FaceLandmarks landmarks{};  ///< of the third network alone
};

/// The candidates without those that overlap a better one by more than `threshold`, best first. With
/// SuppressOverlap::min a box inside of another is suppressed too.
std::vector<Candidate> suppress(const std::vector<Candidate>& candidates, float threshold,
                                mxinfer::SuppressOverlap overlap = mxinfer::SuppressOverlap::iou);

/// The edges moved by the offset.
mxinfer::Box calibrated(const Candidate& candidate);

/// The square around the same centre whose sides are the longer side of the box, at whole pixels.
mxinfer::Box square_around(const mxinfer::Box& box);

/// Whether the box has something of an image of that size in it, and no coordinate is nonsense, such as the
/// NaN of a damaged network.
bool touches(const mxinfer::Box& box, mxinfer::Size image);

/// calibrated() and square_around() of all, without those that leave the image.
std::vector<mxinfer::Box> next_boxes(const std::vector<Candidate>& candidates, mxinfer::Size image);

/// The pixels of the image in a box at whole pixels; beyond the image's edges they are black.
/// Precondition: touches().
mxinfer::Image crop_with_border(const mxinfer::Image& image, const mxinfer::Box& box);

}  // namespace mtcnn
