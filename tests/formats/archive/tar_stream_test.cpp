// Tar files made block by block: the dialects, and what is no tar file.
#include "formats/archive/tar_stream.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "support/files/archive_reading.h"
#include "support/files/archive_writer.h"
#include "support/files/raw_tar.h"

namespace mxinfer::formats {
namespace {

using test::base256;
using test::expect_malformed;
using test::listing;
using test::octal;
using test::pax_header;
using test::pax_record;
using test::tar_end;
using test::tar_header;
using test::tar_member;
using test::tar_padded;

std::string gzip(const std::string& bytes) {
  z_stream stream{};
  std::string packed(bytes.size() + 1000, '\0');
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

// The same, plain and packed.
void expect_listing(const std::string& members, const std::string& expected) {
  EXPECT_EQ(listing(members + tar_end()), expected);
  EXPECT_EQ(listing(gzip(members + tar_end())), expected);
  EXPECT_EQ(listing(gzip(members)), expected);  // some tools leave the zeros out
}

void refuse(const std::string& members, const std::vector<std::string>& facts) {
  const std::string first = tar_member("first", "1");  // what makes it a tar file
  expect_malformed(first + members + tar_end(), facts);
  expect_malformed(gzip(first + members + tar_end()), facts);
}

TEST(TarStream, EveryDialectThatLibarchiveWritesIsRead) {
  const std::string name = std::string(120, 'f') + '/' + std::string(90, 'n');
  const std::string far = std::string(300, 'f') + '/' + std::string(300, 'n');
  using test::ArchiveFormat;
  using test::ArchiveWriter;
  for (const ArchiveFormat format : {ArchiveFormat::tar, ArchiveFormat::tar_gz, ArchiveFormat::tar_ustar,
                                     ArchiveFormat::tar_gnu, ArchiveFormat::tar_v7}) {
    ArchiveWriter writer(format);
    writer.file("a", "alpha").folder("sub").file("sub/b", std::string(2000, 'b'));
    std::string expected = "a=alpha sub/b=" + std::string(2000, 'b');
    if (format != ArchiveFormat::tar_v7) {
      writer.file(name, "long");
      expected += " " + name + "=long";
    }
    if (format != ArchiveFormat::tar_v7 && format != ArchiveFormat::tar_ustar) {
      writer.file(far, "longer");
      expected += " " + far + "=longer";
    }
    EXPECT_EQ(listing(writer.file("z", "end").finish()), expected + " z=end");
  }
}

TEST(TarStream, NamesHaveAPrefixInPosixHeadersAlone) {
  expect_listing(tar_header({.name = "b", .size = octal(1), .prefix = "a"}) + tar_padded("x"), "a/b=x");
  expect_listing(
      tar_header({.name = "b", .size = octal(1), .prefix = "12345670", .magic = "ustar  "}) + tar_padded("x"),
      "b=x");
  expect_listing(tar_header({.name = "b", .size = octal(1), .magic = ""}) + tar_padded("x"), "b=x");
  const std::string full(100, 'n');
  expect_listing(
      tar_header({.name = full, .size = octal(1), .prefix = std::string(155, 'p')}) + tar_padded("x"),
      std::string(155, 'p') + "/" + full + "=x");
}

TEST(TarStream, LongNamesOfGnuAndPaxReplaceThatOfTheHeader) {
  const std::string name(1000, 'n');
  const std::string gnu = tar_member("././@LongLink", name + '\0', 'L');
  const std::string link = tar_member("././@LongLink", "target", 'K');
  const std::string pax = pax_header(pax_record("mtime", "1.5") + pax_record("path", "p"));
  const std::string member = tar_member("short", "x"), last = tar_member("last", "y");
  expect_listing(gnu + member + last, name + "=x last=y");
  expect_listing(link + gnu + member + last, name + "=x last=y");
  expect_listing(pax + member + last, "p=x last=y");
  expect_listing(pax + gnu + member + last, "p=x last=y");
  expect_listing(gnu + pax + member + last, "p=x last=y");
  expect_listing(pax_header(pax_record("path", "p"), 'X') + member + last, "p=x last=y");
}

TEST(TarStream, GlobalRecordsHoldUntilOthersDo) {
  const std::string global = pax_header(pax_record("path", "g"), 'g');
  const std::string comment = pax_header(pax_record("comment", "0123abc"), 'g');
  const std::string a = tar_member("a", "1"), b = tar_member("b", "2");
  expect_listing(comment + a + b, "a=1 b=2");
  expect_listing(global + a + pax_header(pax_record("path", "own")) + b, "g=1 own=2");
  expect_listing(global + a + pax_header(pax_record("path", ""), 'g') + b, "g=1 b=2");
}

TEST(TarStream, PaxStatesSizes) {
  const std::string header = tar_header({.name = "a", .size = octal(1)});
  const std::string size = pax_header(pax_record("size", "600"));
  expect_listing(size + header + tar_padded(std::string(600, 'x')) + tar_member("b", "2"),
                 "a=" + std::string(600, 'x') + " b=2");
  for (const char* wrong :
       {"-1", "1x", "0x10", " 1", "1.5", "99999999999999999999999", "9223372036854775807"})
    refuse(pax_header(pax_record("size", wrong)) + header + tar_padded("x"), {"is not the size of a member"});
  refuse(pax_header(pax_record("size", "1000000")) + header + tar_padded("x"),
         {"member 'a' › not a complete tar archive: it was cut short"});
}

TEST(TarStream, SizesMayBeWrittenInSeveralWays) {
  const auto sized = [](const std::string& size) {
    return tar_header({.name = "a", .size = size}) + tar_padded("xyz");
  };
  for (const std::string& size : {octal(3), std::string("3"), std::string("         3 "),
                                  std::string("000000000003"), std::string("3\0garbage", 9), base256(3)}) {
    expect_listing(sized(size) + tar_member("b", "2"), "a=xyz b=2");
  }
  expect_listing(tar_header({.name = "a"}) + tar_member("b", "2"), "a= b=2");
}

TEST(TarStream, SizesThatNothingHasAreRefusedWithoutMemory) {
  const auto refuse_size = [](const std::string& size, const std::string& fact) {
    refuse(tar_header({.name = "a", .size = size}) + tar_padded("x"), {fact});
  };
  refuse_size(base256(-1), "negative");
  refuse_size(base256(INT64_MIN), "negative");
  refuse_size(base256(INT64_MAX), "is not the size");
  refuse_size("\x80" + std::string(11, '\xff'), "is not the size");
  refuse_size("\xbf" + std::string(11, '\xff'), "is not the size");
  refuse_size("12x4", "is not the size");
  refuse_size("12 4", "is not the size");
  refuse_size("-1", "is not the size");
  refuse_size("9", "is not the size");
  refuse_size(base256(std::int64_t{1} << 60), "cut short");
  refuse_size(base256(std::int64_t{1} << 40), "cut short");
  refuse_size("777777777777", "cut short");
}

TEST(TarStream, WrongChecksumsAreRefused) {
  std::string header = tar_header({.name = "a", .size = octal(1)});
  header[3] = '!';
  refuse(header + tar_padded("x"), {"the header at byte 1024 has a wrong checksum"});
  refuse(std::string(512, 'x'), {"byte 1024", "checksum"});
  expect_listing(tar_header({.name = "\xff\xff", .size = octal(1), .signed_sum = true}) + tar_padded("x"),
                 "\xff\xff=x");
}

TEST(TarStream, TypesSayWhatAMemberIs) {
  for (const char type : {'\0', '0', '7', 'Z'}) expect_listing(tar_member("a", "x", type), "a=x");
  expect_listing(tar_member("a/", "", '0') + tar_member("d", "list", 'D') + tar_member("b", "2"), "b=2");
  // A folder has no contents, whatever size it states.
  expect_listing(tar_header({.name = "d", .size = octal(4096), .type = '5'}) + tar_member("b", "2"), "b=2");
  expect_listing(tar_member("label", "", 'V') + tar_member("acl", "u:x", 'A') + tar_member("b", "2"), "b=2");
  for (const char type : {'1', '2'})
    refuse(tar_header({.name = "l", .size = octal(9), .type = type}), {"member 'l' › it is a link"});
  for (const char type : {'3', '4', '6'})
    refuse(tar_header({.name = "l", .type = type}), {"member 'l' › it is a device or a pipe"});
  refuse(tar_member("s", "x", 'S'), {"member 's' › the member has gaps", "sparse"});
  refuse(pax_header(pax_record("GNU.sparse.major", "1")) + tar_member("s", "x"),
         {"member 's' › the member has gaps"});
  refuse(tar_member("m", "x", 'M'), {"member 'm' › it continues a file"});
}

TEST(TarStream, DamagedPaxRecordsAreRefused) {
  const std::string member = tar_member("a", "x");
  for (const std::string& records :
       {std::string("x"), std::string("9"), std::string("9 "), std::string("99 a=b\n"), std::string("6 a=b"),
        std::string("7 a=b\n"), std::string("6 abc\n"), std::string("0 a=b\n"), std::string("1 a=b\n"),
        std::string("2 a=b\n"), std::string("-6 a=b\n"), std::string("6\ta=b\n"), std::string("6 a=b\n6"),
        std::string("99999999999999999999999 a=b\n"), std::string("18446744073709551615 a=b\n")}) {
    refuse(pax_header(records) + member, {"pax header is damaged"});
  }
  expect_listing(pax_header("6 a=b\n" + std::string(20, '\0')) + member, "a=x");
  expect_listing(pax_header("") + member, "a=x");
}

TEST(TarStream, NamesAreChecked) {
  refuse(pax_header(pax_record("path", std::string("a\0b", 3))) + tar_member("a", "x"),
         {"control characters"});
  refuse(tar_member("L", std::string("a\0b", 3), 'L') + tar_member("a", "x"), {"control characters"});
  refuse(pax_header(pax_record("path", "../a")) + tar_member("a", "x"), {"leads out"});
  refuse(pax_header(pax_record("path", "/a")) + tar_member("a", "x"), {"absolute"});
  refuse(tar_header({.name = "b", .prefix = ".."}), {"leads out"});
  refuse(tar_member("", "x"), {"no name"});
  expect_listing(tar_member("\xff", "x"), "\xff=x");
}

TEST(TarStream, WhatDescribesNoMemberIsRefused) {
  refuse(tar_member("L", "name", 'L'), {"without the member"});
  refuse(pax_header(pax_record("path", "p")), {"without the member"});
  refuse(tar_header({.name = "x", .size = octal(2'000'000), .type = 'x'}), {"2000000 bytes; the limit is"});
  refuse(tar_header({.name = "x", .size = octal(5000), .type = 'x'}), {"cut short"});
}

TEST(TarStream, CutAnywhereItIsRefused) {
  const std::string members = pax_header(pax_record("path", "p")) + tar_member("a", std::string(700, 'a')) +
                              tar_member("L", "long", 'L') + tar_header({.name = "b", .size = base256(2)}) +
                              tar_padded("bb");
  const std::string whole = members + tar_end();
  // One block of zeros behind the members is enough.
  for (std::size_t size = 0; size < members.size() + 512; ++size)
    EXPECT_THROW(test::read(whole.substr(0, size)), Error);
  test::expect_no_cut_is_read(gzip(whole));
  // What is packed is cut: fine between two members alone, where the gzip file ends by design.
  for (std::size_t size = 0; size < members.size(); ++size) {
    if (size == 1024 + 512 + 1024) continue;
    EXPECT_THROW(test::read(gzip(whole.substr(0, size))), Error) << size;
  }
}

TEST(TarStream, BehindTheEndNothingIsRead) {
  const std::string tar = tar_member("a", "x") + tar_end();
  EXPECT_EQ(listing(gzip(tar + tar_member("b", "y") + "garbage")), "a=x");
  EXPECT_EQ(listing(gzip(tar) + gzip(tar_member("b", "y"))), "a=x");
  EXPECT_EQ(listing(tar + std::string(9000, '\0')), "a=x");
  expect_malformed(tar + "garbage", {"cut short"});
  expect_malformed(gzip(tar) + "garbage", {"gzip"});
  EXPECT_EQ(listing(gzip(tar_end())), "");
  expect_malformed(gzip(""), {"tar archive"});
  expect_malformed(gzip("{\"nodes\": []}"), {"a symbol file", "gunzip"});
}

TEST(TarStream, AnyByteMayBeWrongWithoutHarm) {
  const std::string tar = pax_header(pax_record("path", "p") + pax_record("size", "3")) +
                          tar_member("a", "abc") + tar_member("L", "long", 'L') +
                          tar_header({.name = "b", .size = base256(2)}) + tar_padded("bb") + tar_end();
  test::expect_no_byte_does_harm(tar);
  // Checksums that are right, so that the changes behind them count.
  for (std::size_t i = 0; i < 512; ++i) {
    for (const int value : {0x00, 0x2d, 0x7f, 0x80, 0xff}) {
      std::string header = tar_header({.name = "a", .size = octal(3)});
      header[i] = static_cast<char>(value);
      header.replace(148, 8, "        ");
      unsigned sum = 0;
      for (const char c : header) sum += static_cast<unsigned char>(c);
      header.replace(148, 6, octal(sum).substr(5));
      try {
        test::read(header + tar_padded("abc") + tar_end());
      } catch (const Error& e) {
        EXPECT_TRUE(e.code() == ErrorCode::malformed || e.code() == ErrorCode::unsupported) << e.what();
      }
    }
  }
}

}  // namespace
}  // namespace mxinfer::formats
