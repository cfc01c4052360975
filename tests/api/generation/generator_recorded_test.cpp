// Beams against those that GluonNLP's BeamSearchSampler found: tests/golden/generation.
#include <gtest/gtest.h>
#include <mxinfer/sequence/generator.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

namespace mxinfer {
namespace {

using Json = nlohmann::json;
using Ids = std::vector<std::int32_t>;

const std::string kGeneration = std::string(MXINFER_SOURCE_DIR) + "/tests/golden/generation/";

Json recorded_cases() {
  std::ifstream file(kGeneration + "cases.json");
  return Json::parse(file);
}

GeneratorOptions options_of(const Json& c) {
  GeneratorOptions options;
  options.end_id = c.at("eos").get<int>();
  if (c.at("model") == "transformer") options.states = {{"embeddings", "concat0_output"}};
  return options;
}

Tensor float_tensor(const std::vector<double>& values, const Shape& shape) {
  Tensor tensor(DType::float32, shape);
  std::transform(values.begin(), values.end(), tensor.data<float>(),
                 [](double value) { return static_cast<float>(value); });
  return tensor;
}

std::vector<double> flat(const Json& array) {
  if (array.is_number()) return {array.get<double>()};
  std::vector<double> values;
  for (const Json& part : array) {
    const std::vector<double> inner = flat(part);
    values.insert(values.end(), inner.begin(), inner.end());
  }
  return values;
}

// What the transformer takes beside tokens, for the prompts [first, first + count).
std::map<std::string, Tensor> inputs_of(const Json& c, std::size_t first, std::size_t count) {
  std::map<std::string, Tensor> inputs;
  if (!c.contains("inputs")) return inputs;
  const auto rows = static_cast<std::int64_t>(count);
  const auto part = [&](const char* name) {
    const Json& all = c.at("inputs").at(name);
    return flat(Json(std::vector<Json>(all.begin() + static_cast<std::ptrdiff_t>(first),
                                       all.begin() + static_cast<std::ptrdiff_t>(first + count))));
  };
  inputs.emplace("memory", float_tensor(part("memory"), {rows, 5, 8}));
  inputs.emplace("memory_mask", float_tensor(part("memory_mask"), {rows, 5}));
  inputs.emplace("embeddings", Tensor(DType::float32, {rows, 1, 8}));
  return inputs;
}

// As the sampler writes it: what began, the tokens, the end token even where the length ended it.
Ids sample_of(std::int32_t begin, std::int32_t end, const Generated& generated) {
  Ids sample = {begin};
  sample.insert(sample.end(), generated.ids.begin(), generated.ids.end());
  sample.push_back(end);
  return sample;
}

void expect_recorded(const std::vector<Generated>& results, const Json& c, std::size_t prompt) {
  const Json& samples = c.at("samples").at(prompt);
  ASSERT_EQ(results.size(), samples.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    SCOPED_TRACE(testing::Message() << "prompt " << prompt << ", beam " << i);
    Ids expected = samples.at(i).get<Ids>();
    expected.resize(c.at("lengths").at(prompt).at(i).get<std::size_t>());
    const auto begin = c.at("begin").at(prompt).get<std::int32_t>();
    EXPECT_EQ(sample_of(begin, c.at("eos").get<int>(), results[i]), expected);
    EXPECT_NEAR(results[i].score, c.at("scores").at(prompt).at(i).get<double>(), 1e-4);
  }
}

GenerateOptions search_of(const Json& c) {
  GenerateOptions options;
  options.search = Search::beam;
  options.beam = options.num_sequences = c.at("beam").get<int>();
  options.alpha = c.at("alpha").get<float>();
  options.length_k = c.at("K").get<float>();
  options.max_length = c.at("max_length").get<int>();
  return options;
}

std::vector<Ids> prompts_of(const Json& c) {
  std::vector<Ids> prompts;
  for (const Json& begin : c.at("begin")) prompts.push_back({begin.get<std::int32_t>()});
  return prompts;
}

class Recorded : public testing::TestWithParam<std::size_t> {};

TEST_P(Recorded, BeamsAreThoseOfGluonNlp) {
  const Json c = recorded_cases().at(GetParam());
  SCOPED_TRACE(c.dump().substr(0, 200));
  const SequenceGenerator generator(kGeneration + c.at("model").get<std::string>(), options_of(c));
  const std::vector<Ids> prompts = prompts_of(c);
  GenerateOptions options = search_of(c);
  const auto inputs = inputs_of(c, 0, prompts.size());
  for (const auto& [name, tensor] : inputs) options.inputs.emplace(name, tensor.view());
  const auto all = generator.generate_batch(Span<const Ids>(prompts), options);
  for (std::size_t p = 0; p < prompts.size(); ++p) expect_recorded(all[p], c, p);
}

TEST_P(Recorded, AreTheSameOneByOne) {
  const Json c = recorded_cases().at(GetParam());
  SCOPED_TRACE(c.dump().substr(0, 200));
  const SequenceGenerator generator(kGeneration + c.at("model").get<std::string>(), options_of(c));
  const std::vector<Ids> prompts = prompts_of(c);
  for (std::size_t p = 0; p < prompts.size(); ++p) {
    GenerateOptions options = search_of(c);
    const auto inputs = inputs_of(c, p, 1);
    for (const auto& [name, tensor] : inputs) options.inputs.emplace(name, tensor.view());
    expect_recorded(generator.generate(Span<const std::int32_t>(prompts[p]), options), c, p);
    if (options.beam > 1) continue;
    options.search = Search::greedy;
    expect_recorded(generator.generate(Span<const std::int32_t>(prompts[p]), options), c, p);
  }
}

std::vector<std::size_t> numbers() {
  std::vector<std::size_t> all(recorded_cases().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Generation, Recorded, testing::ValuesIn(numbers()));

// What was recorded tries what it is to try.
TEST(RecordedGeneration, HasSentencesThatEndEarlyLateAndNotAtAll) {
  std::size_t early = 0, late = 0, cut = 0;
  for (const Json& c : recorded_cases()) {
    for (const Json& beams : c.at("lengths")) {
      for (const Json& length : beams) {
        const int tokens = length.get<int>() - 1;
        early += tokens <= 3 ? 1 : 0;
        late += tokens > 5 ? 1 : 0;
        cut += tokens > c.at("max_length").get<int>() ? 1 : 0;
      }
    }
  }
  EXPECT_GT(early, 20u);
  EXPECT_GT(late, 20u);
  EXPECT_GT(cut, 20u);
}

}  // namespace
}  // namespace mxinfer
