// TextFrame: frames the ids of a text or a pair with special tokens and cuts them to what the network
// accepts.
//
//   TextFrame frame{.begin = 2, .end = 3, .most = 128};
//   FramedIds framed = frame.around(first, &second);    // 2 first 3 second 3, segments 0 ... 0 1 ... 1
#pragma once

#include <mxinfer/sequence/side.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace mxinfer::api {

struct FramedIds {
  std::vector<std::int32_t> ids{};
  std::vector<std::int32_t> segments{};  ///< 0 for begin, first, end; 1 for second, end
};

struct TextFrame {
  std::optional<std::int32_t> begin{};
  std::optional<std::int32_t> end{};
  /// The most ids, including begin and end; nullopt means any number. A pair loses tokens of the longer text
  /// first (of the second, if both are equal), as with gluonnlp.data.BERTSentenceTransform.
  std::optional<std::size_t> most{};
  Side truncate_side = Side::right;

  /// `second` may be null. Throws Error(invalid_argument) if no token is left.
  [[nodiscard]] FramedIds around(const std::vector<std::int32_t>& first,
                                 const std::vector<std::int32_t>* second) const;
};

}  // namespace mxinfer::api
