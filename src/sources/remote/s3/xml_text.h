// Texts out of the XML that S3 and STS answer with. No parser of XML: elements are found by their names, and
// the documents that it is for are flat.
//
//   for (std::string_view contents : inner_xml(answer, "Contents")) keys.push_back(text_of_element(contents, "Key"));
//   text_of_element(answer, "NextContinuationToken");
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mxinfer::sources {

/// What is between the tags of each element of the name, in order, as it stands there: views into `xml`. Of
/// elements inside one another the outer ones; prefixes of namespaces do not matter. What is cut short is
/// left out.
std::vector<std::string_view> inner_xml(std::string_view xml, std::string_view name);

/// The text of the first element of the name; empty if there is none.
std::string text_of_element(std::string_view xml, std::string_view name);

/// "a&amp;b" is "a&b": entities, numbers of characters and CDATA as what they stand for, without tags and
/// comments.
std::string xml_text(std::string_view inner);

}  // namespace mxinfer::sources
