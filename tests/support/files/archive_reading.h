// Reads archives for tests, and expects them to be rejected.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/fail.h"
#include "formats/archive/archive.h"

namespace mxinfer::test {

inline std::unique_ptr<sources::Source> source_of(const std::string& bytes) {
  return sources::from_memory({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}, "a.archive");
}

inline std::string text(const formats::ArchiveMember& member) {
  return {reinterpret_cast<const char*>(member.bytes.data()), member.bytes.size()};
}

inline std::vector<formats::ArchiveMember> read(const std::string& bytes,
                                                const formats::ArchiveLimits& limits = {}) {
  return formats::read_archive(*source_of(bytes), limits);
}

/// "name=contents" of every member, with a blank between them.
inline std::string listing(const std::string& bytes) {
  std::string all;
  for (const formats::ArchiveMember& member : read(bytes)) {
    all += (all.empty() ? "" : " ") + member.name + "=" + text(member);
  }
  return all;
}

inline void expect_malformed(const std::string& bytes, const std::vector<std::string>& facts,
                             const formats::ArchiveLimits& limits = {}) {
  try {
    read(bytes, limits);
    ADD_FAILURE() << "nothing was thrown; it should be rejected for: " << facts.front();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::malformed) << e.what();
    for (const std::string& fact : facts)
      EXPECT_NE(std::string(e.what()).find(fact), std::string::npos)
          << e.what() << "\n  which lacks " << fact;
  }
}

/// Every shorter beginning of the archive is rejected as no archive or a damaged one.
inline void expect_no_cut_is_read(const std::string& whole) {
  for (std::size_t size = 0; size < whole.size(); ++size) {
    try {
      const auto members = read(whole.substr(0, size));
      ADD_FAILURE() << "cut at " << size << " of " << whole.size() << ": " << members.size() << " members";
    } catch (const Error& e) {
      EXPECT_TRUE(e.code() == ErrorCode::malformed || e.code() == ErrorCode::unsupported) << e.what();
    }
  }
}

/// Each byte changed, one after the other, gives a result or such an Error.
inline void expect_no_byte_does_harm(const std::string& whole) {
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const int value : {0x00, 0x01, 0x7f, 0x80, 0xff, whole[i] ^ 0x55}) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(value);
      try {
        read(bytes);
      } catch (const Error& e) {
        EXPECT_TRUE(e.code() == ErrorCode::malformed || e.code() == ErrorCode::unsupported)
            << i << ": " << e.what();
      }
    }
  }
}

}  // namespace mxinfer::test
