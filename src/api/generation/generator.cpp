#include <mxinfer/sequence/generator.h>

#include <utility>

#include "api/generation/generator_decoder.h"
#include "api/generation/generator_options.h"
#include "api/generation/generator_run.h"
#include "base/fail.h"

namespace mxinfer {
namespace {

std::vector<StateNames> names_of_states(const Signature& signature, const api::GeneratorGraph& graph) {
  std::vector<StateNames> names;
  for (const api::GeneratorGraph::State& state : graph.states)
    names.push_back({signature.inputs[state.input].name, signature.outputs[state.output].name});
  return names;
}

// The options completed with the names and kinds found.
void note_found(const Signature& signature, const api::GeneratorGraph& graph, GeneratorOptions& options) {
  options.token_input = signature.inputs[graph.tokens].name;
  options.token_layout = graph.layout;
  options.step = graph.whole_prefix ? StepKind::whole_prefix : StepKind::one_token;
  options.score_output = signature.outputs[graph.scores].name;
  options.scores = graph.kind;
  options.states = names_of_states(signature, graph);
  if (graph.length) options.length_input = signature.inputs[*graph.length].name;
}

}  // namespace

SequenceGenerator::SequenceGenerator(const Model& model, const GeneratorOptions& options) try
    : Predictor(model, options.options) {
  GeneratorOptions found = api::with_vocabulary(options);
  const api::GeneratorGraph graph = api::find_generator_graph(*this, found);
  if (graph.vocabulary) api::check_words(found.vocabulary, *graph.vocabulary);
  note_found(model.signature(), graph, found);
  decoder_ = std::make_shared<const Decoder>(Decoder{std::move(found), graph});
} catch (...) {
  throw_as_error();
}

SequenceGenerator::SequenceGenerator(const std::string& uri, const GeneratorOptions& options,
                                     const LoadOptions& load) try
    : SequenceGenerator(Model::load(uri, load), options) {
} catch (...) {
  throw_as_error();
}

SequenceGenerator::SequenceGenerator(const SequenceGenerator&) noexcept = default;
SequenceGenerator& SequenceGenerator::operator=(const SequenceGenerator&) noexcept = default;
SequenceGenerator::~SequenceGenerator() = default;

std::vector<std::vector<Generated>> SequenceGenerator::generate_batch(
    Span<const std::vector<std::int32_t>> prompts, const GenerateOptions& options) const try {
  api::check_generate_options(options);
  std::vector<std::vector<Generated>> all;
  if (prompts.empty()) return all;
  std::vector<std::vector<std::int32_t>> complete;
  for (const auto& prompt : prompts) {
    complete.push_back(in_context([&] { return concat("prompt ", complete.size()); },
                                  [&] { return decoder_->prompt(Span<const std::int32_t>(prompt)); }));
  }
  api::GeneratorRun run(*this, decoder_->graph, decoder_->options, std::move(complete), options);
  while (run.step()) {
  }
  for (std::size_t p = 0; p < prompts.size(); ++p) {
    std::vector<Generated>& results = all.emplace_back();
    for (const api::Hypothesis& sequence : run.search(p).results()) {
      if (results.size() == static_cast<std::size_t>(options.num_sequences)) break;
      results.push_back(decoder_->generated(sequence));
    }
  }
  return all;
} catch (...) {
  throw_as_error();
}

std::vector<Generated> SequenceGenerator::generate(Span<const std::int32_t> prompt,
                                                   const GenerateOptions& options) const try {
  const std::vector<std::vector<std::int32_t>> prompts = {{prompt.begin(), prompt.end()}};
  return std::move(generate_batch(Span<const std::vector<std::int32_t>>(prompts), options).at(0));
} catch (...) {
  throw_as_error();
}

std::vector<Generated> SequenceGenerator::generate_text(std::string_view prompt,
                                                        const GenerateOptions& options) const try {
  const std::vector<std::int32_t> prompt_ids = ids(prompt);
  return generate(Span<const std::int32_t>(prompt_ids), options);
} catch (...) {
  throw_as_error();
}

std::vector<std::vector<Generated>> SequenceGenerator::generate_texts(Span<const std::string> prompts,
                                                                      const GenerateOptions& options) const
    try {
  std::vector<std::vector<std::int32_t>> all;
  for (const std::string& prompt : prompts) {
    all.push_back(
        in_context([&] { return concat("prompt ", all.size()); }, [&] { return decoder_->ids(prompt); }));
  }
  return generate_batch(Span<const std::vector<std::int32_t>>(all), options);
} catch (...) {
  throw_as_error();
}

std::vector<std::int32_t> SequenceGenerator::ids(std::string_view text) const try {
  return decoder_->ids(text);
} catch (...) {
  throw_as_error();
}

std::string SequenceGenerator::text(Span<const std::int32_t> ids) const try {
  return decoder_->text(ids);
} catch (...) {
  throw_as_error();
}

const Vocabulary& SequenceGenerator::vocabulary() const noexcept {
  return decoder_->options.vocabulary;
}

const GeneratorOptions& SequenceGenerator::found() const noexcept {
  return decoder_->options;
}

}  // namespace mxinfer
