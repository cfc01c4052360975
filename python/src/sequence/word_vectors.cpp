#include <mxinfer/sequence/word_vectors.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "core/arrays.h"
#include "core/calls.h"
#include "core/errors.h"
#include "core/handles.h"
#include "core/option_fields.h"
#include "core/records.h"
#include "sequence/sequence_argument.h"
#include "sequence/texts.h"

namespace nb = nanobind;

namespace mxinfer::python {
namespace {

using WordVectorsHandle = Handle<WordVectors>;

WordVectorsOptions vectors_options(const nb::dict& dict) {
  const OptionFields fields(dict);
  WordVectorsOptions options;
  fields.choose("format", options.format,
                {{"automatic", WordVectorsFormat::automatic},
                 {"text", WordVectorsFormat::text},
                 {"word2vec", WordVectorsFormat::word2vec},
                 {"npz", WordVectorsFormat::npz},
                 {"npy", WordVectorsFormat::npy},
                 {"params", WordVectorsFormat::params}});
  if (const nb::object vocabulary = fields.find("vocabulary"); vocabulary.is_valid())
    options.vocabulary = nb::cast<Vocabulary>(vocabulary);
  fields.read("array", options.array, "the name of an array");
  fields.read("unknown", options.unknown, "a word");
  fields.read("read_at_once", options.read_at_once, "True or False");
  fields.read("threads", options.threads, "a whole number");
  return options;
}

NearestOptions nearest_options(std::optional<float> min_score, std::size_t first, bool include_given) {
  NearestOptions options;
  options.min_score = min_score;
  options.first = first;
  options.include_given = include_given;
  return options;
}

WordVectorsHandle held(WordVectors vectors) {
  return WordVectorsHandle(std::make_unique<WordVectors>(std::move(vectors)));
}

WordVectorsHandle load(const nb::bytes& uri, const nb::dict& dict) {
  const std::string path = bytes_of(uri);
  const WordVectorsOptions options = vectors_options(dict);
  const WithoutGil released;
  return held(WordVectors::load(path, options));
}

WordVectorsHandle parse(const nb::object& contents, const nb::dict& dict) {
  const HeldArray bytes = HeldArray::of_buffer(contents, {"contents", "", DType::uint8});
  const WordVectorsOptions options = vectors_options(dict);
  const WithoutGil released;
  return held(WordVectors::parse(span_of(bytes), options));
}

WordVectorsHandle make(const Vocabulary& vocabulary, const nb::object& matrix, int threads) {
  const HeldArray array(matrix, {"matrix", "", DType::float32});
  const WithoutGil released;
  return held(WordVectors(vocabulary, Tensor::copy_of(array.view()), threads));
}

/// A view of numbers that `self` has, which lives as long as the array does. It cannot be written to: the
/// numbers may be those of a file.
nb::object view_of(const WordVectorsHandle& self, const float* data, const std::vector<std::size_t>& shape) {
  auto kept = std::make_unique<WordVectorsHandle>(held(*self));
  const nb::capsule owner(kept.get(),
                          [](void* pointer) noexcept { delete static_cast<WordVectorsHandle*>(pointer); });
  static_cast<void>(kept.release());
  return nb::cast(nb::ndarray<nb::numpy, const float>(data, shape.size(), shape.data(), owner));
}

nb::object matrix(const WordVectorsHandle& self) {
  const TensorView view = self->matrix();
  return view_of(self, view.data<float>(),
                 {static_cast<std::size_t>(view.shape()[0]), static_cast<std::size_t>(view.shape()[1])});
}

nb::object vector(const WordVectorsHandle& self, const nb::object& word) {
  const Span<const float> numbers =
      nb::isinstance<nb::str>(word) ? self->vector(utf8_of(word, "word")) : self->vector(id_of(word, "word"));
  return view_of(self, numbers.data(), {numbers.size()});
}

nb::object rows(const WordVectorsHandle& self, const nb::object& value) {
  const bool is_list = PyObject_CheckBuffer(value.ptr()) == 0 || nb::isinstance<nb::bytes>(value);
  const nb::list list = is_list ? list_of(value, "words") : nb::list();
  const bool are_words = list.size() != 0 && nb::isinstance<nb::str>(list[0]);
  const std::vector<std::string> words = are_words ? utf8_list(list, "words") : std::vector<std::string>();
  const std::vector<std::int32_t> ids =
      are_words ? std::vector<std::int32_t>() : ids_of(is_list ? nb::object(list) : value, "ids");
  Tensor rows;
  {
    const WithoutGil released;
    rows = are_words ? self->rows(Span<const std::string>(words)) : self->rows(Span<const std::int32_t>(ids));
  }
  return to_numpy(std::move(rows));
}

nb::object to_python(const std::vector<NearWord>& words) {
  nb::list list;
  for (const NearWord& near : words) list.append(nb::make_tuple(text_of(near.word), near.score, near.id));
  return list;
}

float similarity(const WordVectorsHandle& self, const nb::object& first, const nb::object& second) {
  const std::string a = utf8_of(first, "a"), b = utf8_of(second, "b");
  const WithoutGil released;
  return self->similarity(a, b);
}

nb::object nearest(const WordVectorsHandle& self, const nb::object& value, int k,
                   std::optional<float> min_score, std::size_t first, bool include_given) {
  const NearestOptions options = nearest_options(min_score, first, include_given);
  std::vector<NearWord> found;
  if (nb::isinstance<nb::str>(value)) {
    const std::string word = utf8_of(value, "word");
    const WithoutGil released;
    found = self->nearest(word, k, options);
  } else {
    const HeldArray array(value, {"vector", "", DType::float32});
    if (array.view().dtype() != DType::float32 || array.view().shape().rank() != 1) {
      throw Error(ErrorCode::invalid_argument,
                  "vector: expected a word, or a vector of float32 in one dimension; convert it, as in "
                  "array.astype(numpy.float32)");
    }
    const WithoutGil released;
    found = self->nearest(
        Span<const float>(array.view().data<float>(), static_cast<std::size_t>(array.view().shape()[0])), k,
        options);
  }
  return to_python(found);
}

nb::object analogy(const WordVectorsHandle& self, const nb::object& first_word, const nb::object& second_word,
                   const nb::object& third_word, int k, std::optional<float> min_score, std::size_t first,
                   bool include_given) {
  const std::string a = utf8_of(first_word, "a"), b = utf8_of(second_word, "b"), c = utf8_of(third_word, "c");
  const NearestOptions options = nearest_options(min_score, first, include_given);
  std::vector<NearWord> found;
  {
    const WithoutGil released;
    found = self->analogy(a, b, c, k, options);
  }
  return to_python(found);
}

}  // namespace

void bind_word_vectors(nb::module_& module) {
  nb::class_<WordVectorsHandle>(module, "WordVectors")
      .def_static("load", load)
      .def_static("parse", parse, nb::arg("contents").none(), nb::arg("options"))
      .def_static("make", make, nb::arg("vocabulary"), nb::arg("matrix").none(), nb::arg("threads"))
      .def("vocabulary", [](const WordVectorsHandle& self) { return Vocabulary(self->vocabulary()); })
      .def("dimensions", [](const WordVectorsHandle& self) { return self->dimensions(); })
      .def("skipped", [](const WordVectorsHandle& self) { return self->skipped(); })
      .def("matrix", matrix)
      .def("vector", vector, nb::arg("word").none())
      .def("rows", rows, nb::arg("words").none())
      .def("similarity", similarity, nb::arg("a").none(), nb::arg("b").none())
      .def("nearest", nearest, nb::arg("word").none(), nb::arg("k"), nb::arg("min_score").none(),
           nb::arg("first"), nb::arg("include_given"))
      .def("analogy", analogy, nb::arg("a").none(), nb::arg("b").none(), nb::arg("c").none(), nb::arg("k"),
           nb::arg("min_score").none(), nb::arg("first"), nb::arg("include_given"));
}

}  // namespace mxinfer::python
