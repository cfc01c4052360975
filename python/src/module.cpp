// mxinfer._native: what the classes of python/mxinfer are made of. Nothing of it is for programs.
#include <mxinfer/async/call_metrics.h>
#include <mxinfer/settings.h>
#include <mxinfer/version.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "core/calls.h"
#include "core/completions.h"
#include "core/errors.h"
#include "core/records.h"

namespace nb = nanobind;

namespace mxinfer::python {
namespace {

void after_fork_in_child() {
  forget_calls_of_parent();
  forget_completions_of_parent();
}

nb::object build() {
  const BuildInfo info = build_info();
  return nb::make_tuple(text_of(info.version), text_of(info.commit), text_of(info.compiler), info.targets,
                        text_of(info.best_target));
}

nb::object known_settings() {
  nb::list list;
  for (const SettingInfo& setting : settings_known()) list.append(to_python(setting));
  return list;
}

nb::object histogram_bounds() {
  nb::list bounds;
  for (const double bound : LatencyHistogram::bounds) bounds.append(bound);
  return nb::tuple(bounds);
}

double quantile(const std::vector<std::uint64_t>& counts, double part) {
  LatencyHistogram times;
  for (std::size_t i = 0; i < times.counts.size() && i < counts.size(); ++i) times.counts[i] = counts[i];
  return times.quantile_seconds(part);
}

}  // namespace
}  // namespace mxinfer::python

NB_MODULE(_native, module) {
  using namespace mxinfer::python;
  translate_errors();
  module.def("build_info", build);
  module.def("settings_known", known_settings);
  module.def("check_settings", [](const SettingPairs& pairs) { static_cast<void>(settings_of(pairs)); });
  module.def("histogram_bounds", histogram_bounds);
  module.def("quantile_seconds", quantile);
  module.def("end_calls", [] {
    stop_logging();
    end_calls();
  });
  module.def("after_fork_in_child", after_fork_in_child);
  bind_log(module);
  bind_model(module);
  bind_submitted(module);
  bind_images(module);
  bind_predictor(module);
  bind_classifiers(module);
  bind_detector(module);
  bind_segmenter(module);
  bind_pinned(module);
  bind_tools(module);
  bind_tables(module);
  bind_vocabulary(module);
  bind_tokenizer(module);
  bind_word_vectors(module);
  bind_bucketed_model(module);
  bind_sequence_predictor(module);
  bind_text_classifier(module);
  bind_generator(module);
  bind_ctc(module);
}
