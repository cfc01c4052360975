// Zip files made field by field: what the format allows, and what contradicts itself.
#include "formats/archive/zip_stream.h"

#include <gtest/gtest.h>
#include <mxinfer/byte_source.h>

#include <algorithm>
#include <cstring>

#include "formats/archive/zip_records.h"
#include "support/files/archive_reading.h"
#include "support/files/raw_zip.h"

namespace mxinfer::formats {
namespace {

using test::expect_malformed;
using test::listing;
using test::little;
using test::RawZip;
using test::RawZipEnd;
using test::RawZipMember;
using test::zip64_extra;

constexpr std::uint32_t kFull = 0xffffffff;

std::string zip_of(const RawZipMember& member, const RawZipEnd& end = {}) {
  return RawZip().add(member).finish(end);
}

TEST(ZipStream, StoredAndDeflatedMembersAreRead) {
  const std::string letters(100'000, 'x');
  EXPECT_EQ(listing(RawZip()
                        .add({.name = "a", .data = "alpha"})
                        .add({.name = "b/c", .data = letters, .deflated = true})
                        .add({.name = "empty"})
                        .add({.name = "empty too", .deflated = true})
                        .finish()),
            "a=alpha b/c=" + letters + " empty= empty too=");
}

TEST(ZipStream, MembersComeInTheOrderOfTheirBytes) {
  // The directory names the second first.
  const std::string first = RawZip().add({.name = "one", .data = "1"}).finish();
  const auto second_at = static_cast<std::uint32_t>(first.size() - 46 - 3 - 22);
  const std::string body = first.substr(0, second_at);
  const std::string entry = first.substr(second_at, 46 + 3);
  const std::string two = RawZip().fill(body).add({.name = "two", .data = "2"}).finish();
  const std::size_t end = two.size() - 22;
  const std::string swapped = two.substr(0, end) + entry + little(0x06054b50, 4) + little(0, 4) +
                              little(2, 2) + little(2, 2) + little(2 * entry.size(), 4) +
                              two.substr(two.size() - 6);
  EXPECT_EQ(listing(swapped), "one=1 two=2");
}

TEST(ZipStream, SizesMayStandBehindTheData) {
  const auto streamed = [](const std::string& name, bool deflated, bool signature, bool large) {
    RawZipMember member{.name = name, .data = "some data", .deflated = deflated, .flags = 1U << 3};
    member.local_checksum = member.local_packed_bytes = member.local_bytes = 0;
    if (signature) member.descriptor = little(0x08074b50, 4);
    member.descriptor += little(test::crc_of(member.data), 4);
    for (int i = 0; i < 2; ++i) member.descriptor += little(9, large ? 8 : 4);
    return member;
  };
  for (const bool deflated : {false, true}) {
    for (const bool signature : {false, true}) {
      for (const bool large : {false, true}) {
        const std::string zip = RawZip()
                                    .add(streamed("a", deflated, signature, large))
                                    .add(streamed("b", deflated, signature, large))
                                    .finish();
        EXPECT_EQ(listing(zip), "a=some data b=some data");
        test::expect_no_cut_is_read(zip);
      }
    }
  }
}

TEST(ZipStream, NumbersMayStandInFieldsForLargeArchives) {
  for (const bool end64 : {false, true}) {
    const std::string zip =
        RawZip()
            .add({.name = "a",
                  .data = "alpha",
                  .packed_bytes = kFull,
                  .bytes = kFull,
                  .extra = little(0x9999, 2) + little(2, 2) + "??" + zip64_extra({5, 5}),
                  .local_extra = zip64_extra({5, 5})})
            .add({.name = "b", .data = "beta", .offset = kFull, .extra = zip64_extra({56})})
            .finish({.zip64 = end64});
    EXPECT_EQ(listing(zip), "a=alpha b=beta");
    test::expect_no_cut_is_read(zip);
    test::expect_no_byte_does_harm(zip);
  }
}

TEST(ZipStream, BytesMayStandAroundTheArchive) {
  for (const bool zip64 : {false, true}) {
    const std::string zip = zip_of({.name = "a", .data = "alpha"}, {.zip64 = zip64});
    // An archive in front, so that the first bytes are still those of one.
    const std::string other = RawZip().add({.name = "other", .data = "!"}).finish();
    EXPECT_EQ(listing(other + zip), "a=alpha");
    EXPECT_EQ(listing(zip + "\n"), "a=alpha");
    EXPECT_EQ(listing(zip + std::string(60'000, '\0')), "a=alpha");
    expect_malformed(zip + std::string(70'000, '\0'), {"not a complete zip archive", "directory"});
  }
}

TEST(ZipStream, AnArchiveMayHaveAComment) {
  const std::string zip =
      zip_of({.name = "a", .data = "alpha", .comment = "member"}, {.comment = "all of it"});
  EXPECT_EQ(listing(zip), "a=alpha");
  test::expect_no_cut_is_read(zip);
  EXPECT_EQ(listing(zip_of({.name = "a", .data = "alpha"}, {.comment = std::string(65'535, 'c')})),
            "a=alpha");
}

TEST(ZipStream, AnArchiveWithoutMembersIsRefused) {
  expect_malformed(RawZip().finish(), {"not a complete zip archive", "no members"});
  expect_malformed(RawZip().finish({.zip64 = true}).insert(0, "PK\x03\x04"), {"no members"});
}

TEST(ZipStream, ChecksumAndSizesAreVerified) {
  for (const bool deflated : {false, true}) {
    expect_malformed(zip_of({.name = "a", .data = "alpha", .deflated = deflated, .checksum = 7}),
                     {"a.archive › member 'a' › ", "checksum", "should have 7"});
  }
  expect_malformed(zip_of({.name = "a", .data = "alpha", .bytes = 4}), {"stored in 5", "should have 4"});
  expect_malformed(zip_of({.name = "a", .data = "alpha", .deflated = true, .bytes = 4}), {"more than the 4"});
  expect_malformed(zip_of({.name = "a", .data = "alpha", .deflated = true, .bytes = 6}),
                   {"should have 6", "has 5"});
  const std::string packed = test::raw_deflate("alpha");
  expect_malformed(zip_of({.name = "a", .data = "alpha", .deflated = true, .packed = packed + "?"}),
                   {"packed in 8", "in 7"});
  expect_malformed(
      zip_of({.name = "a", .data = "alpha", .deflated = true, .packed = packed.substr(0, packed.size() - 1)}),
      {"does not inflate", "too soon"});
  expect_malformed(zip_of({.name = "a", .data = "alpha", .deflated = true, .packed = "\xff\xff"}),
                   {"does not inflate"});
  expect_malformed(zip_of({.name = "a", .data = "alpha", .deflated = true, .packed = ""}), {"too soon"});
}

TEST(ZipStream, SizesThatNothingHasAreRefusedWithoutMemory) {
  for (const std::uint64_t size : {std::uint64_t{1} << 40, std::uint64_t{1} << 62, ~std::uint64_t{0}}) {
    for (const bool deflated : {false, true}) {
      RawZipMember member{.name = "a", .data = "alpha", .deflated = deflated, .bytes = kFull};
      member.extra = zip64_extra({size});
      expect_malformed(zip_of(member), {});
      member.packed_bytes = kFull;
      member.extra = zip64_extra({size, size});
      expect_malformed(zip_of(member), {});
    }
    RawZipMember member{.name = "a", .data = "alpha", .offset = kFull};
    member.extra = zip64_extra({size});
    expect_malformed(zip_of(member), {"not a complete zip archive"});
    for (const RawZipEnd& end :
         {RawZipEnd{.members = size, .zip64 = true}, RawZipEnd{.bytes = size, .zip64 = true},
          RawZipEnd{.offset = size, .zip64 = true}})
      expect_malformed(zip_of({.name = "a", .data = "alpha"}, end), {"not a complete zip archive"});
  }
  expect_malformed(zip_of({.name = "a", .data = "alpha", .packed_bytes = 1'000'000}),
                   {"member 'a'", "of 1000000 bytes"});
  expect_malformed(zip_of({.name = "a", .data = "alpha", .bytes = kFull, .extra = zip64_extra({})}),
                   {"large members"});
}

TEST(ZipStream, AHeaderThatContradictsTheDirectoryIsRefused) {
  const auto refuse = [](RawZipMember member, const std::string& fact) {
    member.name = "a";
    member.data = "alpha";
    expect_malformed(zip_of(member), {"member 'a' › ", "contradict", fact});
  };
  refuse({.local_name = "b"}, "names it 'b'");
  refuse({.local_name = "ab"}, "names it 'a");
  refuse({.local_name = "", .local_extra = "?"}, "names it ''");
  refuse({.local_method = 8}, "method 8 and 0");
  refuse({.deflated = true, .local_method = 0}, "method 0 and 8");
  refuse({.local_checksum = 7}, "checksum 7");
  refuse({.local_packed_bytes = 6}, "packed size 6 and 5");
  refuse({.local_bytes = 4}, "size 4 and 5");
  refuse({.local_flags = 1}, "encrypted");
}

TEST(ZipStream, MembersThatShareBytesAreRefused) {
  const RawZipMember member{.name = "a", .data = "alpha"};
  RawZipMember same = member;
  same.name = "b";
  same.offset = 0;
  expect_malformed(RawZip().add(member).add(same).finish(),
                   {"member 'a'", "of 5 bytes from byte 0 on", "byte 0, where"});
  // One whose bytes are another member as a whole.
  const std::string inner = RawZip().add({.name = "b", .data = "beta"}).finish().substr(0, 35);
  RawZipMember outer{.name = "a", .data = inner};
  RawZipMember nested{.name = "b", .data = "beta", .offset = 31};
  expect_malformed(RawZip().add(outer).add(nested).finish(),
                   {"member 'a'", "from byte 0 on", "byte 31, where"});
  // One that reaches behind the next, by what its own header says of its length.
  RawZipMember longer = member;
  longer.local_extra = "";
  std::string zip = RawZip().add(longer).add({.name = "b", .data = "beta"}).finish();
  zip[28] = 4;
  expect_malformed(zip, {"member 'a' › ", "do not end before byte"});
}

TEST(ZipStream, OffsetsThatPointAtNoMemberAreRefused) {
  expect_malformed(zip_of({.name = "a", .data = std::string(100, '?'), .offset = 3}), {});
  expect_malformed(
      RawZip().fill("PK\x03\x04 filler").add({.name = "a", .data = "alpha", .offset = 2}).finish(),
      {"member 'a' › at byte 2"});
  expect_malformed(zip_of({.name = "a", .data = "alpha", .offset = 1000}), {"byte 1000"});
  expect_malformed(zip_of({.name = "a", .data = "alpha", .offset = kFull}), {"byte 4294967295"});
}

TEST(ZipStream, ADirectoryThatContradictsItsEndIsRefused) {
  const RawZipMember member{.name = "a", .data = "alpha"};
  for (const bool zip64 : {false, true}) {
    const auto refuse = [&](RawZipEnd end, const std::string& fact) {
      end.zip64 = zip64;
      expect_malformed(zip_of(member, end), {fact});
    };
    refuse({.members = 2}, "holds 1 members, and should hold 2");
    refuse({.bytes = 20}, "not a complete zip archive");
    refuse({.bytes = 48}, "not a complete zip archive");
    refuse({.bytes = 1000}, "said to have 1000 bytes");
    refuse({.offset = 1000}, "from byte 1000");
    refuse({.members = 1, .here = 0}, "one part of several");
    refuse({.disk = 1}, "one part of several");
  }
  expect_malformed(zip_of(member, {.comment_bytes = 1}), {"directory"});
  RawZipMember ragged = member;
  ragged.extra = little(0x9999, 2) + little(9, 2) + "short";
  expect_malformed(zip_of(ragged), {"extra field"});
  ragged.extra = std::string(3, '\0');
  EXPECT_EQ(listing(zip_of(ragged)), "a=alpha");
}

TEST(ZipStream, ZipBehindAWrongLocatorIsRefused) {
  std::string zip = zip_of({.name = "a", .data = "alpha"}, {.zip64 = true, .record_at = ~std::uint64_t{0}});
  EXPECT_EQ(listing(zip), "a=alpha");  // directly before the locator it is found
  zip.insert(zip.size() - 42, "gap");
  expect_malformed(zip, {"not where it should be"});
}

TEST(ZipStream, OtherCompressionsAreNamed) {
  expect_malformed(zip_of({.name = "a", .data = "alpha", .method = 12}),
                   {"member 'a' › ", "bzip2 (method 12)"});
  expect_malformed(zip_of({.name = "a", .data = "alpha", .method = 77}), {"unknown (method 77)"});
  for (const std::uint16_t flags : {1, 1 << 6, 1 << 13}) {
    expect_malformed(zip_of({.name = "a", .data = "alpha", .flags = flags}),
                     {"member 'a' › it is encrypted"});
  }
}

TEST(ZipStream, NamesAreTakenAsTheyAreAndChecked) {
  expect_malformed(zip_of({.name = std::string("a\0b", 3), .data = "x"}), {"control characters"});
  expect_malformed(zip_of({.name = "../a", .data = "x"}), {"leads out"});
  expect_malformed(zip_of({.name = "/a", .data = "x"}), {"absolute"});
  expect_malformed(zip_of({.name = "..\\a", .data = "x"}), {"leads out"});
  expect_malformed(zip_of({.name = "\\a", .data = "x"}), {"absolute"});
  expect_malformed(zip_of({.name = "b/c\\a", .data = "x"}), {"backslash"});
  expect_malformed(zip_of({.name = "", .data = "x"}), {"no name"});
  EXPECT_EQ(listing(zip_of({.name = "b\\a", .data = "x"})), "b/a=x");
  EXPECT_EQ(listing(zip_of({.name = "\xff\xfe", .data = "x"})), "\xff\xfe=x");
  EXPECT_EQ(listing(zip_of({.name = "m\xc3\xa4", .data = "x"})), "m\xc3\xa4=x");
}

TEST(ZipStream, AttributesSayWhatAMemberIs) {
  const auto of = [](std::uint16_t system, std::uint32_t attributes, const std::string& name = "a") {
    const auto made_by = static_cast<std::uint16_t>(system << 8);
    return RawZip()
        .add({.name = name, .data = "x", .made_by = made_by, .attributes = attributes})
        .add({.name = "z", .data = "y"})
        .finish();
  };
  EXPECT_EQ(listing(of(0, 0)), "a=x z=y");
  EXPECT_EQ(listing(of(0, 0x10)), "z=y");
  EXPECT_EQ(listing(of(3, 0)), "a=x z=y");
  EXPECT_EQ(listing(of(3, 040755U << 16)), "z=y");
  EXPECT_EQ(listing(of(3, 0, "folder/")), "z=y");
  EXPECT_EQ(listing(of(0, 0, "folder\\")), "z=y");
  for (const std::uint16_t system : {3, 19}) {
    expect_malformed(of(system, 0120777U << 16), {"member 'a' › it is a link"});
    expect_malformed(of(system, 0010644U << 16), {"member 'a' › it is a device or a pipe"});
  }
}

TEST(ZipStream, AnyByteMayBeWrongWithoutHarm) {
  test::expect_no_byte_does_harm(RawZip()
                                     .add({.name = "a", .data = "alpha", .deflated = true})
                                     .add({.name = "b", .data = "beta"})
                                     .finish({.comment = "c"}));
}

// An archive of 10 GB whose large member is zeros, which nobody keeps.
class LargeArchive : public ByteSource {
 public:
  static constexpr std::uint64_t kBytes = std::uint64_t{10} << 30;
  LargeArchive() {
    ZipRecord large{.name = "large", .packed_bytes = kBytes, .bytes = kBytes};
    front_ = zip_local_header(large);
    ZipRecord small{.name = "small", .checksum = test::crc_of("end"), .packed_bytes = 3, .bytes = 3};
    small.offset = front_.size() + kBytes;
    back_ = zip_local_header(small) + "end";
    const std::uint64_t directory = small.offset + back_.size();
    const std::string entries = zip_directory_entry(large) + zip_directory_entry(small);
    back_ += entries + zip_end(2, directory, entries.size());
  }
  std::int64_t size() const override {
    return static_cast<std::int64_t>(front_.size() + kBytes + back_.size());
  }
  void read(std::int64_t offset, Span<std::byte> to) const override {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = at(static_cast<std::uint64_t>(offset) + i);
  }

 private:
  std::byte at(std::uint64_t offset) const {
    if (offset < front_.size()) return static_cast<std::byte>(front_[offset]);
    offset -= front_.size();
    return offset < kBytes ? std::byte{0} : static_cast<std::byte>(back_[offset - kBytes]);
  }
  std::string front_, back_;
};

TEST(ZipStream, LargeArchivesAreReadWhereTheyAreNeeded) {
  const auto source = sources::from_caller(std::make_shared<LargeArchive>(), "large.zip");
  const auto reject = [] { fail(ErrorCode::malformed, "too large"); };
  const auto stream = open_archive_stream(*source, ArchiveKind::zip, {1000, reject});
  EXPECT_EQ(stream->next()->name, "large");
  EXPECT_THROW(stream->unpack(), Error);
  EXPECT_EQ(stream->next()->name, "small");
  EXPECT_EQ(stream->unpack(), (std::vector<std::byte>{std::byte{'e'}, std::byte{'n'}, std::byte{'d'}}));
  EXPECT_FALSE(stream->next());
}

}  // namespace
}  // namespace mxinfer::formats
