// The bundled language identifier, from texts to labels, on sentences that its training never saw: what MXNet
// says of them, and which language they are in. models/language_id/record.py recorded both.
#include <gtest/gtest.h>
#include <mxinfer/sequence/text_classifier.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "formats/arrays/npz.h"

namespace mxinfer {
namespace {

const std::string kLanguageId = MXINFER_SOURCE_DIR "/models/language_id";

struct Sentences {
  std::vector<std::string> languages;
  std::vector<std::string> texts;
};

/// Lines "language, source, sentence", with tabs between.
Sentences read_sentences(const std::string& name) {
  std::ifstream file(kLanguageId + "/" + name + ".tsv");
  Sentences sentences;
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find('\t'), last = line.rfind('\t');
    sentences.languages.push_back(line.substr(0, first));
    sentences.texts.push_back(line.substr(last + 1));
  }
  return sentences;
}

Tensor recorded_array(const std::string& name) {
  for (auto& array : formats::load_npz(kLanguageId + "/mxnet.npz")) {
    if (array.name == name) return std::move(array.tensor);
  }
  throw std::runtime_error("mxnet.npz has no array " + name);
}

std::vector<Classification> best_of_each(const std::vector<std::string>& texts) {
  const TextClassifier classifier(kLanguageId);
  std::vector<Classification> best;
  for (const auto& classes : classifier.classify_texts(Span<const std::string>(texts), 1))
    best.push_back(classes.at(0));
  return best;
}

double accuracy(const std::string& name) {
  const Sentences sentences = read_sentences(name);
  const std::vector<Classification> best = best_of_each(sentences.texts);
  std::size_t right = 0;
  for (std::size_t i = 0; i < best.size(); ++i) right += best[i].label == sentences.languages[i] ? 1 : 0;
  std::cout << right << " of " << best.size() << " sentences of " << name << ".tsv are told right\n";
  return static_cast<double>(right) / static_cast<double>(best.size());
}

TEST(LanguageId, TellsTheLanguageOfADozenSentences) {
  const std::vector<std::pair<std::string, std::string>> sentences = {
      {"German", "Wo ist der Bahnhof, und wann fährt der nächste Zug nach Hamburg?"},
      {"English", "We went down to the river and waited for the boat."},
      {"French", "Il pleut depuis trois jours et je n'ai plus de pain."},
      {"Spanish", "¿Dónde está la biblioteca de la universidad?"},
      {"Italian", "Questa mattina ho dimenticato le chiavi sul tavolo."},
      {"Portuguese", "O meu irmão não gosta de café, mas bebe muito chá."},
      {"Dutch", "Morgen gaan we met de kinderen naar het strand."},
      {"Swedish", "Jag skulle vilja ha en kopp kaffe och en smörgås."},
      {"Finnish", "Huomenna menemme yhdessä metsään poimimaan marjoja."},
      {"Polish", "Wczoraj wieczorem padał deszcz, więc zostaliśmy w domu."},
      {"Czech", "Včera jsme šli pěšky přes celé město až k řece."},
      {"Hungarian", "Holnap reggel korán kell felkelnem, mert messze van az iskola."},
      {"Turkish", "Yarın sabah erkenden kalkıp köye gideceğiz."},
      {"Russian", "Сегодня утром мы долго ждали автобус на остановке."},
      {"Ukrainian", "Сьогодні вранці ми довго чекали на автобус біля школи."},
      {"Greek", "Το πρωί πίνω πάντα έναν καφέ πριν φύγω από το σπίτι."},
      {"Arabic", "أين تقع محطة القطار من فضلك؟"},
      {"Hebrew", "איפה נמצאת תחנת הרכבת בבקשה?"},
      {"Hindi", "रेलवे स्टेशन यहाँ से कितनी दूर है?"},
      {"Japanese", "駅はどこにありますか。"},
      {"Chinese", "请问火车站在哪里？"},
      {"Korean", "기차역이 어디에 있습니까?"},
      {"Vietnamese", "Xin hỏi nhà ga ở đâu?"},
  };
  const TextClassifier classifier(kLanguageId);
  for (const auto& [language, text] : sentences) {
    const auto classes = classifier.classify(text, 3);
    ASSERT_EQ(classes.size(), 3u);
    EXPECT_EQ(classes[0].label, language) << text;
    EXPECT_GT(classes[0].score, classes[1].score);
  }
}

TEST(LanguageId, HeldOutSentencesAreToldRight) {
  EXPECT_GE(accuracy("held_out"), 0.97);
}

TEST(LanguageId, SentencesOfOtherSourcesAreToldRight) {
  EXPECT_GE(accuracy("general"), 0.91);
}

TEST(LanguageId, GivesWhatMXNetGives) {
  for (const std::string& name : {std::string("held_out"), std::string("general")}) {
    const std::vector<Classification> best = best_of_each(read_sentences(name).texts);
    const Tensor labels = recorded_array(name + "_label"), scores = recorded_array(name + "_score");
    ASSERT_EQ(static_cast<std::int64_t>(best.size()), labels.elements());
    for (std::size_t i = 0; i < best.size(); ++i) {
      EXPECT_EQ(best[i].index, labels.data<std::int32_t>()[i]) << name << ' ' << i;
      EXPECT_NEAR(best[i].score, scores.data<float>()[i], 1e-4) << name << ' ' << i;
    }
  }
}

// A text beside others is padded to the longest, and its bucket.
TEST(LanguageId, WhatStandsBesideATextChangesNothing) {
  const std::string text = "Wo ist der Bahnhof?";
  std::string longer;
  for (int i = 0; i < 12; ++i) longer += text + " ";
  const TextClassifier classifier(kLanguageId);
  const auto alone = classifier.classify(text, 5);
  const std::vector<std::string> texts = {longer, text};
  const auto beside = classifier.classify_texts(Span<const std::string>(texts), 5).at(1);
  ASSERT_EQ(alone.size(), beside.size());
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_EQ(alone[i].index, beside[i].index);
    EXPECT_NEAR(alone[i].score, beside[i].score, 1e-6);
  }
}

TEST(LanguageId, TakesAtMost500KB) {
  std::uintmax_t bytes = 0;
  for (const char* name : {"model-symbol.json", "model-0000.params", "synset.txt", "vocab.json"}) {
    const std::string file = kLanguageId + "/" + name;
    ASSERT_TRUE(std::filesystem::exists(file)) << file;
    bytes += std::filesystem::file_size(file);
  }
  EXPECT_LE(bytes, 500'000u);
}

}  // namespace
}  // namespace mxinfer
