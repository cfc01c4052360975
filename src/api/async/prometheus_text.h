// PrometheusText: metrics in Prometheus' text format, version 0.0.4.
//
//   PrometheusText text(R"(model="resnet18")", true);
//   text.family("mxinfer_calls_waiting", "gauge", "Calls that wait.");
//   text.sample("mxinfer_calls_waiting", 3);
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/fail.h"

namespace mxinfer::api {

class PrometheusText {
 public:
  PrometheusText(std::string_view labels, bool with_help) : labels_(labels), with_help_(with_help) {}

  void family(std::string_view name, std::string_view type, std::string_view help) {
    if (with_help_) text_ += concat("# HELP ", name, " ", help, "\n# TYPE ", name, " ", type, "\n");
  }
  template <typename Value>
  void sample(std::string_view name, const Value& value, std::string_view own_label = {}) {
    text_ += name;
    if (!labels_.empty() || !own_label.empty())
      text_ += concat("{", labels_, labels_.empty() || own_label.empty() ? "" : ",", own_label, "}");
    text_ += concat(" ", value, "\n");
  }
  std::string take() { return std::move(text_); }

 private:
  std::string_view labels_;
  bool with_help_;
  std::string text_;
};

}  // namespace mxinfer::api
