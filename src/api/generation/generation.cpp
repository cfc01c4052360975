#include <mxinfer/sequence/generator.h>

#include <map>
#include <utility>

#include "api/generation/generator_decoder.h"
#include "api/generation/generator_options.h"
#include "api/generation/generator_run.h"
#include "base/fail.h"
#include "text/unicode/settled_text.h"

namespace mxinfer {
namespace {

// Copies borrowed data, because the sequence outlives the call that starts it.
std::vector<Tensor> keep_inputs(std::map<std::string, TensorView>& inputs) {
  std::vector<Tensor> kept;
  for (auto& [name, view] : inputs) {
    kept.push_back(Tensor::copy_of(view));
    view = kept.back().view();
  }
  return kept;
}

const auto* const kNoPiece = new std::string;
const auto* const kNothing = new Generated;

}  // namespace

struct __attribute__((visibility("hidden"))) Generation::State {
  State(const SequenceGenerator& g, std::vector<std::int32_t> p, const GenerateOptions& o)
      : generator(g), prompt(std::move(p)), options(o), kept(keep_inputs(options.inputs)) {}

  const SequenceGenerator::Decoder& decoder() const { return *generator.decoder_; }
  bool has_new_token();
  void note_text();

  SequenceGenerator generator;
  std::vector<std::int32_t> prompt;
  GenerateOptions options;
  std::vector<Tensor> kept;
  std::unique_ptr<api::GeneratorRun> run{};
  bool has_ended = false;
  std::size_t given = 0;  ///< tokens
  std::string shown{};    ///< the text of the pieces
  Generated result{};
  std::string piece{};
};

// Runs until there is a token or the sequence has ended. The last token comes together with the end.
bool Generation::State::has_new_token() {
  if (!run) {
    run = std::make_unique<api::GeneratorRun>(generator, decoder().graph, decoder().options,
                                              std::vector<std::vector<std::int32_t>>{prompt}, options);
  }
  while (!has_ended && result.ids.size() == given) {
    has_ended = !run->step();
    result = decoder().generated(run->search(0).results().at(0));
  }
  return result.ids.size() > given;
}

// If later tokens change the text, output continues once it agrees with what was shown. Incomplete characters
// are held back, because the next token probably changes them.
void Generation::State::note_text() {
  piece.clear();
  const std::string_view text = has_ended ? std::string_view(result.text) : text::settled_text(result.text);
  if (!text.starts_with(shown)) return;
  piece = text.substr(shown.size());
  shown = text;
}

Generation::Generation(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
Generation::Generation(Generation&&) noexcept = default;
Generation& Generation::operator=(Generation&&) noexcept = default;
Generation::~Generation() = default;

// A moved-from Generation has ended.
std::optional<std::int32_t> Generation::next() try {
  if (!state_) return std::nullopt;
  State& state = *state_;
  if (!state.has_new_token()) {
    state.note_text();
    return std::nullopt;
  }
  state.note_text();
  return state.result.ids[state.given++];
} catch (...) {
  state_->piece.clear();
  state_->has_ended = true;
  state_->given = state_->result.ids.size();
  throw_as_error();
}

const std::string& Generation::piece() const noexcept {
  return state_ ? state_->piece : *kNoPiece;
}

const Generated& Generation::result() const noexcept {
  return state_ ? state_->result : *kNothing;
}

Generation SequenceGenerator::start(Span<const std::int32_t> prompt, const GenerateOptions& options) const
    try {
  api::check_generate_options(options);
  if (options.search == Search::beam || options.num_sequences != 1) {
    fail(ErrorCode::invalid_argument,
         "only a greedy search or a single sample gives a sequence token by token; GenerateOptions ask for ",
         options.search == Search::beam ? "a beam search, which knows its best sequence only at the end"
                                        : "several samples",
         ". Call generate() instead");
  }
  return Generation(std::make_unique<Generation::State>(*this, decoder_->prompt(prompt), options));
} catch (...) {
  throw_as_error();
}

Generation SequenceGenerator::start_text(std::string_view prompt, const GenerateOptions& options) const try {
  const std::vector<std::int32_t> prompt_ids = ids(prompt);
  return start(Span<const std::int32_t>(prompt_ids), options);
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
