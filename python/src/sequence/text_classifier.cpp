#include <mxinfer/sequence/text_classifier.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "core/calls.h"
#include "core/handles.h"
#include "core/option_fields.h"
#include "core/records.h"
#include "core/submitted.h"
#include "sequence/sequences.h"
#include "sequence/texts.h"

namespace nb = nanobind;

namespace mxinfer::python {
namespace {

using TopK = std::optional<int>;
using Classes = std::vector<Classification>;
using Pair = std::pair<std::string, std::string>;

TextOptions text_options(const SettingPairs& settings, const nb::dict& dict) {
  const ClassifierOptions scores = settings_of(settings).classifier_options();
  const OptionFields fields(dict);
  TextOptions options;
  if (const nb::object tokenizer = fields.find("tokenizer"); tokenizer.is_valid())
    options.tokenizer = nb::cast<Tokenizer>(tokenizer);
  fields.read("begin", options.begin, "a token");
  fields.read("end", options.end, "a token");
  fields.read("segment_input", options.segment_input, "the name of an input");
  options.activation = scores.activation;
  options.min_score = scores.min_score;
  options.sequence = sequence_options(fields, scores.options);
  return options;
}

TextClassifierHandle make(const ModelHandle& model, const SettingPairs& settings, const nb::dict& fields) {
  const TextOptions options = text_options(settings, fields);
  const WithoutGil released;
  return TextClassifierHandle(std::make_unique<TextClassifier>(*model, options));
}

TextClassifierHandle make_bucketed(const BucketedModelHandle& model, const SettingPairs& settings,
                                   const nb::dict& fields) {
  const TextOptions options = text_options(settings, fields);
  const WithoutGil released;
  return TextClassifierHandle(std::make_unique<TextClassifier>(*model, options));
}

TextClassifierHandle open(const nb::bytes& uri, const SettingPairs& load, const SettingPairs& settings,
                          const nb::dict& fields) {
  const std::string path = bytes_of(uri);
  const LoadOptions load_options = settings_of(load).load_options();
  const TextOptions options = text_options(settings, fields);
  const WithoutGil released;
  return TextClassifierHandle(std::make_unique<TextClassifier>(path, options, load_options));
}

/// call(classifier) without the interpreter's lock.
template <typename Call>
nb::object classes_of(const TextClassifierHandle& self, Call&& call) {
  Classes classes;
  {
    const WithoutGil released;
    classes = call(self.as<TextClassifier>());
  }
  return to_python(classes);
}

nb::object classify(const TextClassifierHandle& self, const nb::object& value, TopK top_k) {
  const std::string text = utf8_of(value, "text");
  return classes_of(self, [&](const TextClassifier& classifier) { return classifier.classify(text, top_k); });
}

nb::object classify_pair(const TextClassifierHandle& self, const nb::object& first, const nb::object& second,
                         TopK top_k) {
  const Pair pair(utf8_of(first, "first"), utf8_of(second, "second"));
  return classes_of(self, [&](const TextClassifier& classifier) {
    return classifier.classify_pair(pair.first, pair.second, top_k);
  });
}

nb::object classify_tokens(const TextClassifierHandle& self, const nb::object& value, TopK top_k) {
  const std::vector<std::string> tokens = utf8_list(value, "tokens");
  return classes_of(
      self, [&](const TextClassifier& classifier) { return classifier.classify_tokens(tokens, top_k); });
}

nb::object classify_ids(const TextClassifierHandle& self, const nb::object& value, TopK top_k) {
  const std::vector<std::int32_t> ids = ids_of(value, "ids");
  return classes_of(self,
                    [&](const TextClassifier& classifier) { return classifier.classify_ids(ids, top_k); });
}

/// call(values, errors) without the interpreter's lock, for the items that could be read.
template <typename T, typename Call>
nb::object classes_of_items(const ReadItems<T>& items, bool collect, Call&& call) {
  std::vector<ItemError> errors;
  std::vector<Classes> classes;
  {
    const WithoutGil released;
    classes = call(items.values, collect ? &errors : nullptr);
  }
  return results_of(items, std::move(classes), errors);
}

nb::object classify_texts(const TextClassifierHandle& self, const nb::list& values, TopK top_k,
                          bool collect) {
  return classes_of_items(read_texts(values, "text", collect), collect,
                          [&](const std::vector<std::string>& texts, std::vector<ItemError>* errors) {
                            return self.as<TextClassifier>().classify_texts(texts, top_k, errors);
                          });
}

Pair pair_of(nb::handle value, const char* what) {
  if ((!nb::isinstance<nb::tuple>(value) && !nb::isinstance<nb::list>(value)) || nb::len(value) != 2) {
    throw Error(ErrorCode::invalid_argument,
                std::string(what) + ": a pair is a tuple of two texts, got a " + class_name(value));
  }
  const nb::object first = value[0], second = value[1];
  return {utf8_of(first, what), utf8_of(second, what)};
}

nb::object classify_pairs(const TextClassifierHandle& self, const nb::list& values, TopK top_k,
                          bool collect) {
  return classes_of_items(read_items<Pair>(values, "pair", collect, pair_of), collect,
                          [&](const std::vector<Pair>& pairs, std::vector<ItemError>* errors) {
                            return self.as<TextClassifier>().classify_pairs(pairs, top_k, errors);
                          });
}

Submitted classify_async(const TextClassifierHandle& self, const nb::object& future, const nb::object& value,
                         TopK top_k, const nb::object& deadline, const std::string& priority) {
  const TextClassifier& classifier = self.as<TextClassifier>();
  const SubmitOptions options = submit_options(deadline, priority);
  return submit<Classes>(future, utf8_of(value, "text"), [&](const std::string& text) {
    return classifier.classify_async(text, top_k, options);
  });
}

std::vector<std::int32_t> ids(const TextClassifierHandle& self, const nb::object& value) {
  const std::string text = utf8_of(value, "text");
  const WithoutGil released;
  return self.as<TextClassifier>().ids(text);
}

}  // namespace

void bind_text_classifier(nb::module_& module) {
  nb::class_<TextClassifierHandle, SequencePredictorHandle>(module, "TextClassifier")
      .def_static("make", make)
      .def_static("make_bucketed", make_bucketed)
      .def_static("open", open)
      .def("classify", classify, nb::arg("text").none(), nb::arg("top_k").none())
      .def("classify_pair", classify_pair, nb::arg("first").none(), nb::arg("second").none(),
           nb::arg("top_k").none())
      .def("classify_tokens", classify_tokens, nb::arg("tokens").none(), nb::arg("top_k").none())
      .def("classify_ids", classify_ids, nb::arg("ids").none(), nb::arg("top_k").none())
      .def("classify_texts", classify_texts, nb::arg("texts"), nb::arg("top_k").none(), nb::arg("collect"))
      .def("classify_pairs", classify_pairs, nb::arg("pairs"), nb::arg("top_k").none(), nb::arg("collect"))
      .def("classify_async", classify_async, nb::arg("future"), nb::arg("text").none(),
           nb::arg("top_k").none(), nb::arg("deadline").none(), nb::arg("priority"))
      .def("ids", ids, nb::arg("text").none());
}

}  // namespace mxinfer::python
