// Generates a sentence word by word, and then samples three more:
//
//   example_generate models/sentences models/sentences/vocab.json "the cat"
#include <mxinfer/mxinfer.h>

#include <exception>
#include <iostream>

namespace {

void write_words(const mxinfer::SequenceGenerator& generator, const std::string& prompt) {
  mxinfer::Generation generation = generator.start_text(prompt);
  std::cout << prompt << ": ";
  while (generation.next()) std::cout << generation.piece() << std::flush;
  std::cout << '\n';
}

void write_samples(const mxinfer::SequenceGenerator& generator, const std::string& prompt) {
  mxinfer::GenerateOptions options;
  options.search = mxinfer::Search::sample;
  options.num_sequences = 3;
  options.top_k = 5;
  options.seed = 7;
  for (const mxinfer::Generated& sample : generator.generate_text(prompt, options))
    std::cout << sample.score << "  " << sample.text << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: example_generate MODEL VOCABULARY PROMPT\n";
    return 2;
  }
  try {
    mxinfer::GeneratorOptions options;
    options.vocabulary = mxinfer::Vocabulary::load(argv[2]);
    const mxinfer::SequenceGenerator generator(argv[1], options);
    write_words(generator, argv[3]);
    write_samples(generator, argv[3]);
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
