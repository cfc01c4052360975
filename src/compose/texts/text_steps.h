// The steps that only texts have: from text to text, and from text to ids.
#pragma once

#include <mxinfer/sequence/vocabulary.h>
#include <mxinfer/tools/transforms.h>

#include <string>

#include "compose/build_transforms.h"
#include "graph/attrs.h"

namespace mxinfer::api {

void lower_text(const graph::Attrs& attrs, Chain& chain);

std::vector<graph::AttrSpec> basic_tokenize_attrs();
void basic_tokenize(const graph::Attrs& attrs, Chain& chain);

std::vector<graph::AttrSpec> token_ids_attrs();
void token_ids(const graph::Attrs& attrs, Chain& chain);

std::vector<graph::AttrSpec> wordpiece_attrs();
void wordpiece(const graph::Attrs& attrs, Chain& chain);

std::vector<graph::AttrSpec> sentencepiece_attrs();
void sentencepiece(const graph::Attrs& attrs, Chain& chain);

/// Whether the step turns text into ids.
bool makes_ids(const Transform& step);

/// Reads the files that a step names by path or address into its attributes: "vocabulary" becomes JSON text,
/// "model" base64 text. Errors as Vocabulary::load.
void load_files(Transform& step);

/// The vocabulary of a step to ids whose files are loaded; empty if it has none.
Vocabulary vocabulary_of(const Transform& step);

/// The prefix of a SentencePiece model's bytes in base64, where its path may stand.
inline constexpr const char* kBase64 = "base64:";

}  // namespace mxinfer::api
