#include <mxinfer/sequence/tokenizer.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bindings.h"
#include "core/arrays.h"
#include "core/calls.h"
#include "core/errors.h"
#include "core/records.h"
#include "sequence/sequence_argument.h"
#include "sequence/texts.h"

namespace nb = nanobind;

namespace mxinfer::python {
namespace {

Tokenizer wordpiece(const Vocabulary& vocabulary, bool basic, bool lower, int max_word_length,
                    const nb::object& prefix) {
  const WordPieceOptions options{basic, lower, max_word_length, utf8_of(prefix, "prefix")};
  const WithoutGil released;
  return Tokenizer::wordpiece(vocabulary, options);
}

Tokenizer sentencepiece(const nb::bytes& uri) {
  const std::string path = bytes_of(uri);
  const WithoutGil released;
  return Tokenizer::sentencepiece(path);
}

Tokenizer sentencepiece_model(const nb::object& contents) {
  const HeldArray model = HeldArray::of_buffer(contents, {"model", "", DType::uint8});
  const WithoutGil released;
  return Tokenizer::sentencepiece(span_of(model));
}

nb::object tokens(const Tokenizer& self, const nb::object& value) {
  const std::string text = utf8_of(value, "text");
  std::vector<std::string> tokens;
  {
    const WithoutGil released;
    tokens = self.tokens(text);
  }
  return to_python(tokens);
}

std::vector<std::int32_t> ids(const Tokenizer& self, const nb::object& value) {
  const std::string text = utf8_of(value, "text");
  const WithoutGil released;
  return self.ids(text);
}

nb::object text(const Tokenizer& self, const nb::object& value) {
  const std::vector<std::int32_t> ids = ids_of(value, "ids");
  std::string text;
  {
    const WithoutGil released;
    text = self.text(ids);
  }
  return text_of(text);
}

nb::object transforms(const Tokenizer& self) {
  nb::list steps;
  for (const Transform& step : self.transforms()) {
    nb::dict attrs;
    for (const auto& [name, value] : step.attrs) attrs[text_of(name)] = text_of(value);
    steps.append(nb::make_tuple(text_of(step.op), attrs));
  }
  return steps;
}

}  // namespace

void bind_tokenizer(nb::module_& module) {
  nb::class_<Tokenizer>(module, "Tokenizer")
      .def_static("whitespace", &Tokenizer::whitespace)
      .def_static("characters", &Tokenizer::characters)
      .def_static("basic", [](const Vocabulary& vocabulary,
                              bool lower) { return Tokenizer::basic(vocabulary, BasicOptions{lower}); })
      .def_static("wordpiece", wordpiece)
      .def_static("sentencepiece", sentencepiece)
      .def_static("sentencepiece_model", sentencepiece_model, nb::arg("contents").none())
      .def("tokens", tokens, nb::arg("text").none())
      .def("ids", ids, nb::arg("text").none())
      .def("text", text, nb::arg("ids").none())
      .def("vocabulary", [](const Tokenizer& self) { return Vocabulary(self.vocabulary()); })
      .def("transforms", transforms);
}

}  // namespace mxinfer::python
