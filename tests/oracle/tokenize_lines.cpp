// Cuts texts into tokens, for tokenizers.py: tokenize_lines REQUEST.json ANSWER.json, with a request
// {"tokenizer": "wordpiece", "lower": true, "vocabulary": PATH, "model": PATH, "texts": [...]} and an answer
// {"tokens": [[...], ...], "ids": [[...], ...]}, whose ids are empty where there is no vocabulary.
#include <mxinfer/sequence/tokenizer.h>

#include <cstdint>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace {

using mxinfer::Tokenizer;
using mxinfer::Vocabulary;
using nlohmann::json;

Tokenizer tokenizer_of(const json& request, const Vocabulary& vocabulary) {
  const std::string kind = request.at("tokenizer");
  const bool lower = request.value("lower", false);
  if (kind == "whitespace") return Tokenizer::whitespace(vocabulary, lower);
  if (kind == "characters") return Tokenizer::characters(vocabulary, lower);
  if (kind == "basic") {
    mxinfer::BasicOptions options;
    options.lower = lower;
    return Tokenizer::basic(vocabulary, options);
  }
  if (kind == "wordpiece") {
    mxinfer::WordPieceOptions options;
    options.lower = lower;
    return Tokenizer::wordpiece(vocabulary, options);
  }
  return Tokenizer::sentencepiece(request.at("model").get<std::string>());
}

// What a tokenizer is given of a text: all of it, or as BERTSPTokenizer does, one word of the basic tokenizer
// after another.
std::vector<std::string> parts_of(const json& request, const std::string& text) {
  if (request.at("tokenizer") != "basic_sentencepiece") return {text};
  mxinfer::BasicOptions options;
  options.lower = request.value("lower", false);
  return Tokenizer::basic({}, options).tokens(text);
}

json answer_to(const json& request) {
  const std::string path = request.value("vocabulary", "");
  const Tokenizer tokenizer = tokenizer_of(request, path.empty() ? Vocabulary() : Vocabulary::load(path));
  json answer = {{"tokens", json::array()}, {"ids", json::array()}};
  for (const json& text : request.at("texts")) {
    std::vector<std::string> tokens;
    std::vector<std::int32_t> ids;
    for (const std::string& part : parts_of(request, text)) {
      for (std::string& token : tokenizer.tokens(part)) tokens.push_back(std::move(token));
      if (tokenizer.vocabulary().empty()) continue;
      for (const std::int32_t id : tokenizer.ids(part)) ids.push_back(id);
    }
    answer["tokens"].push_back(tokens);
    answer["ids"].push_back(ids);
  }
  return answer;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: tokenize_lines REQUEST.json ANSWER.json\n";
    return 2;
  }
  try {
    std::ifstream request(argv[1]);
    std::ofstream(argv[2]) << answer_to(json::parse(request)).dump();
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
