#include "cli/inputs/text_list.h"

#include <utility>

#include "cli/output/usage_error.h"

namespace mxinfer::cli {
namespace {

constexpr LineKind kTextLines{std::size_t{16} << 20, true, "is longer than 16 MiB", "one text per line"};

}  // namespace

TextList::TextList(const std::vector<std::string>& given, const std::string& file, bool pairs,
                   const sources::Opener& opener)
    : pairs_(pairs), opener_(opener) {
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] == "-") {
      sources_.push_back({"TEXT", "-"});
      continue;
    }
    ListedText text{given[i]};
    text.place = "text " + std::to_string(texts_.size() + 1);
    if (pairs) {
      if (++i == given.size())
        throw UsageError("--pair requires two texts per pair: '" + given[i - 1] + "' has no second text");
      text.second = given[i];
    }
    texts_.push_back(std::move(text));
  }
  if (!file.empty()) sources_.push_back({"--file", file});
}

std::optional<std::size_t> TextList::size() const {
  return sources_.empty() ? std::optional<std::size_t>(texts_.size()) : std::nullopt;
}

ListedText TextList::from_line(std::string line) const {
  ListedText text{std::move(line)};
  text.place = reader_->place();
  if (!pairs_) return text;
  const std::size_t tab = text.first.find('\t');
  if (tab == std::string::npos) {
    text.problem =
        Error(ErrorCode::malformed, "no tab in the line: with --pair, expected two texts separated by a tab");
  } else {
    text.second = text.first.substr(tab + 1);
    text.first.resize(tab);
  }
  return text;
}

std::optional<ListedText> TextList::read(bool may_wait) {
  while (!sources_.empty()) {
    if (!reader_) reader_.emplace(sources_.front().option, sources_.front().place, opener_, kTextLines);
    if (!may_wait && !reader_->ready()) return std::nullopt;
    if (std::optional<std::string> line = reader_->next()) return from_line(std::move(*line));
    reader_.reset();
    sources_.pop_front();
  }
  return std::nullopt;
}

std::vector<ListedText> TextList::next(std::size_t most) {
  if (failure_) std::rethrow_exception(failure_);
  std::vector<ListedText> batch;
  while (batch.size() < most && !texts_.empty()) {
    batch.push_back(std::move(texts_.front()));
    texts_.pop_front();
  }
  try {
    while (batch.size() < most) {
      std::optional<ListedText> text = read(batch.empty());
      if (!text) break;
      batch.push_back(std::move(*text));
    }
  } catch (const Error&) {
    if (batch.empty()) throw;
    failure_ = std::current_exception();  // the texts before it are returned first
  }
  return batch;
}

}  // namespace mxinfer::cli
