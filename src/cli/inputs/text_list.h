// TextList: the texts of a command line, one after another: its arguments, then the lines of a file or of
// standard input, which may still be being written.
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
  std::optional<std::string> second{};  ///< only in pairs
  std::string place{};                  ///< "text 2", "line 7 of 'texts.txt'", for errors
  std::optional<Error> problem{};       ///< why it is not a pair, or cannot be classified
};

class TextList {
 public:
  /// With `pairs`, every two arguments are a pair, and a line is two texts separated by a tab. `file` is the
  /// path or address of --file, or empty. The opener must outlive the list. UsageError for a pair without its
  /// second text.
  TextList(const std::vector<std::string>& given, const std::string& file, bool pairs,
           const sources::Opener& opener);

  /// The number of texts; no value if it is unknown because of a file.
  std::optional<std::size_t> size() const;
  /// Up to `most` texts; fewer if getting more would block; none at the end. Throws the errors of LineReader,
  /// after it has returned the texts before them.
  std::vector<ListedText> next(std::size_t most);

 private:
  struct Source {
    std::string option;
    std::string place;
  };

  /// The next line; nothing at the end or, unless it may wait, if none has arrived yet.
  std::optional<ListedText> read(bool may_wait);
  /// The text of the reader's last line.
  ListedText from_line(std::string line) const;

  bool pairs_;
  const sources::Opener& opener_;
  std::deque<ListedText> texts_;
  std::deque<Source> sources_;
  std::optional<LineReader> reader_;  ///< reads the first of sources_
  std::exception_ptr failure_;        ///< the reader's error, for the next call
};

}  // namespace mxinfer::cli
