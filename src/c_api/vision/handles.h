// The handles of images and of what is found in them.
#pragma once

#include <mxinfer/item_error.h>
#include <mxinfer/vision/face_embedder.h>
#include <mxinfer/vision/image.h>
#include <mxinfer/vision/image_segmenter.h>
#include <mxinfer/vision/keypoint_detector.h>
#include <mxinfer_c.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "c_api/handles.h"

struct mxinfer_owned_image {
  mxinfer::Image image;
};

struct mxinfer_owned_bytes {
  std::vector<std::uint8_t> bytes;
};

struct mxinfer_segmentations {
  std::vector<mxinfer::Segmentation> images{};
  std::vector<mxinfer::ItemError> errors{};
};

struct mxinfer_poses {
  std::vector<mxinfer::Pose> list{};
  std::vector<std::vector<float>> points{};  ///< of each pose: x, y of one point after another
};

struct mxinfer_image_segmenter {
  explicit mxinfer_image_segmenter(const mxinfer::ImageSegmenter& s) : segmenter(s), base{s} {}
  mxinfer::ImageSegmenter segmenter;
  mxinfer_predictor base;
};

struct mxinfer_keypoint_detector {
  explicit mxinfer_keypoint_detector(const mxinfer::KeypointDetector& d) : detector(d), base{d} {}
  mxinfer::KeypointDetector detector;
  mxinfer_predictor base;
};

struct mxinfer_face_embedder {
  explicit mxinfer_face_embedder(const mxinfer::FaceEmbedder& e) : embedder(e), base{e} {}
  mxinfer::FaceEmbedder embedder;
  mxinfer_predictor base;
};
