// Lists of whole numbers on the command line, such as "3,17,4".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mxinfer::cli {

/// Each number is from 0 to 2,147,483,647. UsageError for other texts, which says that it expected `wanted`:
/// "ids such as 3,17,4".
std::vector<std::int32_t> parse_numbers(const std::string& option, const std::string& text,
                                        const std::string& wanted);
/// The value of --buckets: ascending lengths above 0, or no lengths for an empty text. UsageError for other
/// texts.
std::vector<std::int64_t> parse_buckets(const std::string& text);

}  // namespace mxinfer::cli
