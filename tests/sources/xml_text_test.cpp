#include "sources/remote/s3/xml_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sources/remote/s3/utc_time.h"

namespace mxinfer::sources {
namespace {

const char* const kList = R"(<?xml version="1.0" encoding="UTF-8"?>
<!-- <Key>no</Key> -->
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>models</Name><Prefix></Prefix>
<IsTruncated>true</IsTruncated><NextContinuationToken>a/b+c==</NextContinuationToken>
<Contents><Key>a &amp; b &lt;1&gt;&#13;&#x1F600;</Key><Size>7</Size><Owner><ID>me</ID></Owner></Contents>
<Contents>
  <Key> spaces stay </Key><Size>8</Size></Contents>
<CommonPrefixes><Prefix>x/</Prefix></CommonPrefixes><CommonPrefixes><Prefix>y/</Prefix></CommonPrefixes>
</ListBucketResult>)";

TEST(XmlText, FindsRepeatedElementsInOrder) {
  std::vector<std::string> keys, folders;
  for (const auto contents : inner_xml(kList, "Contents")) keys.push_back(text_of_element(contents, "Key"));
  for (const auto prefixes : inner_xml(kList, "CommonPrefixes"))
    folders.push_back(text_of_element(prefixes, "Prefix"));
  EXPECT_EQ(keys, (std::vector<std::string>{"a & b <1>\r\xf0\x9f\x98\x80", " spaces stay "}));
  EXPECT_EQ(folders, (std::vector<std::string>{"x/", "y/"}));
}

TEST(XmlText, FindsTheFirstElement) {
  EXPECT_EQ(text_of_element(kList, "Name"), "models");
  EXPECT_EQ(text_of_element(kList, "Key").substr(0, 1), "a");  // not that of the comment
  EXPECT_EQ(text_of_element(kList, "Prefix"), "");
  EXPECT_EQ(text_of_element(kList, "NextContinuationToken"), "a/b+c==");
  EXPECT_EQ(text_of_element(kList, "Nothing"), "");
  EXPECT_EQ(text_of_element("<s3:Key  a='1'>x</s3:Key>", "Key"), "x");
  EXPECT_EQ(text_of_element("<Keys>y</Keys><Key/><Key>x</Key>", "Key"), "");
  EXPECT_EQ(inner_xml("<a>1<a>2</a></a><a/>", "a"), (std::vector<std::string_view>{"1<a>2</a>", ""}));
}

TEST(XmlText, DecodesWhatStandsForCharacters) {
  EXPECT_EQ(xml_text("&quot;&apos;&#233;&#x20ac;"), "\"'\xc3\xa9\xe2\x82\xac");
  EXPECT_EQ(xml_text("a<![CDATA[<b> &amp;]]>c<!-- d -->e<i>f</i>"), "a<b> &amp;cef");
  for (const char* other :
       {"&", "&amp", "&nothing;", "&#;", "&#xd800;", "&#x110000;", "&#99999999;", "a & b;"})
    EXPECT_EQ(xml_text(other), other);
}

TEST(XmlText, TakesWhatIsCutShort) {
  const std::string whole = kList;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_LE(inner_xml(whole.substr(0, size), "Contents").size(), 2U);
    static_cast<void>(xml_text(whole.substr(size)));
  }
  EXPECT_TRUE(inner_xml("<Key>a", "Key").empty());
  EXPECT_TRUE(inner_xml("a</Key>", "Key").empty());
  EXPECT_EQ(xml_text("a<![CDATA[b"), "ab");
}

TEST(UtcTime, IsWrittenAndRead) {
  const auto time = parse_utc("2013-05-24T00:00:00Z");
  ASSERT_TRUE(time);
  EXPECT_EQ(basic_utc(*time), "20130524T000000Z");
  EXPECT_EQ(basic_utc(*parse_utc("2024-02-29T23:59:59.123+00:00")), "20240229T235959Z");
  for (const char* other : {"", "2024-02-29", "2024-02-29T23:59:59", "2024-02-29T23:59:59+01:00",
                            "2024-02-29 23:59:59Z", "2024-0x-29T23:59:59Z", "-024-02-29T23:59:59Z"})
    EXPECT_FALSE(parse_utc(other)) << other;
}

}  // namespace
}  // namespace mxinfer::sources
