// The final part of a text that grows token by token. A character whose bytes come one per token, as with
// SentencePiece's byte pieces, is U+FFFD until its last byte arrives:
//
//   settled_text("ab\uFFFD")                                     // "ab"
#pragma once

#include <string_view>

namespace mxinfer::text {

/// Without the U+FFFD at its end.
inline std::string_view settled_text(std::string_view text) {
  constexpr std::string_view kReplacement = "\xef\xbf\xbd";
  while (text.ends_with(kReplacement)) text.remove_suffix(kReplacement.size());
  return text;
}

}  // namespace mxinfer::text
