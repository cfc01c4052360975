// TextList: the texts that a command was given, one after another: words of the command line, then the lines
// of a file or of standard input, whose writer may still be at work.
//
//   TextList list({"Guten Tag", "-"}, "texts.txt", false, opener);       // "-": standard input
//   for (auto batch = list.next(256); !batch.empty(); batch = list.next(256)) ...
#pragma once

#include <mxinfer/error.h>

#include <cstddef>
#include <deque>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "cli/inputs/line_reader.h"
#include "sources/opener.h"

namespace mxinfer::cli {

struct ListedText {
  std::string first;
  std::optional<std::string> second{};  ///< of pairs
  std::string place{};                  ///< "text 2", "line 7 of 'texts.txt'", for errors
  std::optional<Error> problem{};       ///< why it is no pair, or cannot be classified
};

class TextList {
 public:
  /// With `pairs` the words of the command line are taken two by two, and a line is two texts with a tab
  /// between them. `file` is that of --file, or its address; empty if there is none. The opener outlives the
  /// list. UsageError for a pair without its second word.
  TextList(const std::vector<std::string>& given, const std::string& file, bool pairs,
           const sources::Opener& opener);

  /// How many there are, if no file is among them.
  std::optional<std::size_t> size() const;
  /// Up to `most` texts; fewer if one would have to wait for more. None at the end. Errors of LineReader,
  /// behind the texts that were read before.
  std::vector<ListedText> next(std::size_t most);

 private:
  struct Source {
    std::string option;
    std::string place;
  };

  /// The next line, or nothing if there is none, or none yet and there are others.
  std::optional<ListedText> read(bool may_wait);
  /// Of the line that the reader gave last.
  ListedText from_line(std::string line) const;

  bool pairs_;
  const sources::Opener& opener_;
  std::deque<ListedText> texts_;
  std::deque<Source> sources_;
  std::optional<LineReader> reader_;  ///< of the first of sources_
  std::exception_ptr failure_;        ///< of that reader, for the next call
};

}  // namespace mxinfer::cli
