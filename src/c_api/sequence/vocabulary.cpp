#include <mxinfer_c/vocabulary.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "c_api/call.h"
#include "c_api/choice.h"
#include "c_api/sequence/handles.h"
#include "c_api/structs.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

namespace {

VocabularyOptions vocabulary_options_of(const mxinfer_vocabulary_options* options) {
  VocabularyOptions result;
  if (options == nullptr) return result;
  const mxinfer_vocabulary_options given = read_struct(*options);
  result.format =
      static_cast<VocabularyFormat>(choice_or_first("mxinfer_vocabulary_options.format", given.format,
                                                    {"automatic", "gluonnlp_json", "word_index", "words"}));
  if (given.unknown != nullptr) result.unknown = given.unknown;
  if (given.padding != nullptr) result.padding = given.padding;
  if (given.begin != nullptr) result.begin = given.begin;
  if (given.end != nullptr) result.end = given.end;
  return result;
}

/// -1 stands for none.
std::int32_t id_or_none(std::optional<std::int32_t> id) {
  return id.value_or(-1);
}

}  // namespace

mxinfer_status mxinfer_vocabulary_create(const char* const* words, size_t count,
                                         const mxinfer_vocabulary_options* options,
                                         mxinfer_vocabulary** out) {
  return give(out, [&] {
    return new mxinfer_vocabulary{
        Vocabulary(need_texts(words, count, "words", "word of a list"), vocabulary_options_of(options))};
  });
}

mxinfer_status mxinfer_vocabulary_load(const char* uri, const mxinfer_vocabulary_options* options,
                                       mxinfer_vocabulary** out) {
  return give(out, [&] {
    return new mxinfer_vocabulary{Vocabulary::load(need_text(uri, "uri"), vocabulary_options_of(options))};
  });
}

mxinfer_status mxinfer_vocabulary_parse(const void* contents, size_t bytes,
                                        const mxinfer_vocabulary_options* options, mxinfer_vocabulary** out) {
  return give(out, [&] {
    return new mxinfer_vocabulary{
        Vocabulary::parse(need_bytes(contents, bytes, "contents"), vocabulary_options_of(options))};
  });
}

void mxinfer_vocabulary_free(mxinfer_vocabulary* vocabulary) {
  delete vocabulary;
}

size_t mxinfer_vocabulary_size(const mxinfer_vocabulary* vocabulary) {
  return vocabulary == nullptr ? 0 : vocabulary->vocabulary.size();
}

int32_t mxinfer_vocabulary_find(const mxinfer_vocabulary* vocabulary, const char* word) {
  if (vocabulary == nullptr || word == nullptr) return -1;
  return id_or_none(vocabulary->vocabulary.find(word));
}

mxinfer_status mxinfer_vocabulary_id(const mxinfer_vocabulary* vocabulary, const char* word, int32_t* id) {
  return call([&] {
    const Vocabulary& self = need(vocabulary, "vocabulary").vocabulary;
    int32_t& place = need(id, "id");
    place = self.id(need_text(word, "word"));
  });
}

mxinfer_status mxinfer_vocabulary_ids(const mxinfer_vocabulary* vocabulary, const char* const* words,
                                      size_t count, int32_t* ids) {
  return call([&] {
    const Vocabulary& self = need(vocabulary, "vocabulary").vocabulary;
    if (count > 0) need(ids, "ids");
    const std::vector<std::int32_t> found =
        self.ids(Span<const std::string>(need_texts(words, count, "words", "word of a list")));
    std::copy(found.begin(), found.end(), ids);
  });
}

const char* mxinfer_vocabulary_word(const mxinfer_vocabulary* vocabulary, int32_t id) {
  if (id < 0 || static_cast<size_t>(id) >= mxinfer_vocabulary_size(vocabulary)) return nullptr;
  return vocabulary->vocabulary.word(id).c_str();
}

int32_t mxinfer_vocabulary_unknown_id(const mxinfer_vocabulary* vocabulary) {
  return vocabulary == nullptr ? -1 : id_or_none(vocabulary->vocabulary.unknown_id());
}

int32_t mxinfer_vocabulary_padding_id(const mxinfer_vocabulary* vocabulary) {
  return vocabulary == nullptr ? -1 : id_or_none(vocabulary->vocabulary.padding_id());
}

int32_t mxinfer_vocabulary_begin_id(const mxinfer_vocabulary* vocabulary) {
  return vocabulary == nullptr ? -1 : id_or_none(vocabulary->vocabulary.begin_id());
}

int32_t mxinfer_vocabulary_end_id(const mxinfer_vocabulary* vocabulary) {
  return vocabulary == nullptr ? -1 : id_or_none(vocabulary->vocabulary.end_id());
}

mxinfer_status mxinfer_vocabulary_to_json(const mxinfer_vocabulary* vocabulary, char** out) {
  return give(out, [&] { return copy_text(need(vocabulary, "vocabulary").vocabulary.to_json()); });
}
