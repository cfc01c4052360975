#include "fuzz/fuzz_targets.h"

#include <mxinfer/predictor.h>
#include <mxinfer/sequence/tokenizer.h>
#include <mxinfer/sequence/word_vectors.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/fail.h"
#include "base/utf8.h"
#include "formats/arrays/params.h"
#include "formats/files/archived_model.h"
#include "formats/json/sample_json.h"
#include "formats/json/signature_json.h"
#include "formats/json/symbol_json.h"
#include "fuzz/random_model.h"
#include "sources/source.h"

namespace mxinfer::test {
namespace {

// What must not happen, made visible to fuzzer and test alike.
[[noreturn]] void give_up(const char* what, const Error& error) {
  std::fprintf(stderr, "%s: %s\n", what, error.what());
  std::abort();
}

void check_code(const Error& error) {
  // A file can be wrong in no way that is our defect, nor may it make us ask for more memory than there is.
  if (error.code() == ErrorCode::internal || error.code() == ErrorCode::out_of_memory)
    give_up("wrong kind", error);
}

}  // namespace

void fuzz_params(Span<const std::uint8_t> bytes) {
  formats::ParamsLimits limits;
  limits.unpacked_bytes = 16 << 20;
  const Span<const std::byte> data(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size());
  try {
    formats::read_params(*sources::from_memory(data, "fuzz.params"), limits);
  } catch (const Error& error) {
    check_code(error);
  }
}

void fuzz_archive(Span<const std::uint8_t> bytes) {
  formats::ArchiveLimits limits;
  limits.free_bytes = limits.bytes = 4 << 20;
  const Span<const std::byte> data(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size());
  for (const bool in_place : {false, true}) {
    try {
      formats::read_archived_model(*sources::from_memory(data, "fuzz.zip"), {{}, {}, in_place}, limits);
    } catch (const Error& error) {
      check_code(error);
    }
  }
}

namespace {

void check_written_again(const Vocabulary& vocabulary) {
  std::string written;
  try {
    written = vocabulary.to_json();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::invalid_argument) give_up("not written", error);
    return;  // ids with large gaps
  }
  const std::string again = Vocabulary::parse(written).to_json();
  if (again != written) give_up("written differently the second time", Error(ErrorCode::internal, written));
}

void search(const WordVectors& vectors) {
  NearestOptions options;
  options.include_given = true;
  for (std::size_t id = 0; id < std::min<std::size_t>(4, vectors.vocabulary().size()); ++id) {
    const std::string& word = vectors.vocabulary().word(static_cast<std::int32_t>(id));
    if (word.empty()) continue;
    (void)vectors.nearest(word, 3, options);
    (void)vectors.analogy(word, word, word, 2);
    (void)vectors.similarity(word, word);
  }
}

}  // namespace

void fuzz_vocabulary(Span<const std::uint8_t> bytes) {
  for (const VocabularyFormat format : {VocabularyFormat::automatic, VocabularyFormat::gluonnlp_json,
                                        VocabularyFormat::word_index, VocabularyFormat::words}) {
    VocabularyOptions options;
    options.format = format;
    try {
      check_written_again(Vocabulary::parse(bytes, options));
    } catch (const Error& error) {
      check_code(error);
    }
  }
}

void fuzz_word_vectors(Span<const std::uint8_t> bytes) {
  for (const bool with_vocabulary : {false, true}) {
    WordVectorsOptions options;
    options.threads = 1;
    if (with_vocabulary) options.vocabulary = Vocabulary({"a", "b"});
    try {
      search(WordVectors::parse(bytes, options));
    } catch (const Error& error) {
      check_code(error);
    }
  }
}

void fuzz_symbol(Span<const std::uint8_t> bytes) {
  std::string written;
  try {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    written = formats::write_symbol(formats::parse_symbol(text).graph);
  } catch (const Error& error) {
    check_code(error);
    return;
  }
  try {
    if (formats::write_symbol(formats::parse_symbol(written).graph) != written) {
      give_up("written differently the second time", Error(ErrorCode::internal, written));
    }
  } catch (const Error& error) {
    give_up("what was written is not read", error);
  }
}

void fuzz_signature(Span<const std::uint8_t> bytes) {
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  graph::Graph graph;
  graph.unknown_keys["inputs"] = text;
  graph.attrs[formats::kSampleAttribute] = {
      "str", nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)};
  try {
    formats::read_sample(graph);
  } catch (const Error& error) {
    check_code(error);
  }
  try {
    formats::read_signature(graph);
  } catch (const Error& error) {
    check_code(error);
  }
  std::string written;
  try {
    written = formats::signature_text(formats::parse_signature(text));
  } catch (const Error& error) {
    check_code(error);
    return;
  }
  try {
    if (formats::signature_text(formats::parse_signature(written)) != written) {
      give_up("written differently the second time", Error(ErrorCode::internal, written));
    }
  } catch (const Error& error) {
    give_up("what was written is not read", error);
  }
}

namespace {

const Vocabulary& fuzz_words() {
  static const auto& words = []() -> const Vocabulary& {
    VocabularyOptions options;
    options.unknown = "[UNK]";
    return *new Vocabulary({"[UNK]", "a", "##a", "ab", "##ab", "#", "\u00e9", "##\u4e2d", ".", "i\u0307"},
                           options);
  }();
  return words;
}

// Whatever the text, its ids are known, and there are as many as tokens.
void check_tokens(const Tokenizer& tokenizer, std::string_view text) {
  const std::vector<std::int32_t> ids = tokenizer.ids(text);
  if (ids.size() != tokenizer.tokens(text).size())
    give_up("tokens without ids", Error(ErrorCode::internal, ""));
  (void)tokenizer.text(ids);
}

}  // namespace

void fuzz_text(Span<const std::uint8_t> bytes) {
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  WordPieceOptions plain;
  plain.basic = false;
  try {
    for (const Tokenizer& tokenizer :
         {Tokenizer::whitespace(fuzz_words(), true), Tokenizer::basic(fuzz_words()),
          Tokenizer::wordpiece(fuzz_words()), Tokenizer::wordpiece(fuzz_words(), plain),
          Tokenizer::characters(fuzz_words())}) {
      check_tokens(tokenizer, text);
    }
    std::string joined;
    for (const std::string& character : Tokenizer::characters().tokens(text)) joined += character;
    if (joined != text) give_up("other characters", Error(ErrorCode::internal, joined));
  } catch (const Error& error) {
    if (is_utf8(text)) give_up("refused", error);
    check_code(error);
  }
}

void fuzz_sentencepiece(Span<const std::uint8_t> bytes) {
  try {
    const Tokenizer tokenizer = Tokenizer::sentencepiece(ByteSpan(bytes.data(), bytes.size()));
    check_tokens(tokenizer, std::string_view("hello AWorld\0 zzz\u00e9\n", 20));
    check_tokens(tokenizer, tokenizer.vocabulary().word(0));
  } catch (const Error& error) {
    check_code(error);
  }
}

namespace {

Model load(const RandomModel& made) {
  LoadOptions options;
  options.random_transforms = RandomTransforms::execute;
  const Span<const char> symbol(made.symbol.data(), made.symbol.size());
  const Span<const std::uint8_t> params(reinterpret_cast<const std::uint8_t*>(made.params.data()),
                                        made.params.size());
  if (made.transforms.empty()) return Model::load_memory(symbol, params, options);
  return ModelBuilder::from_memory(symbol, params).transforms(made.transforms).build(options);
}

Options options_of(ByteChoices& choices) {
  Options options;
  options.threads = choices.one_in(16) ? 2 : 1;
  if (choices.one_in(4)) options.target = Target::reference;
  if (choices.one_in(10)) options.precision = Precision::bfloat16;
  return options;
}

// By name, what the model takes; what is not among `given` is zeros of a small size.
std::map<std::string, Tensor> inputs_of(const Model& model, std::map<std::string, Tensor> given) {
  std::map<std::string, Tensor> inputs;
  for (const DataDesc& desc : model.signature().inputs) {
    const auto found = given.find(desc.name);
    if (found != given.end() && model.signature().inputs.size() == given.size()) {
      inputs.emplace(desc.name, std::move(found->second));
      continue;
    }
    Shape shape = desc.shape;
    for (std::size_t d = 0; d < shape.rank(); ++d) {
      if (shape[d] < 0) shape[d] = d == 0 ? 1 : 6;
    }
    inputs.emplace(desc.name, Tensor(desc.dtype, shape));
  }
  return inputs;
}

// Whether running it takes little time and memory: what it is asked to do is not the point.
bool is_small(const Predictor& predictor, const std::map<std::string, Tensor>& inputs) {
  std::vector<NamedShape> shapes;
  for (const auto& [name, tensor] : inputs) shapes.emplace_back(name, tensor.shape());
  const PlanInfo plan = predictor.explain(shapes);
  constexpr std::size_t kBytes = 16 << 20;
  double flops = 0;
  for (const StepInfo& step : plan.steps) flops += step.flops;
  if (flops > 1e8 || plan.arena_bytes > kBytes || plan.intermediate_bytes > kBytes) return false;
  for (const DataDesc& output : predictor.output_shapes(shapes)) {
    if (static_cast<std::size_t>(output.shape.elements()) > kBytes) return false;
  }
  return true;
}

}  // namespace

void fuzz_model(Span<const std::uint8_t> bytes) {
  ByteChoices choices(bytes);
  const Options options = options_of(choices);
  RandomModel made = random_model(choices);
  if (std::getenv("MXINFER_FUZZ_PRINT") != nullptr) std::fprintf(stderr, "%s\n", made.symbol.c_str());
  try {
    const auto model = load(made);
    const Predictor predictor(model, options);
    const std::map<std::string, Tensor> inputs = inputs_of(model, std::move(made.inputs));
    std::map<std::string, TensorView> views;
    for (const auto& [name, tensor] : inputs) views.emplace(name, tensor.view());
    if (is_small(predictor, inputs)) (void)predictor.predict(views);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::internal) return;
    give_up("a defect", Error(error.code(), concat(error.what(), "\n", made.symbol)));
  } catch (const std::exception& other) {
    give_up("no Error", Error(ErrorCode::internal, concat(other.what(), "\n", made.symbol)));
  }
}

}  // namespace mxinfer::test
