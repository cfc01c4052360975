// Networks that a generator takes: the order of scores, the states of an RNN, the dtypes of tokens; and what
// comes of a stop function that throws.
#include <gtest/gtest.h>
#include <mxinfer/sequence/generator.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/support/expect_error.h"
#include "tests/support/files/sentencepiece_writer.h"
#include "tests/support/networks/generator_models.h"
#include "tests/support/networks/tiny_models.h"

namespace mxinfer {
namespace {

using Ids = std::vector<std::int32_t>;
using test::generate;
using test::load_json;
using test::of_length;

// The next token is the one before and 1; of tokens (A, B) the scores are (B, A, 20).
std::string swapped_json() {
  test::GraphJson g;
  const int more = g.op("_plus_scalar", "more", R"("scalar": "1")", {g.variable("token")});
  const int scores = g.op("one_hot", "hot", R"("depth": "20", "on_value": "9")", {more});
  return g.text({g.op("SwapAxis", "scores", R"("dim1": "0", "dim2": "1")", {scores})});
}

// An LSTM of three units over tokens (T, N); `heads` are outputs of its node, 0 the sequence, 1 h, 2 c.
std::string lstm_json(const std::string& heads) {
  return R"j({"nodes": [{"op": "null", "name": "token", "inputs": []},
    {"op": "one_hot", "name": "hot", "attrs": {"depth": "5"}, "inputs": [[0, 0, 0]]},
    {"op": "_full", "name": "weights", "attrs": {"shape": "(120,)", "value": "0.3"}, "inputs": []},
    {"op": "null", "name": "begin_h", "inputs": []}, {"op": "null", "name": "begin_c", "inputs": []},
    {"op": "RNN", "name": "rnn", "inputs": [[1, 0, 0], [2, 0, 0], [3, 0, 0], [4, 0, 0]],
     "attrs": {"mode": "lstm", "state_size": "3", "num_layers": "1", "state_outputs": "True"}}],
    "arg_nodes": [0, 3, 4], "heads": )j" +
         heads + R"j(, "attrs": {"mxnet_version": ["int", 10901]}})j";
}

GeneratorOptions whole_prefix(const std::string& layout = "NT") {
  GeneratorOptions options;
  options.step = StepKind::whole_prefix;
  options.token_layout = layout;
  return options;
}

TEST(GeneratorNetwork, ScoresMayHaveTheOtherOrderOfSequencesAndTokens) {
  const std::vector<Ids> prompts = {{1, 1, 1}, {1, 1, 5}, {1, 1, 9}};  // as many as each has tokens
  for (const std::string layout : {"NT", "TN"}) {
    for (const auto& buckets : std::vector<std::vector<std::int64_t>>{{}, {3}, {3, 6}, {8}}) {
      GeneratorOptions options = whole_prefix(layout);
      options.buckets = buckets;
      const SequenceGenerator generator(load_json(swapped_json()), options);
      const auto all = generator.generate_batch(Span<const Ids>(prompts), of_length(1));
      ASSERT_EQ(all.size(), 3u);
      EXPECT_EQ(all[0].at(0).ids, Ids{2}) << layout << ' ' << buckets.size();
      EXPECT_EQ(all[1].at(0).ids, Ids{6}) << layout << ' ' << buckets.size();
      EXPECT_EQ(all[2].at(0).ids, Ids{10}) << layout << ' ' << buckets.size();
    }
  }
}

TEST(GeneratorNetwork, BeamsDoNotDependOnTheOrderOfScores) {
  GenerateOptions beam = of_length(6);
  beam.search = Search::beam;
  beam.beam = beam.num_sequences = 4;
  const auto expected = generate(SequenceGenerator(load_json(test::next_json()), whole_prefix()), {1}, beam);
  EXPECT_EQ(generate(SequenceGenerator(load_json(swapped_json()), whole_prefix("NT")), {1}, beam), expected);
  EXPECT_EQ(generate(SequenceGenerator(load_json(swapped_json()), whole_prefix("TN")), {1}, beam), expected);
}

TEST(GeneratorNetwork, TheStatesOfAnRnnGoToItsOwnOutputs) {
  GeneratorOptions options;
  options.token_layout = "TN";
  const SequenceGenerator in_order(load_json(lstm_json("[[5, 0, 0], [5, 1, 0], [5, 2, 0]]")), options);
  const SequenceGenerator crossed(load_json(lstm_json("[[5, 0, 0], [5, 2, 0], [5, 1, 0]]")), options);
  ASSERT_EQ(crossed.found().states.size(), 2u);
  EXPECT_EQ(crossed.found().states[0].input, "begin_h");
  EXPECT_EQ(crossed.found().states[0].output, crossed.model().signature().outputs[2].name);
  EXPECT_EQ(crossed.found().states[1].output, crossed.model().signature().outputs[1].name);
  EXPECT_EQ(generate(crossed, {1, 2, 1}, of_length(3)), generate(in_order, {1, 2, 1}, of_length(3)));
}

Model next_of(DType dtype) {
  DataDesc token;
  token.name = "token";
  token.shape = {-1, -1};
  token.dtype = dtype;
  token.layout = "NT";
  LoadOptions options;
  options.inputs = {token};
  return load_json(test::next_json(), options);
}

TEST(GeneratorNetwork, TokensMayHaveAnyDtypeThatHoldsThem) {
  for (const DType dtype : {DType::float16, DType::float32, DType::float64, DType::int8, DType::int32,
                            DType::int64, DType::uint8}) {
    const SequenceGenerator generator(next_of(dtype), whole_prefix());
    EXPECT_EQ(generate(generator, {3}, of_length(3)).at(0).ids, (Ids{4, 5, 6})) << to_string(dtype);
  }
}

TEST(GeneratorNetwork, ATokenThatItsDtypeCannotHaveIsAnError) {
  const SequenceGenerator bytes(next_of(DType::uint8), whole_prefix());
  EXPECT_MXINFER_ERROR(generate(bytes, {300}, of_length(1)), ErrorCode::invalid_argument,
                       {"'token'", "300", "uint8"});
  const SequenceGenerator halves(next_of(DType::float16), whole_prefix());
  EXPECT_MXINFER_ERROR(generate(halves, {2049}, of_length(1)), ErrorCode::invalid_argument,
                       {"'token'", "2049", "float16"});
}

TEST(GeneratorNetwork, PaddingIsATokenOfTheInput) {
  const Model model = load_json(test::next_json());
  for (const double value : {0.5, std::nan(""), 1e300, -std::numeric_limits<double>::infinity()}) {
    GeneratorOptions options = whole_prefix();
    options.buckets = {4};
    options.pad_value = value;
    EXPECT_MXINFER_ERROR(SequenceGenerator(model, options), ErrorCode::invalid_argument,
                         {"GeneratorOptions::pad_value", "'token'", "float32"});
  }
  GeneratorOptions options = whole_prefix();
  options.pad_value = 256;
  EXPECT_MXINFER_ERROR(SequenceGenerator(next_of(DType::uint8), options), ErrorCode::invalid_argument,
                       {"pad_value is 256", "uint8"});
  options.pad_value = 255;
  EXPECT_NO_THROW(SequenceGenerator(next_of(DType::uint8), options));
}

GenerateOptions stopped_by(const std::function<void()>& thrower) {
  GenerateOptions options = of_length(3);
  options.stop = [thrower](Span<const std::int32_t>) {
    thrower();
    return false;
  };
  return options;
}

TEST(GeneratorNetwork, WhatAStopFunctionThrowsIsItsOwn) {
  const SequenceGenerator generator(load_json(test::next_json()), whole_prefix());
  EXPECT_MXINFER_ERROR(generate(generator, {1}, stopped_by([] { throw std::runtime_error("no more"); })),
                       ErrorCode::invalid_argument, {"GenerateOptions::stop", "it threw: no more"});
  EXPECT_MXINFER_ERROR(generate(generator, {1}, stopped_by([] { throw 7; })), ErrorCode::invalid_argument,
                       {"GenerateOptions::stop", "unknown type"});
  EXPECT_MXINFER_ERROR(
      generate(generator, {1}, stopped_by([] { throw Error(ErrorCode::cancelled, "enough"); })),
      ErrorCode::cancelled, {"GenerateOptions::stop", "enough"});
}

// Pieces for a few words and for all bytes: 3, 4 and 5 are those of one character.
Tokenizer byte_pieces() {
  test::SentencePieceWriter writer;
  writer.piece("<unk>", 0, test::PieceType::unknown);
  writer.piece("<s>", 0, test::PieceType::control).piece("</s>", 0, test::PieceType::control);
  for (const char* piece : {"<0xE4>", "<0xBD>", "<0xA0>"}) writer.piece(piece, 0, test::PieceType::byte);
  for (const char* word : {"\u2581a", "\u2581b", "\u2581c"}) writer.piece(word, -1);
  for (int byte = 0; byte < 256; ++byte) {
    constexpr const char* kHex = "0123456789ABCDEF";
    const std::string piece = std::string("<0x") + kHex[byte / 16] + kHex[byte % 16] + ">";
    if (byte != 0xe4 && byte != 0xbd && byte != 0xa0) writer.piece(piece, 0, test::PieceType::byte);
  }
  writer.more(test::proto_bytes(2, test::proto_number(35, 1)));  // bytes where there is no piece
  const std::string model = writer.finish();
  return Tokenizer::sentencepiece(ByteSpan{model.data(), model.size()});
}

SequenceGenerator of_bytes() {
  test::GraphJson g;
  const int more = g.op("_plus_scalar", "more", R"("scalar": "1")", {g.variable("token")});
  GeneratorOptions options;
  options.step = StepKind::one_token;
  options.begin_id = -1;
  options.end_id = 100;
  options.tokenizer = byte_pieces();
  return SequenceGenerator(
      load_json(g.text({g.op("one_hot", "scores", R"("depth": "300", "on_value": "9")", {more})})), options);
}

TEST(GeneratorNetwork, PiecesOfTextWaitForAllBytesOfACharacter) {
  Generation generation = of_bytes().start(Span<const std::int32_t>(Ids{2}), of_length(6));
  std::vector<std::string> pieces;
  while (generation.next()) pieces.push_back(generation.piece());
  EXPECT_EQ(pieces, (std::vector<std::string>{"", "", "\u4f60", " a", " b", " c"}));
  EXPECT_EQ(generation.piece(), "");
}

TEST(GeneratorNetwork, ACharacterThatStaysIncompleteComesAtTheEnd) {
  Generation at_length = of_bytes().start(Span<const std::int32_t>(Ids{2}), of_length(2));
  std::string text;
  while (at_length.next()) text += at_length.piece();
  text += at_length.piece();
  EXPECT_EQ(text, at_length.result().text);
  EXPECT_NE(text.find("\ufffd"), std::string::npos);

  GenerateOptions options = of_length(6);
  options.stop_ids = {5};
  Generation at_end = of_bytes().start(Span<const std::int32_t>(Ids{2}), options);
  while (at_end.next()) EXPECT_EQ(at_end.piece(), "");
  EXPECT_EQ(at_end.piece(), at_end.result().text);
  EXPECT_NE(at_end.piece(), "");
  EXPECT_EQ(at_end.next(), std::nullopt);
  EXPECT_EQ(at_end.piece(), "");
}

}  // namespace
}  // namespace mxinfer
