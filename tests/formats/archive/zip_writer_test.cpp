// What ZipWriter writes, read by libarchive and by the library.
#include "formats/archive/zip_writer.h"

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include "base/files/file.h"
#include "formats/archive/zip_records.h"
#include "support/files/archive_reading.h"
#include "support/files/raw_zip.h"
#include "support/files/temp_dir.h"

namespace mxinfer::formats {
namespace {

using test::little;

struct Contents {
  std::string name, bytes;
  bool deflated = false;
};

std::string written(const std::vector<Contents>& members) {
  const test::TempDir dir;
  AtomicFile file(dir / "out.zip");
  ZipWriter zip(file);
  for (const Contents& member : members) {
    const auto* first = reinterpret_cast<const std::byte*>(member.bytes.data());
    zip.add(member.name, {first, member.bytes.size()}, member.deflated);
  }
  zip.finish();
  file.commit();
  const std::vector<std::byte> bytes = mxinfer::read_file(dir / "out.zip");
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// "name=contents" as libarchive reads it, and whether that ended well.
std::string by_libarchive(const std::string& bytes) {
  const std::unique_ptr<archive, int (*)(archive*)> reader(archive_read_new(), &archive_read_free);
  archive_read_support_format_zip_seekable(reader.get());
  EXPECT_EQ(archive_read_open_memory(reader.get(), bytes.data(), bytes.size()), ARCHIVE_OK);
  std::string all;
  archive_entry* entry = nullptr;
  int status = ARCHIVE_OK;
  while ((status = archive_read_next_header(reader.get(), &entry)) == ARCHIVE_OK) {
    std::string contents(static_cast<std::size_t>(archive_entry_size(entry)), '\0');
    EXPECT_EQ(archive_read_data(reader.get(), contents.data(), contents.size()),
              static_cast<la_ssize_t>(contents.size()));
    EXPECT_EQ(archive_entry_perm(entry), 0644U);
    all += (all.empty() ? "" : " ") + std::string(archive_entry_pathname(entry)) + "=" + contents;
  }
  EXPECT_EQ(status, ARCHIVE_EOF) << (archive_error_string(reader.get()) ? archive_error_string(reader.get())
                                                                        : "");
  return all;
}

TEST(ZipWriter, AlignsWhereAReaderMapsTheFile) {
  const test::TempDir dir;
  const std::vector<std::byte> first(300, std::byte{'x'}), second(5000, std::byte{'y'});
  for (const std::size_t alignment : {64U, 4096U}) {
    AtomicFile file(dir / "out.zip");
    ZipWriter zip(file);
    zip.add("a", {first.data(), 7}, false);
    const std::vector<Span<const std::byte>> pieces = {
        {first.data(), first.size()}, {}, {second.data(), second.size()}};
    zip.add_aligned("b", {pieces.data(), pieces.size()}, alignment);
    zip.add_aligned("none", {}, alignment);
    zip.add("c", {first.data(), 2}, false);
    zip.finish();
    file.commit();
    const std::string bytes = test::read_file(dir / "out.zip");
    EXPECT_EQ((bytes.find("xyyy") - 299) % alignment, 0U);
    const std::string expected =
        "a=xxxxxxx b=" + std::string(300, 'x') + std::string(5000, 'y') + " none= c=xx";
    EXPECT_EQ(by_libarchive(bytes), expected);
    EXPECT_EQ(test::listing(bytes), expected);
  }
}

TEST(ZipWriter, OthersReadWhatItWrites) {
  std::string long_text;
  for (int i = 0; i < 200'000; ++i) long_text += std::to_string(i * 7919 % 1000);
  const std::string zip = written({{"a.json", "{}", true},
                                   {"sub/b", long_text, true},
                                   {"stored", long_text, false},
                                   {"empty", "", false},
                                   {"empty too", "", true}});
  const std::string expected = "a.json={} sub/b=" + long_text + " stored=" + long_text + " empty= empty too=";
  EXPECT_TRUE(by_libarchive(zip) == expected);
  EXPECT_TRUE(test::listing(zip) == expected);
  EXPECT_LT(zip.size(), 2 * long_text.size());
}

TEST(ZipWriter, TheSameContentsAreTheSameBytes) {
  const std::vector<Contents> members = {{"a", "alpha", true}, {"b", "beta", false}};
  EXPECT_EQ(written(members), written(members));
}

TEST(ZipWriter, WritesNothingThatReadersNeedNotKnow) {
  // No dates, extra fields or sizes behind the data: what the format's first version has.
  const std::string header = little(0x04034b50, 4) + little(10, 2) + little(0, 2) + little(0, 2) +
                             little(0x00210000, 4) + little(test::crc_of("beta"), 4) + little(4, 4) +
                             little(4, 4) + little(1, 2) + little(0, 2);
  EXPECT_EQ(written({{"b", "beta", false}}).substr(0, 35), header + "bbeta");
}

TEST(ZipWriter, NamesBeyondAsciiAreMarkedAsUtf8) {
  EXPECT_EQ(written({{"m\xc3\xa4", "x", false}})[7], 0x08);
  EXPECT_EQ(written({{"\xff", "x", false}})[7], 0);
  EXPECT_EQ(written({{"m", "x", false}})[7], 0);
  EXPECT_THROW(written({{std::string(65'536, 'n'), "x", false}}), Error);
}

TEST(ZipWriter, ManyMembersNeedLargerRecords) {
  std::vector<Contents> members;
  for (int i = 0; i < 65'536; ++i) members.push_back({std::to_string(i), "", false});
  const std::string zip = written(members);
  ArchiveLimits limits;
  limits.members = 65'536;
  const auto read = test::read(zip, limits);
  ASSERT_EQ(read.size(), 65'536u);
  EXPECT_EQ(read.back().name, "65535");
  EXPECT_TRUE(by_libarchive(zip).ends_with(" 65535="));
  EXPECT_NE(zip.find(little(ZipLayout::kEnd64Signature, 4)), std::string::npos);
}

TEST(ZipWriter, LargeMembersHaveTheirSizesInAFieldOfTheirOwn) {
  const std::uint64_t large = std::uint64_t{5} << 30;
  const ZipRecord record{.name = "n", .packed_bytes = large, .bytes = large, .offset = large + 1};
  const std::string header = zip_local_header(record);
  EXPECT_EQ(header.substr(18, 8), std::string(8, '\xff'));
  EXPECT_EQ(header.substr(30), "n" + test::zip64_extra({large, large}));
  EXPECT_EQ(zip_directory_entry(record).substr(46), "n" + test::zip64_extra({large, large, large + 1}));
  const ZipRecord far{.name = "n", .packed_bytes = 1, .bytes = 1, .offset = large};
  EXPECT_EQ(zip_local_header(far).size(), 31u);
  EXPECT_EQ(zip_directory_entry(far).substr(46), "n" + test::zip64_extra({large}));
  EXPECT_EQ(zip_end(1, 100, 50).size(), 22u);
  EXPECT_EQ(zip_end(1, large, 50).size(), 22u + 20 + 56);
  // The last number that 32 bits state means "look elsewhere".
  const ZipRecord edge{.name = "n", .packed_bytes = 0xffffffff, .bytes = 0xffffffff};
  EXPECT_EQ(zip_local_header(edge).substr(30), "n" + test::zip64_extra({0xffffffff, 0xffffffff}));
}

}  // namespace
}  // namespace mxinfer::formats
