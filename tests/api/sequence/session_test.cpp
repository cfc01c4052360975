// Sequences that come piece by piece, with the states of the network kept between.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "support/expect_error.h"
#include "support/networks/sequence_golden.h"
#include "support/networks/tiny_models.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using test::kSequenceTolerance;
using Ids = std::vector<std::int32_t>;

Ids part(const Ids& whole, std::size_t from, std::size_t count) {
  return {whole.begin() + static_cast<std::ptrdiff_t>(from),
          whole.begin() + static_cast<std::ptrdiff_t>(from + count)};
}

/// The rows of the parts one after another are those of the whole.
void expect_parts(const std::vector<std::vector<Tensor>>& parts, const std::vector<Tensor>& whole) {
  for (std::size_t o = 0; o < whole.size(); ++o) {
    std::int64_t at = 0;
    const std::int64_t width = whole[o].shape()[1];
    for (const auto& outputs : parts) {
      ASSERT_EQ(outputs.size(), whole.size());
      const Shape& shape = outputs[o].shape();
      ASSERT_EQ(shape.rank(), 2U);
      ASSERT_EQ(shape[1], width);
      EXPECT_LE(test::relative_difference(outputs[o], TensorView(whole[o].data<float>() + at * width, shape)),
                kSequenceTolerance)
          << "output " << o << " at " << at;
      at += shape[0];
    }
    EXPECT_EQ(at, whole[o].shape()[0]);
  }
}

TEST(Session, PiecesGiveWhatTheWholeGives) {
  const auto golden = test::read_sequence_golden("language_model");
  const SequencePredictor predictor(test::sequence_model("language_model"));
  const auto whole = predictor.predict_sequence(golden.whole);
  ASSERT_EQ(whole.size(), 3U);  // states too
  EXPECT_LE(test::relative_difference(whole[0], golden.whole_outputs[0]), kSequenceTolerance);
  for (const std::size_t piece : {1, 3, 5, 16}) {
    Session session = predictor.session();
    std::vector<std::vector<Tensor>> parts;
    for (std::size_t at = 0; at < golden.whole.size(); at += piece)
      parts.push_back(session.step(part(golden.whole, at, std::min(piece, golden.whole.size() - at))));
    expect_parts(parts, golden.whole_outputs);
    const auto states = session.states();
    EXPECT_LE(
        test::relative_difference(states.at("h"), TensorView(DType::float32, {2, 1, 4}, whole[1].raw())),
        kSequenceTolerance);
    EXPECT_LE(
        test::relative_difference(states.at("c"), TensorView(DType::float32, {2, 1, 4}, whole[2].raw())),
        kSequenceTolerance);
  }
}

TEST(Session, GivesWhatMxnetGivesOfBuckets) {
  const auto golden = test::read_sequence_golden("lstm");
  const SequencePredictor predictor(test::sequence_model("lstm"));
  Session session = predictor.session();
  std::vector<std::vector<Tensor>> parts;
  std::size_t at = 0;
  for (const std::size_t length : {3, 5, 8}) {  // as the recorded pieces
    parts.push_back(session.step(part(golden.whole, at, length)));
    at += length;
  }
  expect_parts(parts, golden.whole_outputs);
  // A piece that no network takes at once runs as several.
  session.reset();
  parts.clear();
  parts.push_back(session.step(golden.whole));
  expect_parts(parts, golden.whole_outputs);
  EXPECT_MXINFER_ERROR(session.step(part(golden.whole, 0, 4)), ErrorCode::invalid_argument,
                       {"length 4", "3, 5, 8", "padding"});
}

TEST(Session, IsAsItWasAfterAnError) {
  const SequencePredictor predictor(test::sequence_model("language_model"));
  Session session = predictor.session();
  const Session fresh = session;
  (void)session.step(Ids{1, 2});
  const auto before = session.states();
  EXPECT_MXINFER_ERROR(session.step(Ids{1, 99}), ErrorCode::invalid_argument, {"id 99"});
  EXPECT_MXINFER_ERROR(session.step(Ids{}), ErrorCode::invalid_argument, {"length 0"});
  for (const auto& [name, state] : session.states())
    EXPECT_EQ(test::relative_difference(state, before.at(name)), 0) << name;
  session.reset();
  for (const auto& [name, state] : session.states()) {
    EXPECT_EQ(test::relative_difference(state, fresh.states().at(name)), 0);
    const auto values = state.span<float>();
    EXPECT_TRUE(std::all_of(values.begin(), values.end(), [](float v) { return v == 0; }));
  }
}

TEST(Session, CopiesGoOnOnTheirOwn) {
  const SequencePredictor predictor(test::sequence_model("language_model"));
  Session session = predictor.session();
  (void)session.step(Ids{3, 4});
  Session saved = session;
  const auto first = session.step(5), again = saved.step(5);
  EXPECT_EQ(test::relative_difference(first[0], again[0]), 0);
  (void)session.step(Ids{7, 7});
  Session moved = std::move(session);
  EXPECT_GT(test::relative_difference(moved.states().at("h"), saved.states().at("h")), 0.0);
  EXPECT_MXINFER_ERROR(session.step(1), ErrorCode::invalid_argument,
                       {"moved from"});  // NOLINT(bugprone-use-after-move)
  session = saved;
  EXPECT_EQ(test::relative_difference(session.step(2)[0], saved.step(2)[0]), 0);
}

TEST(Session, TakesStatesOfTheSameModel) {
  const SequencePredictor predictor(test::sequence_model("language_model"));
  Session session = predictor.session(), other = predictor.session();
  (void)session.step(Ids{3, 4, 5});
  other.set_states(session.states());
  EXPECT_EQ(test::relative_difference(session.step(6)[0], other.step(6)[0]), 0);
  ASSERT_EQ(other.state_descs().size(), 2U);
  EXPECT_EQ(other.state_descs()[0].name, "h");
  EXPECT_EQ(other.state_descs()[0].shape, Shape({2, 1, 4}));

  const auto before = other.states();
  const Tensor good(DType::float32, {2, 1, 4}), halves(DType::float16, {2, 1, 4}),
      wide(DType::float32, {2, 1, 5});
  using States = NamedViews<TensorView>;
  EXPECT_MXINFER_ERROR(other.set_states(States({{"h", good}})), ErrorCode::invalid_argument,
                       {"'c'", "not given"});
  EXPECT_MXINFER_ERROR(other.set_states(States({{"h", good}, {"c", halves}})), ErrorCode::invalid_argument,
                       {"'c'", "float16", "float32"});
  EXPECT_MXINFER_ERROR(other.set_states(States({{"h", wide}, {"c", good}})), ErrorCode::invalid_argument,
                       {"'h'", "(2, 1, 5)", "(2, 1, 4)"});
  EXPECT_MXINFER_ERROR(other.set_states(States({{"h", good}, {"c", good}, {"d", good}})),
                       ErrorCode::invalid_argument, {"'d'", "no state"});
  const TensorView on_gpu(DType::float32, {2, 1, 4}, good.raw(), Device{DeviceType::cuda, 0});
  EXPECT_MXINFER_ERROR(other.set_states(States({{"h", good}, {"c", on_gpu}})), ErrorCode::invalid_argument,
                       {"'c'", "GPU memory"});
  // Those of the bucketed model have other names.
  Session lstm = SequencePredictor(test::sequence_model("lstm")).session();
  EXPECT_MXINFER_ERROR(other.set_states(lstm.states()), ErrorCode::invalid_argument, {"'h'"});
  for (const auto& [name, state] : other.states())
    EXPECT_EQ(test::relative_difference(state, before.at(name)), 0) << name;
}

TEST(Session, PairsAreNamedWhereTheyAreNotFound) {
  const auto golden = test::read_sequence_golden("language_model");
  SequenceOptions options;
  const Model model = Model::load(test::sequence_model("language_model"));
  const auto& outputs = model.signature().outputs;
  options.states = {{"h", outputs[1].name}, {"c", outputs[2].name}};
  Session named = SequencePredictor(model, options).session();
  Session found = SequencePredictor(model).session();
  EXPECT_EQ(test::relative_difference(named.step(golden.whole)[0], found.step(golden.whole)[0]), 0);
  options.states = {{"h", "nothing"}};
  EXPECT_MXINFER_ERROR(SequencePredictor(model, options), ErrorCode::invalid_argument,
                       {"'nothing'", "not an output"});
  options.states = {{"h", outputs[0].name}};
  EXPECT_MXINFER_ERROR(SequencePredictor(model, options), ErrorCode::invalid_argument,
                       {"'h'", "the same type"});
  options.states = {{"h", outputs[1].name}, {"h", outputs[2].name}};
  EXPECT_MXINFER_ERROR(SequencePredictor(model, options), ErrorCode::invalid_argument, {"twice"});
}

TEST(Session, NeedsStates) {
  const SequencePredictor predictor(test::sequence_model("tagger"));
  EXPECT_MXINFER_ERROR(predictor.session(), ErrorCode::unsupported, {"no states", "SequenceOptions::states"});
}

TEST(Session, TwoThousandInterleaved) {
  const auto golden = test::read_sequence_golden("language_model");
  const SequencePredictor predictor(test::sequence_model("language_model"));
  constexpr std::size_t kSessions = 2000;
  // Session i says golden.whole from position i % 4 on; pieces of one and of two ids by turns.
  std::vector<Session> sessions;
  std::vector<Session*> pointers;
  sessions.reserve(kSessions);
  for (std::size_t i = 0; i < kSessions; ++i) {
    sessions.push_back(predictor.session());
    pointers.push_back(&sessions.back());
  }
  std::vector<std::vector<Tensor>> expected;
  for (std::size_t start = 0; start < 4; ++start)
    expected.push_back(predictor.predict_sequence(part(golden.whole, start, 6)));
  std::vector<std::size_t> said(kSessions, 0);
  for (int round = 0; round < 4; ++round) {
    std::vector<Ids> pieces;
    for (std::size_t i = 0; i < kSessions; ++i)
      pieces.push_back(part(golden.whole, i % 4 + said[i], 1 + (i + static_cast<std::size_t>(round)) % 2));
    const auto outputs = predictor.step(pointers, pieces);
    for (std::size_t i = 0; i < kSessions; ++i) {
      const std::int64_t width = outputs[i][0].shape()[1];
      const TensorView rows(expected[i % 4][0].data<float>() + static_cast<std::int64_t>(said[i]) * width,
                            outputs[i][0].shape());
      ASSERT_LE(test::relative_difference(outputs[i][0], rows), kSequenceTolerance)
          << "session " << i << " round " << round;
      said[i] += pieces[i].size();
    }
  }
}

TEST(Session, ManyReportWrongPieces) {
  const SequencePredictor predictor(test::sequence_model("language_model"));
  Session a = predictor.session(), b = predictor.session(), c = predictor.session();
  const std::vector<Session*> sessions = {&a, &b, &c};
  const std::vector<Ids> pieces = {{1, 2}, {1, 50}, {3}};
  std::vector<ItemError> errors;
  const auto outputs = predictor.step(sessions, pieces, &errors);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].item, 1U);
  EXPECT_TRUE(outputs[1].empty());
  EXPECT_EQ(outputs[0][0].shape()[0], 2);
  const auto values = b.states();
  EXPECT_EQ(values.at("h").span<float>()[0], 0.0F);
  EXPECT_NE(a.states().at("h").span<float>()[0], 0.0F);
  // Without a list none of them goes on.
  const auto before = a.states();
  EXPECT_MXINFER_ERROR(predictor.step(sessions, pieces), ErrorCode::invalid_argument, {"id 50"});
  EXPECT_EQ(test::relative_difference(a.states().at("h"), before.at("h")), 0);

  EXPECT_MXINFER_ERROR(predictor.step(sessions, std::vector<Ids>{{1}}), ErrorCode::invalid_argument,
                       {"3 sessions", "1 pieces"});
  const std::vector<Session*> twice = {&a, &a}, null = {&a, nullptr};
  const std::vector<Ids> two = {{1}, {1}};
  EXPECT_MXINFER_ERROR(predictor.step(twice, two), ErrorCode::invalid_argument, {"session 1", "twice"});
  EXPECT_MXINFER_ERROR(predictor.step(null, two), ErrorCode::invalid_argument, {"session 1", "null"});
  Session other = SequencePredictor(predictor.model()).session();
  const std::vector<Session*> foreign = {&a, &other};
  EXPECT_MXINFER_ERROR(predictor.step(foreign, two), ErrorCode::invalid_argument,
                       {"session 1", "another predictor"});
}

TEST(Session, KeepsItsStatesItself) {
  const SequencePredictor predictor(test::sequence_model("language_model"));
  Session session = predictor.session();
  const std::vector<float> ids = {1, 2};
  const Tensor state(DType::float32, {2, 4});
  const NamedViews<TensorView> inputs({{"data", {ids.data(), {2}}}, {"h", state}});
  EXPECT_MXINFER_ERROR(session.step(inputs), ErrorCode::invalid_argument, {"'h'", "set_states"});
  // Of sequences that are not a session's they may be given, without a batch.
  const std::vector<NamedViews<TensorView>> one = {inputs};
  EXPECT_EQ(predictor.predict_sequences(one)[0].size(), 3U);
  EXPECT_EQ(session.step(NamedViews<TensorView>({{"data", {ids.data(), {2}}}}))[0].shape()[0], 2);
}

}  // namespace
}  // namespace mxinfer
