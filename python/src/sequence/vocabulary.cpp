#include <mxinfer/sequence/vocabulary.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "core/arrays.h"
#include "core/calls.h"
#include "core/errors.h"
#include "core/option_fields.h"
#include "core/records.h"
#include "sequence/sequence_argument.h"
#include "sequence/texts.h"

namespace nb = nanobind;

namespace mxinfer::python {
namespace {

VocabularyOptions vocabulary_options(const nb::dict& dict) {
  const OptionFields fields(dict);
  VocabularyOptions options;
  fields.choose("format", options.format,
                {{"automatic", VocabularyFormat::automatic},
                 {"gluonnlp_json", VocabularyFormat::gluonnlp_json},
                 {"word_index", VocabularyFormat::word_index},
                 {"words", VocabularyFormat::words}});
  fields.read("unknown", options.unknown, "a word");
  fields.read("padding", options.padding, "a word");
  fields.read("begin", options.begin, "a word");
  fields.read("end", options.end, "a word");
  return options;
}

Vocabulary make(const nb::object& words, const nb::dict& options) {
  std::vector<std::string> texts = utf8_list(words, "words");
  const VocabularyOptions read = vocabulary_options(options);
  const WithoutGil released;
  return Vocabulary(std::move(texts), read);
}

Vocabulary load(const nb::bytes& uri, const nb::dict& options) {
  const std::string path = bytes_of(uri);
  const VocabularyOptions read = vocabulary_options(options);
  const WithoutGil released;
  return Vocabulary::load(path, read);
}

Vocabulary parse(const nb::object& contents, const nb::dict& options) {
  const HeldArray bytes = HeldArray::of_buffer(contents, {"contents", "", DType::uint8});
  const VocabularyOptions read = vocabulary_options(options);
  const WithoutGil released;
  return Vocabulary::parse(span_of(bytes), read);
}

std::vector<std::int32_t> ids(const Vocabulary& self, const nb::object& words) {
  const std::vector<std::string> texts = utf8_list(words, "words");
  const WithoutGil released;
  return self.ids(texts);
}

nb::object words(const Vocabulary& self, const nb::object& ids) {
  return to_python(self.words(ids_of(ids, "ids")));
}

nb::object all_words(const Vocabulary& self) {
  nb::list all;
  for (std::size_t id = 0; id < self.size(); ++id)
    all.append(text_of(self.word(static_cast<std::int32_t>(id))));
  return all;
}

}  // namespace

void bind_vocabulary(nb::module_& module) {
  nb::class_<Vocabulary>(module, "Vocabulary")
      .def_static("make", make, nb::arg("words").none(), nb::arg("options"))
      .def_static("load", load)
      .def_static("parse", parse, nb::arg("contents").none(), nb::arg("options"))
      .def("size", &Vocabulary::size)
      .def(
          "find",
          [](const Vocabulary& self, const nb::object& word) { return self.find(utf8_of(word, "word")); },
          nb::arg("word").none())
      .def(
          "id", [](const Vocabulary& self, const nb::object& word) { return self.id(utf8_of(word, "word")); },
          nb::arg("word").none())
      .def("ids", ids, nb::arg("words").none())
      .def(
          "word",
          [](const Vocabulary& self, const nb::object& id) { return text_of(self.word(id_of(id, "id"))); },
          nb::arg("id").none())
      .def("words", words, nb::arg("ids").none())
      .def("all_words", all_words)
      .def("unknown_id", &Vocabulary::unknown_id)
      .def("padding_id", &Vocabulary::padding_id)
      .def("begin_id", &Vocabulary::begin_id)
      .def("end_id", &Vocabulary::end_id)
      .def("to_json", [](const Vocabulary& self) {
        std::string json;
        {
          const WithoutGil released;
          json = self.to_json();
        }
        return text_of(json);
      });
}

}  // namespace mxinfer::python
