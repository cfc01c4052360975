// Tokenizers, each made once for the process: plans and models with the same vocabulary share what was made
// of its text.
//
//   auto tokenizer = shared_tokenizer(key, [&] { return text::WordPiece(parse_vocabulary_attr(...)); });
//
// A tokenizer lives as long as a plan that has it. Any thread may ask.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mxinfer::ops {

/// Appends the ids of a text. Any thread may call it.
using AppendIds = std::function<void(std::string_view text, std::vector<std::int32_t>& ids)>;

/// What `make` gave for the same key, if that lives; else what it gives now. Throws what `make` throws.
std::shared_ptr<const AppendIds> shared_tokenizer(const std::string& key,
                                                  const std::function<AppendIds()>& make);

/// How many there are now; for tests.
std::size_t shared_tokenizers();

}  // namespace mxinfer::ops
