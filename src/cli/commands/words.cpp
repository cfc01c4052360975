// mxinfer words: looks up ids, words, neighbours and analogies in vocabularies and word vectors.
#include <mxinfer/sequence/word_vectors.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands/commands.h"
#include "cli/inputs/word_file.h"
#include "cli/options/options.h"
#include "cli/options/value_checks.h"
#include "cli/output/command_words.h"
#include "cli/output/output.h"

namespace mxinfer::cli {
namespace {

struct WordsOptions : WordFileOptions {
  std::vector<std::string> words;
  std::vector<std::int32_t> ids;
  std::string nearest;
  std::vector<std::string> analogy;
  std::vector<std::string> similarity;
  int top_k = 10;
  std::optional<float> min_score;
  std::size_t first = 0;
  bool json = false;
};

bool asks_for_vectors(const WordsOptions& options) {
  return !options.nearest.empty() || !options.analogy.empty() || !options.similarity.empty();
}

void check(const WordsOptions& options) {
  const int questions = static_cast<int>(!options.nearest.empty()) +
                        static_cast<int>(!options.analogy.empty()) +
                        static_cast<int>(!options.similarity.empty());
  if (questions > 1)
    throw UsageError("--nearest, --analogy and --similarity cannot be used together: pass only one of them");
  if (questions == 1 && !(options.words.empty() && options.ids.empty())) {
    throw UsageError(
        "WORD and --id cannot be used together with --nearest, --analogy or --similarity: run the command "
        "once for each");
  }
}

// Questions to the vectors.

NearestOptions nearest_options(const WordsOptions& options) {
  NearestOptions nearest;
  nearest.min_score = options.min_score;
  nearest.first = options.first;
  return nearest;
}

std::vector<NearWord> answers(const WordVectors& vectors, const WordsOptions& options) {
  const NearestOptions nearest = nearest_options(options);
  if (!options.nearest.empty()) return vectors.nearest(options.nearest, options.top_k, nearest);
  const std::vector<std::string>& abc = options.analogy;
  return vectors.analogy(abc[0], abc[1], abc[2], options.top_k, nearest);
}

void print_answers(const std::vector<NearWord>& words, const WordsOptions& options) {
  if (options.json) {
    Json list = Json::array();
    for (const auto& [word, score, id] : words)
      list.push_back({{"word", word}, {"score", score}, {"id", id}});
    return print_json({{"words", list}});
  }
  Table table;
  for (const auto& [word, score, id] : words) table.add({fixed(score, 4), clean(word)});
  table.print(std::cout);
}

int run_question(const WordVectors& vectors, const WordsOptions& options) {
  if (options.similarity.empty()) {
    print_answers(answers(vectors, options), options);
    return 0;
  }
  const float cosine = vectors.similarity(options.similarity[0], options.similarity[1]);
  if (options.json) {
    print_json({{"cosine", cosine}});
  } else {
    std::cout << fixed(cosine, 4) << '\n';
  }
  return 0;
}

// Words and ids to look up.

/// A word and its id; or neither, and why.
struct LookedUp {
  Json asked;        ///< a word or an id
  std::string word;  ///< the word of `id`: the unknown token for words that are not in the file
  std::optional<std::int32_t> id;
  std::string problem;
};

LookedUp find_word(const Vocabulary& vocabulary, const std::string& word) {
  try {
    const std::int32_t id = vocabulary.id(word);
    return {word, vocabulary.word(id), id, ""};
  } catch (const Error& e) {
    return {word, "", std::nullopt, e.what()};
  }
}

LookedUp find_id(const Vocabulary& vocabulary, std::int32_t id) {
  try {
    return {id, vocabulary.word(id), id, ""};
  } catch (const Error& e) {
    return {id, "", std::nullopt, e.what()};
  }
}

std::vector<LookedUp> look_up(const Vocabulary& vocabulary, const WordsOptions& options) {
  std::vector<LookedUp> all;
  for (const std::string& word : options.words) all.push_back(find_word(vocabulary, word));
  for (const std::int32_t id : options.ids) all.push_back(find_id(vocabulary, id));
  return all;
}

Json found_json(const WordFile& file, const std::vector<LookedUp>& all) {
  Json list = Json::array();
  for (const LookedUp& found : all) {
    Json entry = {{"asked", found.asked}};
    if (found.id) {
      entry["word"] = found.word;
      entry["id"] = *found.id;
      if (file.vectors) {
        const Span<const float> vector = file.vectors->vector(*found.id);
        entry["vector"] = std::vector<float>(vector.begin(), vector.end());
      }
    } else {
      entry["error"] = found.problem;
    }
    list.push_back(entry);
  }
  return {{"words", list}};
}

/// The first numbers of the vector.
std::string first_numbers(const WordFile& file, std::int32_t id) {
  if (!file.vectors) return "";
  constexpr std::size_t kShown = 4;
  const Span<const float> vector = file.vectors->vector(id);
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, vector.size()); ++i)
    text += (i == 0 ? "" : " ") + fixed(vector[i], 4);
  return text + (vector.size() > kShown ? " ..." : "");
}

/// "<unk>", or "<unk> for night".
std::string shown_word(const LookedUp& found) {
  const bool other = found.asked.is_string() && found.asked != found.word;
  return clean(found.word) + (other ? " for " + clean(found.asked.get<std::string>()) : "");
}

void print_found(const WordFile& file, const std::vector<LookedUp>& all) {
  Table table;
  for (const LookedUp& found : all) {
    if (!found.id) continue;
    std::vector<std::string> row = {std::to_string(*found.id), shown_word(found)};
    if (file.vectors) row.push_back(first_numbers(file, *found.id));
    table.add(std::move(row));
  }
  table.print(std::cout);
}

int run_look_up(const WordFile& file, const WordsOptions& options) {
  const std::vector<LookedUp> all = look_up(file.vocabulary, options);
  if (options.json) {
    print_json(found_json(file, all));
  } else {
    print_found(file, all);
  }
  int code = 0;
  for (const LookedUp& found : all) {
    if (found.id) continue;
    std::cerr << "mxinfer: " << in_command_words(found.problem) << '\n';
    code = 1;
  }
  return code;
}

// A summary of the file.

struct Special {
  const char* name;
  std::optional<std::int32_t> id;
};

std::vector<Special> specials_of(const Vocabulary& vocabulary) {
  return {{"unknown", vocabulary.unknown_id()},
          {"padding", vocabulary.padding_id()},
          {"begin", vocabulary.begin_id()},
          {"end", vocabulary.end_id()}};
}

void print_file_json(const WordFile& file) {
  Json report = {{"size", file.vocabulary.size()}};
  if (file.vectors) report["dimensions"] = file.vectors->dimensions();
  for (const auto& [name, id] : specials_of(file.vocabulary)) {
    if (id) report[name] = {{"word", file.vocabulary.word(*id)}, {"id", *id}};
  }
  print_json(report);
}

int print_file(const WordFile& file, bool json) {
  if (json) {
    print_file_json(file);
    return 0;
  }
  Table table;
  table.add({"words", with_commas(static_cast<std::int64_t>(file.vocabulary.size()))});
  if (file.vectors) table.add({"dimensions", std::to_string(file.vectors->dimensions())});
  for (const auto& [name, id] : specials_of(file.vocabulary)) {
    if (id) table.add({name, clean(file.vocabulary.word(*id)) + ", id " + std::to_string(*id)});
  }
  table.print(std::cout);
  return 0;
}

int run_words(const WordsOptions& options) {
  check(options);
  const WordFile file = read_word_file(options, asks_for_vectors(options));
  if (asks_for_vectors(options)) return run_question(*file.vectors, options);
  if (options.words.empty() && options.ids.empty()) return print_file(file, options.json);
  return run_look_up(file, options);
}

void add_question_options(CLI::App& command, WordsOptions& options) {
  command.add_option("--nearest", options.nearest, "Print the words with the nearest vectors, best first")
      ->type_name("WORD");
  command
      .add_option("--analogy", options.analogy,
                  "Print the words that are to C as B is to A, best first, as in --analogy man king woman")
      ->expected(3)
      ->type_name("A B C");
  command.add_option("--similarity", options.similarity, "Print the cosine similarity of two words, -1 to 1")
      ->expected(2)
      ->type_name("A B");
  whole_number(command.add_option("-k,--top-k", options.top_k, "Number of words to print (default 10)"), 1)
      ->type_name("N");
  number(command.add_option("--min-score", options.min_score, "Omit words with a lower cosine similarity"),
         -1, 1)
      ->type_name("X");
  whole_number(command.add_option("--first", options.first,
                                  "Search only the first N words, in most files the most frequent ones"),
               1)
      ->type_name("N");
}

}  // namespace

void add_words(CLI::App& app, Run& run) {
  auto options = std::make_shared<WordsOptions>();
  CLI::App* command = app.add_subcommand("words", "Look up words in vocabularies and word vectors");
  command
      ->add_option(
          "FILE", options->file,
          "Vocabulary (GluonNLP JSON, lines \"word id\", or one word per line) or word vectors (text of "
          "GloVe, word2vec or fastText; word2vec binary; GluonNLP .npz; .npy; .params)")
      ->required();
  command->add_option("WORD", options->words, "Words to look up (default: print a summary of FILE)");
  whole_number(command->add_option("--id", options->ids, "Print the word with this id; may be repeated"), 0)
      ->allow_extra_args(false)
      ->type_name("N");
  add_question_options(*command, *options);
  add_word_file_options(*command, *options);
  add_general_options(*command, options->json);
  command->footer(
      "A word that is not in FILE gets the id of the unknown token. If there is no unknown token, the "
      "command reports the word, prints the others, and exits with 1.\n\n"
      "Examples:\n"
      "  mxinfer words examples/words/vocab.json king night\n"
      "  mxinfer words examples/words/vectors.txt --id 5\n"
      "  mxinfer words examples/words/vectors.txt --nearest king -k 3\n"
      "  mxinfer words examples/words/vectors.txt --analogy man king woman -k 1\n"
      "  mxinfer words examples/words/vectors.txt --similarity cat dog --json");
  command->callback([&run, options] { run = [options] { return run_words(*options); }; });
}

}  // namespace mxinfer::cli
