#include <mxinfer/error.h>
#include <mxinfer/sequence/generator.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "bindings.h"
#include "core/arrays.h"
#include "core/calls.h"
#include "core/errors.h"
#include "core/handles.h"
#include "core/option_fields.h"
#include "core/records.h"
#include "sequence/sequence_argument.h"
#include "sequence/texts.h"

namespace nb = nanobind;

namespace mxinfer::python {
namespace {

struct GeneratorHandle : PredictorHandle {
  using PredictorHandle::PredictorHandle;
};

using Ids = std::vector<std::int32_t>;

GeneratorHandle make(const ModelHandle& model, const SettingPairs& settings, const nb::dict& dict) {
  const OptionFields fields(dict);
  GeneratorOptions options;
  options.options = settings_of(settings).options();
  fields.read("token_input", options.token_input, "the name of an input");
  fields.read("token_layout", options.token_layout, "'N', 'NT' or 'TN'");
  fields.choose("step", options.step,
                {{"automatic", StepKind::automatic},
                 {"one_token", StepKind::one_token},
                 {"whole_prefix", StepKind::whole_prefix}});
  fields.read("score_output", options.score_output, "the name of an output");
  fields.choose("scores", options.scores,
                {{"automatic", ScoreKind::automatic},
                 {"logits", ScoreKind::logits},
                 {"log_probabilities", ScoreKind::log_probabilities},
                 {"probabilities", ScoreKind::probabilities}});
  std::vector<std::pair<std::string, std::string>> states;
  fields.read("states", states, "a list of (input, output)");
  for (auto& [input, output] : states) options.states.push_back({std::move(input), std::move(output)});
  fields.read("position_input", options.position_input, "the name of an input");
  fields.read("length_input", options.length_input, "the name of an input");
  fields.read("buckets", options.buckets, "a list of lengths");
  fields.read("pad_value", options.pad_value, "a number");
  if (const nb::object words = fields.find("vocabulary"); words.is_valid())
    options.vocabulary = nb::cast<Vocabulary>(words);
  if (const nb::object tokenizer = fields.find("tokenizer"); tokenizer.is_valid())
    options.tokenizer = nb::cast<Tokenizer>(tokenizer);
  fields.read("begin_id", options.begin_id, "an id, or -1 for none");
  fields.read("end_id", options.end_id, "an id, or -1 for none");
  const WithoutGil released;
  return GeneratorHandle(std::make_unique<SequenceGenerator>(*model, options));
}

/// A function of Python that the generator calls without the interpreter's lock. What it raises ends the
/// generation, and is raised by the call that generates.
class StopCall {
 public:
  explicit StopCall(const nb::object& function) : function_(function.inc_ref().ptr()) {}
  ~StopCall() {
    const WithGil locked;
    if (!locked) return;
    raised_ = nullptr;
    Py_DECREF(function_);
  }
  StopCall(const StopCall&) = delete;
  StopCall& operator=(const StopCall&) = delete;

  bool call(Span<const std::int32_t> ids) {
    const WithGil locked;
    if (!locked) return true;
    try {
      nb::list list;
      for (const std::int32_t id : ids) list.append(id);
      return nb::cast<bool>(nb::bool_(nb::handle(function_)(list)));
    } catch (...) {
      if (raised_ == nullptr) raised_ = std::current_exception();
      return true;
    }
  }
  /// Precondition: the thread has the interpreter's lock.
  void raise() {
    if (raised_ != nullptr) std::rethrow_exception(std::exchange(raised_, nullptr));
  }

 private:
  PyObject* function_;
  std::exception_ptr raised_{};
};

/// The options of one call, and what they borrow.
struct GenerateCall {
  GenerateOptions options{};
  NamedArrays arrays{};
  std::shared_ptr<StopCall> stop{};

  void raise() const {
    if (stop != nullptr) stop->raise();
  }
};

GenerateCall generate_call(const GeneratorHandle& self, const nb::dict& dict) {
  const OptionFields fields(dict);
  GenerateCall call;
  GenerateOptions& options = call.options;
  fields.choose("search", options.search,
                {{"greedy", Search::greedy}, {"beam", Search::beam}, {"sample", Search::sample}});
  fields.read("max_length", options.max_length, "a whole number");
  fields.read("num_sequences", options.num_sequences, "a whole number");
  fields.read("stop_ids", options.stop_ids, "a list of ids");
  fields.read("beam", options.beam, "a whole number");
  fields.read("alpha", options.alpha, "a number");
  fields.read("length_k", options.length_k, "a number");
  fields.read("temperature", options.temperature, "a number");
  fields.read("top_k", options.top_k, "a whole number");
  fields.read("top_p", options.top_p, "a number");
  fields.read("seed", options.seed, "a whole number from 0 on");
  fields.read("repetition_penalty", options.repetition_penalty, "a number");
  if (const nb::object stop = fields.find("stop"); stop.is_valid()) {
    call.stop = std::make_shared<StopCall>(stop);
    options.stop = [held = call.stop](Span<const std::int32_t> ids) { return held->call(ids); };
  }
  if (const nb::object inputs = fields.find("inputs"); inputs.is_valid()) {
    call.arrays = NamedArrays(inputs, "input", self->model().signature().inputs, DType::float32);
    options.inputs = call.arrays.views();
  }
  return call;
}

const char* word_of(Finish finish) {
  switch (finish) {
    case Finish::end:
      return "end";
    case Finish::length:
      return "length";
    case Finish::stopped:
      break;
  }
  return "stopped";
}

nb::object to_python(const Generated& made) {
  nb::list ids;
  for (const std::int32_t id : made.ids) ids.append(id);
  return nb::make_tuple(ids, text_of(made.text), made.score, made.log_probability, word_of(made.finish),
                        made.end_id);
}

nb::object to_python(const std::vector<Generated>& sequences) {
  nb::list list;
  for (const Generated& each : sequences) list.append(to_python(each));
  return list;
}

/// A text or ids.
using Prompt = std::variant<std::string, Ids>;

Prompt prompt_of(nb::handle value, const char* what) {
  if (nb::isinstance<nb::str>(value)) return utf8_of(value, what);
  return ids_of(value, what);
}

nb::object generate(const GeneratorHandle& self, const nb::object& value, const nb::dict& dict) {
  const SequenceGenerator& generator = self.as<SequenceGenerator>();
  const Prompt prompt = prompt_of(value, "prompt");
  const GenerateCall call = generate_call(self, dict);
  std::vector<Generated> made;
  {
    const WithoutGil released;
    const auto* const text = std::get_if<std::string>(&prompt);
    made = text != nullptr ? generator.generate_text(*text, call.options)
                           : generator.generate(std::get<Ids>(prompt), call.options);
  }
  call.raise();
  return to_python(made);
}

nb::object generate_batch(const GeneratorHandle& self, const nb::list& values, const nb::dict& dict) {
  const SequenceGenerator& generator = self.as<SequenceGenerator>();
  const bool are_texts = values.size() != 0 && nb::isinstance<nb::str>(values[0]);
  const std::vector<std::string> texts = are_texts ? utf8_list(values, "prompt") : std::vector<std::string>();
  const std::vector<Ids> ids =
      are_texts ? std::vector<Ids>() : read_items<Ids>(values, "prompt", false, ids_of).values;
  const GenerateCall call = generate_call(self, dict);
  std::vector<std::vector<Generated>> made;
  {
    const WithoutGil released;
    made = are_texts ? generator.generate_texts(texts, call.options)
                     : generator.generate_batch(ids, call.options);
  }
  call.raise();
  nb::list list;
  for (const std::vector<Generated>& each : made) list.append(to_python(each));
  return list;
}

/// A generation is for one thread at a time; those of Python wait for one another. The mutex is taken without
/// the interpreter's lock alone.
struct SharedGeneration {
  SharedGeneration(Generation made, std::shared_ptr<StopCall> call)
      : generation(std::move(made)), stop(std::move(call)) {}
  mutable std::mutex mutex{};
  mutable std::atomic<std::thread::id> inside{};  ///< the thread that has the mutex
  mutable Generation generation;
  std::shared_ptr<StopCall> stop;
};

/// Waits until no other thread uses the generation. A stop function may not use that which calls it: it would
/// wait for itself.
class Turn {
 public:
  explicit Turn(const SharedGeneration& of) : inside_(of.inside), lock_(lock(of)) {
    inside_ = std::this_thread::get_id();
  }
  ~Turn() { inside_ = std::thread::id(); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  static std::unique_lock<std::mutex> lock(const SharedGeneration& of) {
    if (of.inside == std::this_thread::get_id()) {
      throw Error(ErrorCode::invalid_argument,
                  "a stop function uses the generation that calls it; it is to look at the ids that it gets");
    }
    return std::unique_lock(of.mutex);
  }

  std::atomic<std::thread::id>& inside_;
  std::unique_lock<std::mutex> lock_;
};

using GenerationHandle = Handle<SharedGeneration>;

GenerationHandle start(const GeneratorHandle& self, const nb::object& value, const nb::dict& dict) {
  const SequenceGenerator& generator = self.as<SequenceGenerator>();
  const Prompt prompt = prompt_of(value, "prompt");
  const GenerateCall call = generate_call(self, dict);
  const WithoutGil released;
  const auto* const text = std::get_if<std::string>(&prompt);
  return GenerationHandle(std::make_unique<SharedGeneration>(
      text != nullptr ? generator.start_text(*text, call.options)
                      : generator.start(std::get<Ids>(prompt), call.options),
      call.stop));
}

/// (id, piece); (None, what is left of the text) at the end.
nb::object next(const GenerationHandle& self) {
  std::optional<std::int32_t> id;
  std::string piece;
  {
    const WithoutGil released;
    const Turn turn(*self);
    id = self->generation.next();
    piece = self->generation.piece();
  }
  if (self->stop != nullptr) self->stop->raise();
  return nb::make_tuple(id, text_of(piece));
}

nb::object result(const GenerationHandle& self) {
  Generated made;
  {
    const WithoutGil released;
    const Turn turn(*self);
    made = self->generation.result();
  }
  return to_python(made);
}

Ids ids(const GeneratorHandle& self, const nb::object& value) {
  const std::string text = utf8_of(value, "text");
  const WithoutGil released;
  return self.as<SequenceGenerator>().ids(text);
}

nb::object text(const GeneratorHandle& self, const nb::object& value) {
  const Ids ids = ids_of(value, "ids");
  std::string text;
  {
    const WithoutGil released;
    text = self.as<SequenceGenerator>().text(ids);
  }
  return text_of(text);
}

const char* word_of(StepKind kind) {
  if (kind == StepKind::automatic) return "automatic";
  return kind == StepKind::one_token ? "one_token" : "whole_prefix";
}

const char* word_of(ScoreKind kind) {
  switch (kind) {
    case ScoreKind::logits:
      return "logits";
    case ScoreKind::log_probabilities:
      return "log_probabilities";
    case ScoreKind::probabilities:
      return "probabilities";
    case ScoreKind::automatic:
      break;
  }
  return "automatic";
}

nb::object found(const GeneratorHandle& self) {
  const GeneratorOptions& options = self.as<SequenceGenerator>().found();
  nb::list states;
  for (const StateNames& state : options.states)
    states.append(nb::make_tuple(text_of(state.input), text_of(state.output)));
  nb::dict dict;
  dict["token_input"] = text_of(options.token_input);
  dict["token_layout"] = text_of(options.token_layout);
  dict["step"] = word_of(options.step);
  dict["score_output"] = text_of(options.score_output);
  dict["scores"] = word_of(options.scores);
  dict["states"] = states;
  dict["position_input"] = text_of(options.position_input);
  dict["length_input"] = text_of(options.length_input);
  dict["buckets"] = options.buckets;
  dict["pad_value"] = options.pad_value;
  dict["begin_id"] = options.begin_id;
  dict["end_id"] = options.end_id;
  return dict;
}

}  // namespace

void bind_generator(nb::module_& module) {
  nb::class_<GeneratorHandle, PredictorHandle>(module, "SequenceGenerator")
      .def_static("make", make)
      .def("generate", generate, nb::arg("prompt").none(), nb::arg("options"))
      .def("generate_batch", generate_batch)
      .def("start", start, nb::arg("prompt").none(), nb::arg("options"))
      .def("ids", ids, nb::arg("text").none())
      .def("text", text, nb::arg("ids").none())
      .def("vocabulary",
           [](const GeneratorHandle& self) { return Vocabulary(self.as<SequenceGenerator>().vocabulary()); })
      .def("found", found);
  nb::class_<GenerationHandle>(module, "Generation").def("next", next).def("result", result);
}

}  // namespace mxinfer::python
