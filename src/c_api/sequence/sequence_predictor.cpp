#include <mxinfer_c/sequence_predictor.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "c_api/call.h"
#include "c_api/sequence/handles.h"
#include "c_api/sequence/outputs.h"
#include "c_api/sequence/sequence_members.h"
#include "c_api/sequence/texts.h"
#include "c_api/structs.h"
#include "c_api/views.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

mxinfer_tensors* c_api::new_outputs(std::vector<Tensor> outputs, std::optional<Model> model) {
  return new mxinfer_tensors{std::move(model), std::move(outputs)};
}

std::optional<TensorView> c_api::lone_sequence(const mxinfer_tensor* inputs, std::size_t count) {
  if (count == 0) reject("there are no inputs; give the sequence");
  const mxinfer_tensor first = read_struct(need(inputs, "inputs"));
  if (count > 1 || first.name != nullptr) return std::nullopt;
  return view_of(first);
}

namespace {

SequenceOptions sequence_options_of(const mxinfer_sequence_options* sequence, const Settings& settings) {
  SequenceOptions result;
  result.options = settings.options();
  if (sequence == nullptr) return result;
  const mxinfer_sequence_options given = read_struct(*sequence);
  set_sequence_members(result, given, "mxinfer_sequence_options");
  result.states = states_of(given, "mxinfer_sequence_options");
  result.cut_outputs = given.keep_padding == 0;
  return result;
}

/// Sequence i is inputs[i * input_count] and those behind it.
std::vector<NamedViews<TensorView>> named_sequences(const mxinfer_tensor* inputs, std::size_t input_count,
                                                    std::size_t count) {
  std::vector<NamedViews<TensorView>> sequences;
  if (count == 0) return sequences;
  const std::size_t size = read_struct(need(inputs, "inputs")).struct_size;
  for (std::size_t i = 0; i < count; ++i) {
    const auto* const first = reinterpret_cast<const mxinfer_tensor*>(reinterpret_cast<const char*>(inputs) +
                                                                      i * input_count * size);
    const std::map<std::string, TensorView> views = named_views(first, input_count, "inputs");
    sequences.emplace_back(views);
  }
  return sequences;
}

std::vector<Session*> sessions_of(mxinfer_session* const* sessions, std::size_t count) {
  std::vector<Session*> list;
  if (count > 0) need(sessions, "sessions");
  for (std::size_t i = 0; i < count; ++i) list.push_back(&need(sessions[i], "session of a list").session);
  return list;
}

/// run(predictor, errors) gives the outputs of each sequence; `errors` is NULL without collect_errors. With
/// `are_named` they are the outputs of the model.
template <typename Run>
mxinfer_status run_sequences(const mxinfer_sequence_predictor* predictor, bool are_named, int collect_errors,
                             mxinfer_sequence_outputs** out, Run run,
                             const char* function = __builtin_FUNCTION()) {
  return give(
      out,
      [&] {
        const SequencePredictor& self = need(predictor, "predictor").predictor;
        auto made = std::make_unique<mxinfer_sequence_outputs>();
        for (std::vector<Tensor>& outputs : run(self, collect_errors != 0 ? &made->errors : nullptr)) {
          mxinfer_tensors& tensors = made->list.emplace_back();
          if (are_named) tensors.model = self.model();
          tensors.list = std::move(outputs);
        }
        return made.release();
      },
      function);
}

}  // namespace

size_t mxinfer_sequence_outputs_count(const mxinfer_sequence_outputs* outputs) {
  return outputs == nullptr ? 0 : outputs->list.size();
}

const mxinfer_tensors* mxinfer_sequence_outputs_get(const mxinfer_sequence_outputs* outputs, size_t index) {
  return index < mxinfer_sequence_outputs_count(outputs) ? &outputs->list[index] : nullptr;
}

mxinfer_status mxinfer_sequence_outputs_item_status(const mxinfer_sequence_outputs* outputs, size_t index,
                                                    const char** message) {
  return item_status_of(outputs, "outputs", index, message);
}

void mxinfer_sequence_outputs_free(mxinfer_sequence_outputs* outputs) {
  delete outputs;
}

mxinfer_status mxinfer_sequence_predictor_create(const mxinfer_model* model,
                                                 const mxinfer_sequence_options* sequence,
                                                 const mxinfer_options* options,
                                                 mxinfer_sequence_predictor** out) {
  return give(out, [&] {
    return new mxinfer_sequence_predictor(
        SequencePredictor(need(model, "model").model, sequence_options_of(sequence, settings_of(options))));
  });
}

mxinfer_status mxinfer_sequence_predictor_create_bucketed(const mxinfer_bucketed_model* model,
                                                          const mxinfer_sequence_options* sequence,
                                                          const mxinfer_options* options,
                                                          mxinfer_sequence_predictor** out) {
  return give(out, [&] {
    return new mxinfer_sequence_predictor(
        SequencePredictor(need(model, "model").model, sequence_options_of(sequence, settings_of(options))));
  });
}

mxinfer_status mxinfer_sequence_predictor_open(const char* uri, const mxinfer_sequence_options* sequence,
                                               const mxinfer_options* options,
                                               mxinfer_sequence_predictor** out) {
  return give(out, [&] {
    const Settings& settings = settings_of(options);
    return new mxinfer_sequence_predictor(SequencePredictor(
        need_text(uri, "uri"), sequence_options_of(sequence, settings), settings.load_options()));
  });
}

void mxinfer_sequence_predictor_free(mxinfer_sequence_predictor* predictor) {
  delete predictor;
}

const mxinfer_predictor* mxinfer_sequence_predictor_predictor(const mxinfer_sequence_predictor* predictor) {
  return predictor == nullptr ? nullptr : &predictor->base;
}

mxinfer_status mxinfer_sequence_predictor_predict_ids(const mxinfer_sequence_predictor* predictor,
                                                      const int32_t* ids, size_t count,
                                                      mxinfer_tensors** out) {
  return give(out, [&] {
    const SequencePredictor& self = need(predictor, "predictor").predictor;
    return new_outputs(self.predict_sequence(need_span(ids, count, "ids")), self.model());
  });
}

mxinfer_status mxinfer_sequence_predictor_predict_sequence(const mxinfer_sequence_predictor* predictor,
                                                           const mxinfer_tensor* inputs, size_t input_count,
                                                           mxinfer_tensors** out) {
  return give(out, [&] {
    const SequencePredictor& self = need(predictor, "predictor").predictor;
    if (const auto sequence = lone_sequence(inputs, input_count))
      return new_outputs(self.predict_sequence(*sequence), self.model());
    std::vector<std::vector<Tensor>> outputs =
        self.predict_sequences(Span<const NamedViews<TensorView>>(named_sequences(inputs, input_count, 1)));
    return new_outputs(std::move(outputs[0]), self.model());
  });
}

mxinfer_status mxinfer_sequence_predictor_predict_ids_list(const mxinfer_sequence_predictor* predictor,
                                                           const mxinfer_id_list* sequences, size_t count,
                                                           int collect_errors,
                                                           mxinfer_sequence_outputs** out) {
  return run_sequences(predictor, true, collect_errors, out,
                       [&](const SequencePredictor& self, std::vector<ItemError>* errors) {
                         const auto lists = id_lists(sequences, count, "sequences");
                         return self.predict_sequences(Span<const std::vector<std::int32_t>>(lists), errors);
                       });
}

mxinfer_status mxinfer_sequence_predictor_predict_sequences(const mxinfer_sequence_predictor* predictor,
                                                            const mxinfer_tensor* inputs, size_t input_count,
                                                            size_t count, int collect_errors,
                                                            mxinfer_sequence_outputs** out) {
  return run_sequences(predictor, true, collect_errors, out,
                       [&](const SequencePredictor& self, std::vector<ItemError>* errors) {
                         if (count == 0 || lone_sequence(inputs, input_count)) {
                           const Views<TensorView> views = item_views(inputs, count);
                           return self.predict_sequences(TensorViews(views.span()), errors);
                         }
                         const auto named = named_sequences(inputs, input_count, count);
                         return self.predict_sequences(Span<const NamedViews<TensorView>>(named), errors);
                       });
}

mxinfer_status mxinfer_sequence_predictor_session(const mxinfer_sequence_predictor* predictor,
                                                  mxinfer_session** out) {
  return give(out, [&] { return new mxinfer_session(need(predictor, "predictor").predictor.session()); });
}

mxinfer_status mxinfer_sequence_predictor_step_ids(const mxinfer_sequence_predictor* predictor,
                                                   mxinfer_session* const* sessions,
                                                   const mxinfer_id_list* pieces, size_t count,
                                                   int collect_errors, mxinfer_sequence_outputs** out) {
  return run_sequences(predictor, false, collect_errors, out,
                       [&](const SequencePredictor& self, std::vector<ItemError>* errors) {
                         const std::vector<Session*> list = sessions_of(sessions, count);
                         const auto lists = id_lists(pieces, count, "pieces");
                         return self.step(list, Span<const std::vector<std::int32_t>>(lists), errors);
                       });
}

mxinfer_status mxinfer_sequence_predictor_step(const mxinfer_sequence_predictor* predictor,
                                               mxinfer_session* const* sessions, const mxinfer_tensor* pieces,
                                               size_t count, int collect_errors,
                                               mxinfer_sequence_outputs** out) {
  return run_sequences(predictor, false, collect_errors, out,
                       [&](const SequencePredictor& self, std::vector<ItemError>* errors) {
                         const std::vector<Session*> list = sessions_of(sessions, count);
                         const Views<TensorView> views = item_views(pieces, count);
                         return self.step(list, TensorViews(views.span()), errors);
                       });
}

const int64_t* mxinfer_sequence_predictor_buckets(const mxinfer_sequence_predictor* predictor,
                                                  size_t* count) {
  if (count != nullptr) *count = predictor == nullptr ? 0 : predictor->predictor.buckets().size();
  return predictor == nullptr ? nullptr : predictor->predictor.buckets().data();
}

mxinfer_status mxinfer_sequence_predictor_bucket_of(const mxinfer_sequence_predictor* predictor,
                                                    int64_t length, int64_t* out) {
  return call([&] {
    int64_t& bucket = need(out, "out");
    bucket = need(predictor, "predictor").predictor.bucket_of(length);
  });
}

mxinfer_status mxinfer_sequence_predictor_warmup_buckets(const mxinfer_sequence_predictor* predictor) {
  return call([&] { need(predictor, "predictor").predictor.warmup_buckets(); });
}
