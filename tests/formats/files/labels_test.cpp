#include "formats/files/labels.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/fail.h"

namespace mxinfer::formats {
namespace {

std::vector<std::string> labels_in(const std::string& text) {
  return read_labels(
      *sources::from_memory({reinterpret_cast<const std::byte*>(text.data()), text.size()}, "synset.txt"));
}

using Lines = std::vector<std::string>;

TEST(Labels, OneALine) {
  EXPECT_EQ(labels_in("n01440764 tench, Tinca tinca\nn01443537 goldfish\n"),
            (Lines{"n01440764 tench, Tinca tinca", "n01443537 goldfish"}));
  EXPECT_EQ(labels_in("cat\ndog"), (Lines{"cat", "dog"}));
  EXPECT_EQ(labels_in(""), Lines{});
}

TEST(Labels, EitherLineEndAndAByteOrderMark) {
  EXPECT_EQ(labels_in("\xef\xbb\xbf"
                      "cat\r\ndog\r\n"),
            (Lines{"cat", "dog"}));
}

TEST(Labels, EmptyLinesCountButForThoseAtTheEnd) {
  EXPECT_EQ(labels_in("cat\n\ndog\n\n\r\n\n"), (Lines{"cat", "", "dog"}));
  EXPECT_EQ(labels_in("\n\n"), Lines{});
}

TEST(Labels, OtherEncodingsAreRefused) {
  EXPECT_EQ(labels_in("gr\xc3\xbcn \xe7\x8c\xab \xf0\x9f\x90\xb1"),
            (Lines{"gr\xc3\xbcn \xe7\x8c\xab \xf0\x9f\x90\xb1"}));
  for (const char* bad : {"gr\xfcn", "\xc3", "\xc0\xaf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                          "\x80", "\xf8\x88\x80\x80\x80"}) {
    try {
      labels_in(std::string("cat\n") + bad);
      ADD_FAILURE() << "accepted";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::malformed);
      EXPECT_NE(std::string(e.what()).find("synset.txt \u203a line 2 is not UTF-8"), std::string::npos)
          << e.what();
    }
  }
}

}  // namespace
}  // namespace mxinfer::formats
