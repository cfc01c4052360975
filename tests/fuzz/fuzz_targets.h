// What a fuzzer calls, one function a reader, and one for all that comes behind them: any bytes must give a
// result or an Error, and nothing else.
//
// tests/fuzz/*_fuzzer.cpp make libFuzzer programs of them (-DMXINFER_BUILD_FUZZERS=ON, with clang);
// replay_test.cpp feeds them mutated files in every run of the tests.
#pragma once

#include <mxinfer/span.h>

#include <cstdint>

namespace mxinfer::test {

/// The reader of .params files.
void fuzz_params(Span<const std::uint8_t> bytes);
/// The reader of archives, down to the pair in them.
void fuzz_archive(Span<const std::uint8_t> bytes);
/// The readers of vocabularies; what they accept is written and read again.
void fuzz_vocabulary(Span<const std::uint8_t> bytes);
/// The readers of word vectors, and searches among what they accept.
void fuzz_word_vectors(Span<const std::uint8_t> bytes);
/// The reader of symbol files; what it accepts is written and read again.
void fuzz_symbol(Span<const std::uint8_t> bytes);
/// The readers of signatures and samples in symbol files; the same.
void fuzz_signature(Span<const std::uint8_t> bytes);
/// The tokenizers, on the bytes as a text: their ids are words of the vocabulary, their characters the text.
void fuzz_text(Span<const std::uint8_t> bytes);
/// The reader of models of SentencePiece; what it accepts cuts texts.
void fuzz_sentencepiece(Span<const std::uint8_t> bytes);
/// A model that the bytes say (random_model.h) is loaded, planned and run, where its plan asks for little
/// time and memory.
void fuzz_model(Span<const std::uint8_t> bytes);

}  // namespace mxinfer::test
