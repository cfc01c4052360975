// Tokenizers by the names of their kinds.
#pragma once

#include <mxinfer/sequence/tokenizer.h>

#include <cstdint>

namespace mxinfer::c_api {

enum class TokenizerKind { whitespace, characters, basic, wordpiece, sentencepiece };

/// One of the kinds but sentencepiece. `lower` is 1 (yes), -1 (no) or 0 (as the kind does); `member` is its
/// name for errors. `wordpiece.lower` counts for nothing.
Tokenizer make_tokenizer(TokenizerKind kind, const Vocabulary& vocabulary, std::int32_t lower,
                         const char* member, WordPieceOptions wordpiece = {});

}  // namespace mxinfer::c_api
