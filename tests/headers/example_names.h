// Names that the examples of the public headers use without saying where they come from.
#pragma once

#include <mxinfer/mxinfer.h>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

struct Request {
  std::string body() const;
};
struct Metrics {
  void set(const char* name, std::size_t value);
};
struct Database {
  std::int64_t size(const std::string& key) const;
  void copy(const std::string& key, std::int64_t offset, std::byte* to, std::size_t bytes) const;
};

extern Request request;
extern Metrics metrics;
extern Database database;
extern const mxinfer::Model model;
extern const mxinfer::Predictor predictor;
extern const mxinfer::ImageClassifier classifier;
extern const mxinfer::ObjectDetector detector;
extern const mxinfer::ImageSegmenter segmenter;
extern const mxinfer::KeypointDetector joints;
extern const mxinfer::SequencePredictor language_model;
extern const mxinfer::SequenceGenerator generator;
extern const std::vector<std::int32_t> ids;
extern const mxinfer::Tensor image, info, captcha;
extern const std::vector<mxinfer::Image> images;
extern const std::vector<mxinfer::TensorView> views;
extern const std::vector<std::string> texts;
extern const std::vector<float> pixels, left, right;
extern const mxinfer::Box found;
extern const mxinfer::Image photo, other_face;
extern const mxinfer::FaceLandmarks landmarks;
std::vector<float> network(const mxinfer::Image& face);
extern const std::size_t x, y, c;
extern mxinfer::RequestQueue queue;
extern const mxinfer::TablePredictor table;
extern ArrowSchema schema;
extern ArrowArray batch, result;
void export_rows(ArrowSchema* schema, ArrowArray* batch);
void trace(const mxinfer::RequestEvent& event);
void show(const std::vector<mxinfer::Classification>& classes);
void draw_next_frame();
void shed_load();
void watch(int fd);
std::vector<mxinfer::Tensor> read_batch();
std::vector<mxinfer::Detection> decode(const std::vector<mxinfer::Tensor>& outputs);
