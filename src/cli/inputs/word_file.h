// The file of `mxinfer words`: a vocabulary or word vectors.
//
//   const WordFile file = read_word_file(options, false);
//   if (file.vectors) ...
#pragma once

#include <mxinfer/sequence/word_vectors.h>

#include <optional>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace mxinfer::cli {

struct WordFileOptions {
  std::string file;
  std::string format;  ///< empty: detected from the file's contents
  std::string vocabulary;
  std::string array;
  std::string unknown;
  int threads = 0;
};

/// --format, --vocabulary, --array, --unknown, --threads.
void add_word_file_options(CLI::App& command, WordFileOptions& options);

struct WordFile {
  Vocabulary vocabulary;
  std::optional<WordVectors> vectors;
};

/// With `vectors`, reads word vectors without detecting the kind of the file.
WordFile read_word_file(const WordFileOptions& options, bool vectors);

/// Whether a file with this beginning holds vectors: binary data, or lines that end in numbers.
bool has_vectors(std::string_view beginning);

}  // namespace mxinfer::cli
