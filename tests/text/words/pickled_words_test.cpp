#include "text/words/pickled_words.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/fail.h"

namespace mxinfer::text {
namespace {

using Words = std::vector<std::string>;
using namespace std::string_literals;

std::vector<std::string> unpickle(const std::string& bytes) {
  return read_pickled_texts({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()});
}

std::string unpickling_error(const std::string& bytes) {
  try {
    (void)unpickle(bytes);
  } catch (const Error& e) {
    return to_string(e.code()) + ": "s + e.what();
  }
  return "";
}

/// A .npy file of version 1.
std::string npy(const std::string& header, const std::string& elements) {
  return "\x93NUMPY\x01\x00"s + static_cast<char>(header.size()) + '\0' + header + elements;
}

Words texts(const std::string& file) {
  return read_npy_texts({reinterpret_cast<const std::byte*>(file.data()), file.size()});
}

// pickle.dumps(numpy.array(["b", "the", "b|"], dtype="O"), protocol) as NumPy 1.21 and Python 3.9 write it.
// "b" is the object that stands in the array's own description too, and is recalled from there.
const std::string kProtocol3 =
    "\x80\x03"
    "cnumpy.core.multiarray\n_reconstruct\nq\x00"
    "cnumpy\nndarray\nq\x01K\x00\x85q\x02"
    "C\x01"
    "bq\x03\x87q\x04Rq\x05(K\x01K\x03\x85q\x06"
    "cnumpy\ndtype\nq\x07X\x02\x00\x00\x00O8q\x08\x89\x88\x87q\tRq\n(K\x03X\x01\x00\x00\x00|"
    "q\x0bNNNJ\xff\xff\xff"
    "\xffJ\xff\xff\xff\xffK?tq\x0c"
    "b\x89]q\r(X\x01\x00\x00\x00"
    "bq\x0eX\x03\x00\x00\x00theq\x0fh\x0b"
    "etq\x10"
    "b."s;

TEST(PickledWords, OfAnArrayOfObjects) {
  EXPECT_EQ(unpickle(kProtocol3), (Words{"b", "the", "|"}));
}

TEST(PickledWords, OfNewerProtocols) {
  EXPECT_EQ(unpickle("\x80\x04\x95\x10\0\0\0\0\0\0\0]\x94(\x8c\x01"
                     "a\x94\x8c\x04\xf0\x9f\x90\xb1\x94"
                     "e."s),
            (Words{"a", "\xf0\x9f\x90\xb1"}));
  EXPECT_EQ(unpickle("\x80\x04]\x94\x8c\x01"
                     "a\x94"
                     "a."s),
            Words{"a"});
  EXPECT_EQ(unpickle("\x80\x04]\x94."s), Words{});
}

TEST(PickledWords, RefusesWhatIsNotAListOfTexts) {
  EXPECT_NE(unpickling_error("\x80\x03](K\x01"
                             "e."s)
                .find("an object of the array is not a text"),
            std::string::npos);
  EXPECT_NE(unpickling_error("\x80\x03](X\xff\xff\xff\xff"s), "");
  EXPECT_NE(unpickling_error("\x80\x03r\xff\xff\xff\xff."s), "");
  EXPECT_NE(unpickling_error("\x80\x03h\x05."s), "");
  EXPECT_NE(unpickling_error("e."s), "");
  EXPECT_NE(unpickling_error("a."s), "");
  EXPECT_NE(unpickling_error("R."s), "");
  EXPECT_NE(unpickling_error("t."s), "");
  EXPECT_NE(unpickling_error("c"s), "");
  EXPECT_NE(unpickling_error(""s), "");
  EXPECT_NE(unpickling_error("\x80\x04\x8c\x08os.system\x94i."s), "");
  for (std::size_t size = 0; size < kProtocol3.size(); ++size)
    EXPECT_NE(unpickling_error(kProtocol3.substr(0, size)), "");
}

TEST(PickledWords, ATextThatIsRecalledManyTimesCostsNoMemory) {
  std::string pickle = "\x80\x03](X\x00\x01\x00\x00"s + std::string(256, 'a') + "q\x00"s;
  for (int i = 0; i < 1000; ++i) pickle += "h\x00"s;
  EXPECT_NE(unpickling_error(pickle + "e."s).find("many times"), std::string::npos);
}

// cPickle.dumps(numpy.array([u"a", u"b"], dtype="O"), 2) of Python 2: places in memory begin at 1.
TEST(PickledWords, OfPython2) {
  EXPECT_EQ(
      unpickle("\x80\x02"
               "cnumpy.core.multiarray\n_reconstruct\nq\x01"
               "cnumpy\nndarray\nq\x02K\x00\x85U\x01"
               "b\x87Rq\x03(K\x01K\x02\x85"
               "cnumpy\ndtype\nq\x04U\x02O8K\x00K\x01\x87Rq\x05(K\x03U\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff"
               "\xffK?tb\x89]q\x06(X\x01\x00\x00\x00"
               "aq\x07X\x01\x00\x00\x00"
               "bq\x08"
               "etb."s),
      (Words{"a", "b"}));
  EXPECT_NE(unpickling_error("\x80\x02]q\x02."s).find("not the next one"), std::string::npos);
  // Where nothing was put there is nothing that a list takes.
  EXPECT_NE(unpickling_error("\x80\x02]q\x01(h\x00"
                             "e."s)
                .find("not a text"),
            std::string::npos);
}

TEST(PickledWords, OfManyValuesCostNoMemory) {
  EXPECT_EQ(unpickle("\x80\x02" + std::string(1000, ']') + "."), Words{});
  EXPECT_NE(unpickling_error("\x80\x02" + std::string(1001, ']') + ".").find("more than 1000 lists"),
            std::string::npos);
  const std::size_t most = std::size_t{1} << 25;
  EXPECT_NE(unpickling_error("\x80\x02" + std::string(most + 1, 'N') + ".").find("more than 33554432 values"),
            std::string::npos);
}

TEST(PickledWords, OfFilesOfNumPy) {
  const std::string header = "{'descr': '|O', 'fortran_order': False, 'shape': (3,), }\n";
  EXPECT_EQ(texts(npy(header, kProtocol3)), (Words{"b", "the", "|"}));
  const std::string wide = "{'descr': '<U2', 'fortran_order': False, 'shape': (2,), }\n";
  EXPECT_EQ(texts(npy(wide, "a\0\0\0\xfc\0\0\0\x31\xf4\x01\0\0\0\0\0"s)),
            (Words{"a\xc3\xbc", "\xf0\x9f\x90\xb1"}));
  EXPECT_EQ(texts(npy("{'descr': '<U1', 'fortran_order': False, 'shape': (2,), }\n",
                      "\0\xd8\0\0\xff\xff\xff\xff"s)),
            (Words{"\xef\xbf\xbd", "\xef\xbf\xbd"}));
  EXPECT_EQ(texts(npy("{'descr': '|S3', 'fortran_order': False, 'shape': (2,), }\n", "ab\0abc"s)),
            (Words{"ab", "abc"}));
  EXPECT_EQ(texts(npy("{'descr': '<U0', 'fortran_order': False, 'shape': (), }\n", "")), (Words{""}));
}

TEST(PickledWords, RefusesFilesOfOtherSizes) {
  EXPECT_THROW(texts(npy("{'descr': '<U2', 'fortran_order': False, 'shape': (2,), }\n", "a\0\0\0"s)), Error);
  EXPECT_THROW(texts(npy("{'descr': '<U0', 'fortran_order': False, 'shape': (9999999999,), }\n", "")), Error);
  EXPECT_THROW(texts(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n", "abcd")), Error);
  EXPECT_THROW(texts(npy("{'descr': '<U99999999999', 'fortran_order': False, 'shape': (1,), }\n", "")),
               Error);
}

}  // namespace
}  // namespace mxinfer::text
