#include <mxinfer/sequence/ctc.h>
#include <nanobind/nanobind.h>

#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "core/arrays.h"
#include "core/calls.h"
#include "core/errors.h"
#include "core/option_fields.h"
#include "core/records.h"

namespace nb = nanobind;

namespace mxinfer::python {
namespace {

CtcOptions ctc_options(const OptionFields& fields) {
  CtcOptions options;
  fields.choose("scores", options.scores,
                {{"probabilities", CtcScores::probabilities},
                 {"log_probabilities", CtcScores::log_probabilities},
                 {"logits", CtcScores::logits}});
  fields.choose("layout", options.layout, {{"ntc", CtcLayout::ntc}, {"tnc", CtcLayout::tnc}});
  fields.read("blank", options.blank, "a whole number");
  fields.read("lengths", options.lengths, "a list of whole numbers");
  fields.read("labels", options.labels, "a list of texts");
  return options;
}

nb::object to_python(const CtcSequence& read) {
  nb::list labels;
  for (const std::int32_t label : read.labels) labels.append(label);
  return nb::make_tuple(labels, text_of(read.text), read.log_probability);
}

nb::object to_python(const std::vector<CtcSequence>& sequences) {
  nb::list list;
  for (const CtcSequence& each : sequences) list.append(to_python(each));
  return list;
}

nb::object greedy(const nb::object& scores, const nb::dict& dict) {
  const HeldArray array(scores, {"scores", "", DType::float32});
  const CtcOptions options = ctc_options(OptionFields(dict));
  std::vector<CtcSequence> read;
  {
    const WithoutGil released;
    read = ctc_greedy(array.view(), options);
  }
  return to_python(read);
}

nb::object beam_search(const nb::object& scores, const nb::dict& dict) {
  const HeldArray array(scores, {"scores", "", DType::float32});
  const OptionFields fields(dict);
  CtcBeamOptions options(ctc_options(fields));
  fields.read("beam_width", options.beam_width, "a whole number");
  fields.read("best", options.best, "a whole number");
  std::vector<std::vector<CtcSequence>> read;
  {
    const WithoutGil released;
    read = ctc_beam_search(array.view(), options);
  }
  nb::list list;
  for (const std::vector<CtcSequence>& each : read) list.append(to_python(each));
  return list;
}

}  // namespace

void bind_ctc(nb::module_& module) {
  module.def("ctc_greedy", greedy, nb::arg("scores").none(), nb::arg("options"));
  module.def("ctc_beam_search", beam_search, nb::arg("scores").none(), nb::arg("options"));
}

}  // namespace mxinfer::python
