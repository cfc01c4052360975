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

enum class Overlap {
  over_union,    ///< what two boxes share, as a part of what either covers
  over_smaller,  ///< as a part of the smaller one: a box inside of another is suppressed too
};

/// The candidates without those that overlap a better one by more than `threshold`, best first.
std::vector<Candidate> suppress(const std::vector<Candidate>& candidates, float threshold, Overlap overlap);

/// The edges moved by the offset.
mxinfer::Box calibrated(const Candidate& candidate);

/// The square around the same centre whose sides are the longer side of the box, at whole pixels.
mxinfer::Box square_around(const mxinfer::Box& box);

/// Whether the box has something of a picture of that size in it, and no coordinate is nonsense, such as the
/// NaN of a damaged network.
bool touches(const mxinfer::Box& box, mxinfer::Size picture);

/// calibrated() and square_around() of all, without those that leave the picture.
std::vector<mxinfer::Box> next_boxes(const std::vector<Candidate>& candidates, mxinfer::Size picture);

/// The pixels of the picture in a box at whole pixels; beyond the picture's edges they are black.
/// Precondition: touches().
mxinfer::Image crop_with_border(const mxinfer::Image& picture, const mxinfer::Box& box);

}  // namespace mtcnn
