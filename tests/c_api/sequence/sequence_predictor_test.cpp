// Sequences through the C interface, on the small networks that MXNet's outputs are recorded of: the outputs
// are those of C++.
#include <mxinfer/sequence/bucketed_model.h>
#include <mxinfer/sequence/sequence_predictor.h>

#include <map>
#include <string>
#include <vector>

#include "c_api/c_api_support.h"

namespace mxinfer_c_tests {
namespace {

using IdList = std::vector<std::int32_t>;

std::string recorded(const std::string& name) {
  return std::string(MXINFER_SOURCE_DIR "/tests/golden/sequences/") + name;
}

SequencePredictor recorded_predictor(const std::string& name,
                                     const mxinfer_sequence_options* options = nullptr) {
  SequencePredictor predictor;
  EXPECT_C_OK(mxinfer_sequence_predictor_open(recorded(name).c_str(), options, nullptr, Out(predictor)));
  return predictor;
}

mxinfer_id_list list_of(const IdList& ids) {
  auto list = sized<mxinfer_id_list>();
  list.ids = ids.data();
  list.count = ids.size();
  return list;
}

void expect_same_outputs(const mxinfer_tensors* found, const std::vector<mxinfer::Tensor>& expected) {
  ASSERT_EQ(mxinfer_tensors_count(found), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    auto tensor = sized<mxinfer_tensor>();
    ASSERT_C_OK(mxinfer_tensors_get(found, i, &tensor));
    const mxinfer::Shape& shape = expected[i].shape();
    EXPECT_EQ(shape_of(tensor), (std::vector<std::int64_t>{shape.begin(), shape.end()}));
    const auto values = expected[i].span<float>();
    EXPECT_EQ(floats_of(tensor), (std::vector<float>{values.begin(), values.end()}));
  }
}

TEST(CSequences, OfIdsGiveWhatCppGives) {
  const mxinfer::SequencePredictor beside(recorded("tagger"));
  const SequencePredictor predictor = recorded_predictor("tagger");
  const IdList ids = {1, 4, 2, 3};
  Tensors outputs;
  ASSERT_C_OK(mxinfer_sequence_predictor_predict_ids(predictor.get(), ids.data(), ids.size(), Out(outputs)));
  expect_same_outputs(outputs.get(), beside.predict_sequence(ids));
  EXPECT_EQ(tensor_at(outputs, 0).name, beside.model().signature().outputs[0].name);

  const std::vector<IdList> many = {{1, 2}, {3, 4, 5, 1}, {2}};
  const std::vector<mxinfer_id_list> lists = {list_of(many[0]), list_of(many[1]), list_of(many[2])};
  SequenceOutputs all;
  ASSERT_C_OK(mxinfer_sequence_predictor_predict_ids_list(predictor.get(), lists.data(), 3, 0, Out(all)));
  const auto expected = beside.predict_sequences(many);
  ASSERT_EQ(mxinfer_sequence_outputs_count(all.get()), 3U);
  for (std::size_t i = 0; i < 3; ++i)
    expect_same_outputs(mxinfer_sequence_outputs_get(all.get(), i), expected[i]);
  EXPECT_EQ(mxinfer_sequence_outputs_get(all.get(), 3), nullptr);

  Request request;
  ASSERT_C_OK(
      mxinfer_sequence_predictor_submit_ids(predictor.get(), ids.data(), ids.size(), nullptr, Out(request)));
  ASSERT_C_OK(mxinfer_request_tensors(request.get(), Out(outputs)));
  expect_same_outputs(outputs.get(), beside.predict_sequence(ids));
}

TEST(CSequences, OfArraysGiveWhatCppGives) {
  const mxinfer::SequencePredictor beside(recorded("tagger"));
  const SequencePredictor predictor = recorded_predictor("tagger");
  const std::vector<float> ids = {1, 4, 2, 3};
  const std::vector<std::int64_t> shape = {4};
  const std::string input = beside.model().signature().inputs[0].name;
  const auto expected = beside.predict_sequence(mxinfer::TensorView(ids.data(), {4}));
  const mxinfer_tensor unnamed = tensor_of(ids.data(), shape);
  const mxinfer_tensor named = tensor_of(ids.data(), shape, input.c_str());
  Tensors outputs;
  ASSERT_C_OK(mxinfer_sequence_predictor_predict_sequence(predictor.get(), &unnamed, 1, Out(outputs)));
  expect_same_outputs(outputs.get(), expected);
  ASSERT_C_OK(mxinfer_sequence_predictor_predict_sequence(predictor.get(), &named, 1, Out(outputs)));
  expect_same_outputs(outputs.get(), expected);

  const mxinfer::TensorView view(ids.data(), {4});
  const auto expected_two = beside.predict_sequences(mxinfer::TensorViews{view, view});
  SequenceOutputs all;
  for (const mxinfer_tensor& one : {unnamed, named}) {
    const mxinfer_tensor two[] = {one, one};
    ASSERT_C_OK(mxinfer_sequence_predictor_predict_sequences(predictor.get(), two, 1, 2, 0, Out(all)));
    ASSERT_EQ(mxinfer_sequence_outputs_count(all.get()), 2U);
    expect_same_outputs(mxinfer_sequence_outputs_get(all.get(), 1), expected_two[1]);
  }
  ASSERT_C_OK(mxinfer_sequence_predictor_predict_sequences(predictor.get(), nullptr, 1, 0, 0, Out(all)));
  EXPECT_EQ(mxinfer_sequence_outputs_count(all.get()), 0U);
  const mxinfer_tensor two[] = {unnamed, unnamed};
  EXPECT_C_ERROR(mxinfer_sequence_predictor_predict_sequence(predictor.get(), two, 2, Out(outputs)),
                 MXINFER_INVALID_ARGUMENT, "names");
  EXPECT_C_ERROR(mxinfer_sequence_predictor_predict_sequence(predictor.get(), two, 0, Out(outputs)),
                 MXINFER_INVALID_ARGUMENT, "no inputs");
  EXPECT_C_ERROR(mxinfer_sequence_predictor_predict_sequences(predictor.get(), nullptr, 1, 2, 0, Out(all)),
                 MXINFER_INVALID_ARGUMENT, "inputs");
}

TEST(CSequences, ListsReportWhatIsWrongWithEach) {
  const SequencePredictor predictor = recorded_predictor("tagger");
  const std::vector<IdList> many = {{1, 2}, {}, {2}};
  const std::vector<mxinfer_id_list> lists = {list_of(many[0]), list_of(many[1]), list_of(many[2])};
  SequenceOutputs all;
  EXPECT_C_ERROR(mxinfer_sequence_predictor_predict_ids_list(predictor.get(), lists.data(), 3, 0, Out(all)),
                 MXINFER_INVALID_ARGUMENT);
  ASSERT_C_OK(mxinfer_sequence_predictor_predict_ids_list(predictor.get(), lists.data(), 3, 1, Out(all)));
  EXPECT_EQ(mxinfer_sequence_outputs_item_status(all.get(), 0, nullptr), MXINFER_OK);
  EXPECT_EQ(mxinfer_sequence_outputs_item_status(all.get(), 1, nullptr), MXINFER_INVALID_ARGUMENT);
  EXPECT_EQ(mxinfer_tensors_count(mxinfer_sequence_outputs_get(all.get(), 1)), 0U);
  EXPECT_GT(mxinfer_tensors_count(mxinfer_sequence_outputs_get(all.get(), 2)), 0U);
  auto list = sized<mxinfer_id_list>();
  list.count = 2;
  EXPECT_C_ERROR(mxinfer_sequence_predictor_predict_ids_list(predictor.get(), &list, 1, 0, Out(all)),
                 MXINFER_INVALID_ARGUMENT, "ids of a list");
  Tensors outputs;
  EXPECT_C_ERROR(mxinfer_sequence_predictor_predict_ids(predictor.get(), nullptr, 2, Out(outputs)),
                 MXINFER_INVALID_ARGUMENT, "ids");
  EXPECT_C_ERROR(mxinfer_sequence_predictor_predict_ids(predictor.get(), nullptr, 0, Out(outputs)),
                 MXINFER_INVALID_ARGUMENT);
}

TEST(CSequences, TakeOptions) {
  const std::int64_t buckets[] = {2, 4};
  const double padding = 0;
  auto options = sized<mxinfer_sequence_options>();
  options.buckets = buckets;
  options.bucket_count = 2;
  options.pad_side = "left";
  options.pad_value = &padding;
  options.truncate_side = "left";
  options.too_long = "error";
  options.max_batch = 8;
  const SequencePredictor predictor = recorded_predictor("tagger", &options);
  size_t count = 0;
  const std::int64_t* const found = mxinfer_sequence_predictor_buckets(predictor.get(), &count);
  EXPECT_EQ(std::vector<std::int64_t>(found, found + count), (std::vector<std::int64_t>{2, 4}));
  std::int64_t bucket = 0;
  ASSERT_C_OK(mxinfer_sequence_predictor_bucket_of(predictor.get(), 3, &bucket));
  EXPECT_EQ(bucket, 4);
  EXPECT_C_ERROR(mxinfer_sequence_predictor_bucket_of(predictor.get(), 5, &bucket), MXINFER_INVALID_ARGUMENT,
                 "5");
  EXPECT_C_OK(mxinfer_sequence_predictor_warmup_buckets(predictor.get()));
  mxinfer::SequenceOptions same;
  same.buckets = {2, 4};
  same.pad_side = mxinfer::Side::left;
  const mxinfer::SequencePredictor beside(recorded("tagger"), same);
  const IdList ids = {1, 4, 2};
  Tensors outputs;
  ASSERT_C_OK(mxinfer_sequence_predictor_predict_ids(predictor.get(), ids.data(), 3, Out(outputs)));
  expect_same_outputs(outputs.get(), beside.predict_sequence(ids));
  options.keep_padding = 1;
  ASSERT_C_OK(mxinfer_sequence_predictor_predict_ids(recorded_predictor("tagger", &options).get(), ids.data(),
                                                     3, Out(outputs)));
  same.cut_outputs = false;
  expect_same_outputs(outputs.get(),
                      mxinfer::SequencePredictor(recorded("tagger"), same).predict_sequence(ids));

  SequencePredictor none;
  const auto expect_error = [&](const mxinfer_sequence_options& given, const char* part) {
    EXPECT_C_ERROR(mxinfer_sequence_predictor_open(recorded("tagger").c_str(), &given, nullptr, Out(none)),
                   MXINFER_INVALID_ARGUMENT, part);
  };
  auto wrong = sized<mxinfer_sequence_options>();
  wrong.pad_side = "top";
  expect_error(wrong, "mxinfer_sequence_options.pad_side");
  wrong = sized<mxinfer_sequence_options>();
  wrong.bucket_count = 1;
  expect_error(wrong, "mxinfer_sequence_options.buckets");
  wrong = sized<mxinfer_sequence_options>();
  wrong.state_count = 1;
  expect_error(wrong, "mxinfer_sequence_options.state_inputs");
  wrong = sized<mxinfer_sequence_options>();
  wrong.length_input = "nothing";
  expect_error(wrong, "nothing");
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(mxinfer_sequence_predictor_buckets(nullptr, &count), nullptr);
  EXPECT_EQ(count, 0U);
  EXPECT_NE(mxinfer_sequence_predictor_predictor(predictor.get()), nullptr);
}

TEST(CBucketedModels, GiveWhatCppGives) {
  const mxinfer::BucketedModel same = mxinfer::BucketedModel::load(recorded("lstm"));
  BucketedModel model;
  ASSERT_C_OK(mxinfer_bucketed_model_load(recorded("lstm").c_str(), nullptr, Out(model)));
  size_t count = 0;
  const std::int64_t* const keys = mxinfer_bucketed_model_keys(model.get(), &count);
  EXPECT_EQ(std::vector<std::int64_t>(keys, keys + count), same.keys());
  EXPECT_EQ(mxinfer_bucketed_model_name(model.get()), same.name());
  auto memory = sized<mxinfer_memory>();
  ASSERT_C_OK(mxinfer_bucketed_model_memory(model.get(), &memory));
  EXPECT_EQ(memory.stored_weights, same.memory().stored_weights);
  Model third, largest, none;
  ASSERT_C_OK(mxinfer_bucketed_model_model(model.get(), 3, Out(third)));
  ASSERT_C_OK(mxinfer_bucketed_model_largest(model.get(), Out(largest)));
  EXPECT_STRNE(mxinfer_model_name(third.get()), mxinfer_model_name(largest.get()));
  EXPECT_C_ERROR(mxinfer_bucketed_model_model(model.get(), 4, Out(none)), MXINFER_INVALID_ARGUMENT, "4");

  SequencePredictor predictor;
  ASSERT_C_OK(mxinfer_sequence_predictor_create_bucketed(model.get(), nullptr, nullptr, Out(predictor)));
  const mxinfer::SequencePredictor beside(same);
  const IdList ids = {1, 2, 3, 1};
  Tensors outputs;
  ASSERT_C_OK(mxinfer_sequence_predictor_predict_ids(predictor.get(), ids.data(), ids.size(), Out(outputs)));
  expect_same_outputs(outputs.get(), beside.predict_sequence(ids));

  const std::int64_t two_keys[] = {3, 8};
  const mxinfer_model* const two[] = {third.get(), largest.get()};
  BucketedModel made;
  ASSERT_C_OK(mxinfer_bucketed_model_create(two_keys, two, 2, Out(made)));
  ASSERT_NE(mxinfer_bucketed_model_keys(made.get(), &count), nullptr);
  EXPECT_EQ(count, 2U);
  BucketedModel nothing;
  const std::int64_t twice[] = {3, 3};
  EXPECT_C_ERROR(mxinfer_bucketed_model_create(twice, two, 2, Out(nothing)), MXINFER_INVALID_ARGUMENT, "3");
  EXPECT_C_ERROR(mxinfer_bucketed_model_create(twice, nullptr, 2, Out(nothing)), MXINFER_INVALID_ARGUMENT,
                 "models");
  EXPECT_C_ERROR(mxinfer_bucketed_model_load("/nowhere", nullptr, Out(nothing)), MXINFER_NOT_FOUND);
  EXPECT_EQ(nothing, nullptr);
}

Session new_session(const SequencePredictor& predictor) {
  Session session;
  EXPECT_C_OK(mxinfer_sequence_predictor_session(predictor.get(), Out(session)));
  return session;
}

TEST(CSessions, StepAsInCpp) {
  const mxinfer::SequencePredictor beside(recorded("language_model"));
  const SequencePredictor predictor = recorded_predictor("language_model");
  const Session session = new_session(predictor);
  mxinfer::Session same = beside.session();
  const IdList first = {1, 2, 3}, second = {4};
  Tensors outputs;
  ASSERT_C_OK(mxinfer_session_step_ids(session.get(), first.data(), first.size(), Out(outputs)));
  expect_same_outputs(outputs.get(), same.step(first));
  EXPECT_STREQ(tensor_at(outputs, 0).name, "");
  Session copy;
  ASSERT_C_OK(mxinfer_session_copy(session.get(), Out(copy)));
  const auto expected = same.step(second);
  for (const Session* one : {&session, static_cast<const Session*>(&copy)}) {
    ASSERT_C_OK(mxinfer_session_step_ids(one->get(), second.data(), second.size(), Out(outputs)));
    expect_same_outputs(outputs.get(), expected);
  }

  Tensors states;
  ASSERT_C_OK(mxinfer_session_states(session.get(), Out(states)));
  const auto same_states = same.states();
  ASSERT_EQ(mxinfer_tensors_count(states.get()), same_states.size());
  std::vector<mxinfer_tensor> saved;
  for (std::size_t i = 0; i < same_states.size(); ++i) {
    saved.push_back(tensor_at(states, i));
    const auto values = same_states.at(saved.back().name).span<float>();
    EXPECT_EQ(floats_of(saved.back()), (std::vector<float>{values.begin(), values.end()}));
  }
  const mxinfer_descs* const descs = mxinfer_session_state_descs(session.get());
  ASSERT_EQ(mxinfer_descs_count(descs), same.state_descs().size());
  auto desc = sized<mxinfer_desc>();
  ASSERT_C_OK(mxinfer_descs_get(descs, 0, &desc));
  EXPECT_EQ(desc.name, same.state_descs()[0].name);

  const auto continued = same.step(second);
  const Session other = new_session(predictor);
  ASSERT_C_OK(mxinfer_session_set_states(other.get(), saved.data(), saved.size()));
  const std::vector<float> piece = {4};
  const std::vector<std::int64_t> shape = {1};
  const mxinfer_tensor array = tensor_of(piece.data(), shape);
  ASSERT_C_OK(mxinfer_session_step(other.get(), &array, 1, Out(outputs)));
  expect_same_outputs(outputs.get(), continued);

  ASSERT_C_OK(mxinfer_session_reset(session.get()));
  const std::string input = beside.model().signature().inputs[0].name;
  const mxinfer_tensor named = tensor_of(piece.data(), shape, input.c_str());
  ASSERT_C_OK(mxinfer_session_step(session.get(), &named, 1, Out(outputs)));
  expect_same_outputs(outputs.get(), beside.session().step(second));
}

TEST(CSessions, ManyStepAsOneBatch) {
  const mxinfer::SequencePredictor beside(recorded("language_model"));
  const SequencePredictor predictor = recorded_predictor("language_model");
  const Session a = new_session(predictor), b = new_session(predictor);
  mxinfer_session* const sessions[] = {a.get(), b.get()};
  const std::vector<IdList> pieces = {{1, 2}, {3}};
  const mxinfer_id_list lists[] = {list_of(pieces[0]), list_of(pieces[1])};
  SequenceOutputs outputs;
  ASSERT_C_OK(mxinfer_sequence_predictor_step_ids(predictor.get(), sessions, lists, 2, 0, Out(outputs)));
  mxinfer::Session first = beside.session(), second = beside.session();
  expect_same_outputs(mxinfer_sequence_outputs_get(outputs.get(), 0), first.step(pieces[0]));
  expect_same_outputs(mxinfer_sequence_outputs_get(outputs.get(), 1), second.step(pieces[1]));

  const std::vector<float> piece = {4};
  const std::vector<std::int64_t> shape = {1};
  const mxinfer_tensor arrays[] = {tensor_of(piece.data(), shape), tensor_of(piece.data(), shape)};
  ASSERT_C_OK(mxinfer_sequence_predictor_step(predictor.get(), sessions, arrays, 2, 0, Out(outputs)));
  ASSERT_EQ(mxinfer_sequence_outputs_count(outputs.get()), 2U);

  const mxinfer_id_list empty[] = {list_of({}), list_of(pieces[1])};
  ASSERT_C_OK(mxinfer_sequence_predictor_step_ids(predictor.get(), sessions, empty, 2, 1, Out(outputs)));
  EXPECT_EQ(mxinfer_sequence_outputs_item_status(outputs.get(), 0, nullptr), MXINFER_INVALID_ARGUMENT);
  EXPECT_EQ(mxinfer_sequence_outputs_item_status(outputs.get(), 1, nullptr), MXINFER_OK);
  mxinfer_session* const twice[] = {a.get(), a.get()};
  EXPECT_C_ERROR(mxinfer_sequence_predictor_step_ids(predictor.get(), twice, lists, 2, 0, Out(outputs)),
                 MXINFER_INVALID_ARGUMENT);
  mxinfer_session* const gap[] = {a.get(), nullptr};
  EXPECT_C_ERROR(mxinfer_sequence_predictor_step_ids(predictor.get(), gap, lists, 2, 0, Out(outputs)),
                 MXINFER_INVALID_ARGUMENT, "session of a list");
  EXPECT_C_ERROR(mxinfer_sequence_predictor_step(predictor.get(), nullptr, arrays, 2, 0, Out(outputs)),
                 MXINFER_INVALID_ARGUMENT, "sessions");
}

TEST(CSessions, TellWhatIsWrong) {
  Session none;
  EXPECT_C_ERROR(mxinfer_sequence_predictor_session(recorded_predictor("tagger").get(), Out(none)),
                 MXINFER_UNSUPPORTED);
  EXPECT_EQ(none, nullptr);
  const Session session = new_session(recorded_predictor("language_model"));  // keeps its predictor alive
  Tensors outputs;
  EXPECT_C_ERROR(mxinfer_session_step_ids(session.get(), nullptr, 0, Out(outputs)), MXINFER_INVALID_ARGUMENT);
  EXPECT_C_ERROR(mxinfer_session_step(session.get(), nullptr, 1, Out(outputs)), MXINFER_INVALID_ARGUMENT,
                 "inputs");
  const std::vector<float> values = {1};
  const std::vector<std::int64_t> shape = {1};
  const mxinfer_tensor unnamed = tensor_of(values.data(), shape);
  EXPECT_C_ERROR(mxinfer_session_set_states(session.get(), &unnamed, 1), MXINFER_INVALID_ARGUMENT, "states",
                 "name");
  const mxinfer_tensor wrong = tensor_of(values.data(), shape, "nothing");
  EXPECT_C_ERROR(mxinfer_session_set_states(session.get(), &wrong, 1), MXINFER_INVALID_ARGUMENT, "states");
  EXPECT_C_ERROR(mxinfer_session_set_states(session.get(), nullptr, 0), MXINFER_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace mxinfer_c_tests
