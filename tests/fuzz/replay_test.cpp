// Some thousand mutations of small files, the same in every run: what a fuzzer does, short enough for every
// test run.
#include <gtest/gtest.h>
#include <mxinfer/sequence/word_vectors.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "fuzz/fuzz_targets.h"
#include "support/files/archive_writer.h"
#include "support/files/params_writer.h"
#include "support/files/raw_tar.h"
#include "support/files/raw_zip.h"
#include "support/files/sentencepiece_writer.h"

namespace mxinfer::test {
namespace {

using Input = std::vector<std::uint8_t>;

Input input_of(const std::vector<std::byte>& bytes) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return Input(first, first + bytes.size());
}

// std::uniform_int_distribution differs between libraries; this does not.
class Dice {
 public:
  explicit Dice(std::uint32_t seed) : engine_(seed) {}
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : engine_() % limit; }

 private:
  std::mt19937 engine_;
};

// Numbers at which readers go wrong.
constexpr std::uint64_t kEdges[] = {0,
                                    1,
                                    2,
                                    0x7f,
                                    0xff,
                                    0x7fffffff,
                                    0x80000000,
                                    0xffffffff,
                                    0xF993FAC8,
                                    0xF993FAC9,
                                    0xF993FACA,
                                    1ull << 32,
                                    1ull << 62,
                                    1ull << 63,
                                    ~0ull,
                                    ~0ull - 1,
                                    0x7fffffffffffffff};

void overwrite(Input& input, Dice& dice) {
  const std::uint64_t value = kEdges[dice.below(std::size(kEdges))];
  const std::size_t width = std::size_t{1} << dice.below(4);
  if (input.size() < width) return;
  std::memcpy(input.data() + dice.below(input.size() - width + 1), &value, width);
}

void mutate(Input& input, const Input& other, Dice& dice) {
  const auto at = [&] { return static_cast<std::ptrdiff_t>(dice.below(input.size() + 1)); };
  switch (dice.below(7)) {
    case 0:
      if (!input.empty()) input[dice.below(input.size())] ^= static_cast<std::uint8_t>(1u << dice.below(8));
      break;
    case 1:
      if (!input.empty()) input[dice.below(input.size())] = static_cast<std::uint8_t>(dice.below(256));
      break;
    case 2:
      overwrite(input, dice);
      break;
    case 3:
      input.resize(dice.below(input.size() + 1));
      break;
    case 4: {  // a piece taken out
      auto first = at(), last = at();
      if (first > last) std::swap(first, last);
      input.erase(input.begin() + first, input.begin() + last);
      break;
    }
    case 5: {  // a piece of another file put in
      const std::size_t start = dice.below(other.size());
      const std::size_t count = dice.below(std::min<std::size_t>(64, other.size() - start) + 1);
      const auto piece = other.begin() + static_cast<std::ptrdiff_t>(start);
      input.insert(input.begin() + at(), piece, piece + static_cast<std::ptrdiff_t>(count));
      break;
    }
    case 6: {  // a digit or a bracket of a text file
      static constexpr char kText[] = "0123456789-[]{},:\"\\ntue.";
      if (!input.empty())
        input[dice.below(input.size())] = static_cast<std::uint8_t>(kText[dice.below(sizeof kText - 1)]);
      break;
    }
  }
}

template <typename Target>
void replay(const std::vector<Input>& corpus, int rounds, Target&& target) {
  Dice dice(20260101);
  for (const Input& input : corpus) target(input);
  for (int round = 0; round < rounds; ++round) {
    Input input = corpus[dice.below(corpus.size())];
    const Input& other = corpus[dice.below(corpus.size())];
    for (std::size_t n = 1 + dice.below(4); n > 0; --n) mutate(input, other, dice);
    target(input);
  }
}

std::vector<Input> params_corpus() {
  std::vector<Input> corpus = {input_of(every_variant()), input_of(ParamsWriter().finish())};
  for (const char* name : {"numpy_stored.npz", "numpy_compressed.npz"}) {
    corpus.push_back(input_of(read_file(std::string(MXINFER_SOURCE_DIR "/tests/golden/formats/") + name)));
  }
  corpus.push_back(input_of(ParamsWriter()
                                .add("arg:rows", row_sparse({5, 1, 2}, {1, 1, 2}, {4}, {1, 2}))
                                .add("aux:csr", csr({3, 2}, {0, 2, 2, 3}, {0, 1, 1}, {1, 2, 3}))
                                .finish()));
  return corpus;
}

std::string zip_of_every_kind() {
  RawZipMember streamed{.name = "net-symbol.json", .data = "{}", .deflated = true, .flags = 1U << 3};
  streamed.local_checksum = streamed.local_packed_bytes = streamed.local_bytes = 0;
  streamed.descriptor = little(crc_of("{}"), 4) + little(4, 4) + little(2, 4);
  return RawZip()
      .add(streamed)
      .add({.name = "net-0000.params",
            .data = "1234",
            .packed_bytes = 0xffffffff,
            .bytes = 0xffffffff,
            .extra = zip64_extra({4, 4}),
            .local_extra = zip64_extra({4, 4})})
      .finish({.zip64 = true, .comment = "comment"});
}

std::string tar_of_every_kind() {
  return pax_header(pax_record("comment", "c"), 'g') +
         pax_header(pax_record("path", "net-symbol.json") + pax_record("size", "2")) + tar_member("a", "{}") +
         tar_member("././@LongLink", "net-0000.params", 'L') + tar_header({.name = "b", .size = base256(4)}) +
         tar_padded("1234") + tar_end();
}

std::vector<Input> archive_corpus() {
  std::vector<Input> corpus;
  for (const ArchiveFormat format : {ArchiveFormat::zip, ArchiveFormat::tar, ArchiveFormat::tar_gz}) {
    const std::string bytes = ArchiveWriter(format)
                                  .file("net-symbol.json", "{}")
                                  .file("net-0000.params", "1234")
                                  .file("model-shapes.json", R"([{"name": "data", "shape": [1, 3]}])")
                                  .file("synset.txt", "cat")
                                  .finish();
    const std::string outer = ArchiveWriter(format).file("model_algo-1", bytes).finish();
    corpus.emplace_back(bytes.begin(), bytes.end());
    corpus.emplace_back(outer.begin(), outer.end());
  }
  for (const char* manifest :
       {R"({"version": 1, "graphs": {"g": "net-symbol.json"}, "default": "g"})", R"({"version": 2})"}) {
    const std::string bytes = ArchiveWriter(ArchiveFormat::zip)
                                  .stored()
                                  .file("mxinfer-bundle.json", manifest)
                                  .file("net-symbol.json", "{}")
                                  .finish();
    corpus.emplace_back(bytes.begin(), bytes.end());
  }
  const std::string server =
      ArchiveWriter(ArchiveFormat::zip)
          .stored()
          .file("MANIFEST.json", R"({"Model": {"Symbol": "s", "Parameters": "p"}})")
          .file("signature.json", R"({"inputs": [{"data_name": "d", "data_shape": [1]}]})")
          .file("s", "{}")
          .file("p", "x")
          .finish();
  corpus.emplace_back(server.begin(), server.end());
  for (const std::string& bytes : {zip_of_every_kind(), tar_of_every_kind()}) {
    corpus.emplace_back(bytes.begin(), bytes.end());
  }
  return corpus;
}

std::vector<Input> vocabulary_corpus() {
  const std::string texts[] = {
      R"json({"idx_to_token": ["<unk>", "<pad>", "<eos>", "a"], "token_to_idx": {"<unk>": 0, "<pad>": 1, "<eos>": 2,
        "a": 3}, "reserved_tokens": ["<pad>", "<eos>"], "unknown_token": "<unk>", "identifiers_to_tokens":
        {"padding_token": "<pad>", "bos_token": null, "eos_token": "<eos>", "mask_token": "a"}})json",
      R"json({"idx_to_token": ["<eos>", "<eos>", "\u00e9"], "token_to_idx": {"<eos>": 1, "\u00e9": 2},
        "unknown_token": null, "eos_token": "<eos>"})json",
      R"json({"a": 1, "b": 0, "c": 5})json",
      "the 3\nof\t1\r\nNew York 16777215\n",
      "0 the\n1 of\n",
      "\xef\xbb\xbf[PAD]\nthe\n\n##s\n"};
  std::vector<Input> corpus;
  for (const std::string& text : texts) corpus.emplace_back(text.begin(), text.end());
  return corpus;
}

/// A pickled array of the objects "a" and "b", and one of texts of a fixed width.
std::string npy_of_words(const std::string& type, const std::string& elements) {
  const std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (2,), }\n";
  return std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(header.size()) + '\0' + header + elements;
}

std::vector<Input> word_vectors_corpus() {
  using namespace std::string_literals;
  const std::string vectors = "\0\0\x80\x3f\0\0\0\0\0\0\0\x40\0\0\x80\xbf"s;
  const std::string pickle =
      "\x80\x03" +
      "cnumpy.core.multiarray\n_reconstruct\nq\x00K\x00\x85q\x01RK\x01]q\x02(X\x01\0\0\0aX\x01\0\0\0be\x86"s +
      "b.";
  const std::string matrix =
      "\x93NUMPY\x01\0\x40\0{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }    \n"s;
  std::vector<std::string> files = {"a 0.5 -1 2e-3\nb 0 0 0\n. . 1 2 3\na 1 1 1\n", "2 2\na 1 2\nb 3 4\n",
                                    "2 2\na "s + vectors.substr(0, 8) + "\nb " + vectors.substr(8),
                                    matrix + vectors};
  for (const std::string& words : {npy_of_words("|O", pickle), npy_of_words("<U1", "a\0\0\0b\0\0\0"s)}) {
    files.push_back(ArchiveWriter(ArchiveFormat::zip)
                        .stored()
                        .file("unknown_token.npy", npy_of_words("<U1", "a\0\0\0b\0\0\0"s))
                        .file("idx_to_token.npy", words)
                        .file("idx_to_vec.npy", matrix + vectors)
                        .finish());
  }
  std::vector<Input> corpus;
  for (const std::string& file : files) corpus.emplace_back(file.begin(), file.end());
  corpus.push_back(input_of(
      ParamsWriter().add("arg:w", dense_v2(DType::float32, {2, 2}, floats({1, 0, 2, -1}))).finish()));
  return corpus;
}

TEST(FuzzReplay, TheWordVectorsAreReadAsTheyAre) {
  for (const Input& input : word_vectors_corpus()) {
    WordVectorsOptions options;
    const bool has_words = input[0] != 0x93 && input[0] != 0x12;
    if (!has_words) options.vocabulary = Vocabulary({"a", "b"});
    EXPECT_NO_THROW((void)WordVectors::parse(input, options)) << input[0];
  }
}

std::vector<Input> symbol_corpus() {
  const std::string texts[] = {
      R"json({"nodes": [{"op": "null", "param": {}, "name": "data", "inputs": [], "backward_source_id": -1},
        {"op": "null", "param": {}, "name": "w", "inputs": [], "attr": {"lr_mult": "1"}},
        {"op": "FullyConnected", "param": {"num_hidden": "10"}, "attr": {"weight_wd_mult": "2"}, "name": "fc",
         "inputs": [[0, 0], [1, 0]]}, {"op": "Flatten", "param": {}, "name": "f", "inputs": [[2, 0]]}],
        "arg_nodes": [0, 1], "heads": [[3, 0]]})json",
      R"json({"nodes": [{"op": "null", "name": "data", "inputs": []}, {"op": "null", "name": "w", "inputs": []},
        {"op": "Convolution", "name": "c", "attrs": {"kernel": "(3, 3)", "num_filter": "8", "no_bias": "True"},
         "inputs": [[0, 0, 0], [1, 0, 0]]},
        {"op": "Pooling", "name": "p", "attrs": {"kernel": "(2, 2)", "pool_type": "max"}, "inputs": [[2, 0, 0]]},
        {"op": "Concat", "name": "k", "attrs": {"num_args": "2", "dim": "1"}, "inputs": [[2, 0, 0], [3, 0, 0]]},
        {"op": "Reshape", "name": "r", "attrs": {"shape": "(0, -1)"}, "inputs": [[4, 0, 0]], "control_deps": [2]}],
        "arg_nodes": [0, 1], "node_row_ptr": [0, 1, 2, 3, 4, 5, 6], "heads": [[5, 0, 0], [4, 0, 0]],
        "attrs": {"mxnet_version": ["int", 10901], "is_np_shape": ["int", 0]}})json",
      R"json({"nodes": [{"op": "null", "name": "x", "inputs": []}, {"op": "Loop", "name": "l", "inputs": [[0, 0, 0]],
        "subgraphs": [{"nodes": [{"op": "null", "name": "y\u00e9\u0000", "inputs": []}, {"op": "argmax", "name": "a",
        "attrs": {"axis": "-1"}, "inputs": [[0, 0, 0]]}], "arg_nodes": [0], "heads": [[1, 0, 0]]}], "note": [1.5, null]},
        {"op": "SliceChannel", "name": "s", "attrs": {"num_outputs": "3"}, "inputs": [[1, 1, 0]]}],
        "arg_nodes": [0], "heads": [[2, 0, 0], [1, 0, 0]], "attrs": {"mxnet_version": ["int", 904]}})json"};
  std::vector<Input> corpus;
  for (const std::string& text : texts) corpus.emplace_back(text.begin(), text.end());
  return corpus;
}

std::vector<Input> signature_corpus() {
  const std::string texts[] = {
      R"json({"version": 1, "producer": "x", "inputs": [{"name": "data", "shape": [-1, -1, -1, 3], "dtype": "uint8",
        "layout": "NHWC", "meaning": "image"}], "outputs": [{"name": "o", "shape": [-1, 5], "dtype": "float32",
        "layout": "", "meaning": "scores"}], "network": {"inputs": [{"name": "data"}], "outputs": [{"name": "p"}]},
        "labels": ["a", "\u00e9"], "transforms": {"data": [{"op": "resize", "size": [2, 2]}]}, "post": [],
        "more": {"kept": 1.5}})json",
      R"json({"a": [1, 3, 0], "b": {"shape": [-1], "dtype": "uint8", "meaning": "image_path"}})json",
      R"json({"version": 1, "inputs": [{"name": "data", "dtype": "bool", "shape": [2, 2], "data": "AAECAw=="}],
        "outputs": [{"name": "o", "dtype": "float32", "shape": [1], "data": "AACAPw=="}]})json"};
  std::vector<Input> corpus;
  for (const std::string& text : texts) corpus.emplace_back(text.begin(), text.end());
  return corpus;
}

std::vector<Input> text_corpus() {
  const std::string texts[] = {
      "unaffable, a.ab \u00c9\u0301\u0130 \u039f\u03a3'\u03a3 \u4e2d\u6587 "
      "\uac01\u2028\u00a0\U0001f600\u200d#\ufffd",
      std::string("\0\t\n\x7f ab", 7), "a\u0323\u0307\u0345\u0f71\u1e69\u212b\ufb01 ABAABA\u3042"};
  std::vector<Input> corpus;
  for (const std::string& text : texts) corpus.emplace_back(text.begin(), text.end());
  return corpus;
}

std::vector<Input> sentencepiece_corpus() {
  const CharsmapWords words;
  SentencePieceWriter rich = small_sentencepiece().charsmap(words.table());
  rich.piece("zz", 0, PieceType::user_defined)
      .piece("zzz", 0, PieceType::user_defined)
      .piece("el", -3, PieceType::unused);
  const std::string models[] = {small_sentencepiece().finish(), small_sentencepiece(true).finish(),
                                rich.finish(),
                                rich.more(proto_bytes(5, proto_bytes(2, words.table()))).finish()};
  std::vector<Input> corpus;
  for (const std::string& model : models) corpus.emplace_back(model.begin(), model.end());
  return corpus;
}

TEST(FuzzReplay, Text) {
  replay(text_corpus(), 6000, [](const Input& input) { fuzz_text(input); });
}

TEST(FuzzReplay, SentencePiece) {
  replay(sentencepiece_corpus(), 6000, [](const Input& input) { fuzz_sentencepiece(input); });
}

TEST(FuzzReplay, Signature) {
  replay(signature_corpus(), 6000, [](const Input& input) { fuzz_signature(input); });
}

TEST(FuzzReplay, Params) {
  replay(params_corpus(), 6000, [](const Input& input) { fuzz_params(input); });
}

TEST(FuzzReplay, Archive) {
  replay(archive_corpus(), 6000, [](const Input& input) { fuzz_archive(input); });
}

TEST(FuzzReplay, Vocabulary) {
  replay(vocabulary_corpus(), 6000, [](const Input& input) { fuzz_vocabulary(input); });
}

TEST(FuzzReplay, WordVectors) {
  replay(word_vectors_corpus(), 6000, [](const Input& input) { fuzz_word_vectors(input); });
}

TEST(FuzzReplay, Symbol) {
  replay(symbol_corpus(), 6000, [](const Input& input) { fuzz_symbol(input); });
}

}  // namespace
}  // namespace mxinfer::test
