// Looking up words allocates nothing, and memory that is refused while vocabularies and word vectors are read
// or searched is an Error.
#include <gtest/gtest.h>
#include <mxinfer/error.h>
#include <mxinfer/sequence/word_vectors.h>

#include <string>
#include <vector>

#include "alloc/counting_malloc.h"

#if MXINFER_COUNTS_ALLOCATIONS

namespace mxinfer::test {
namespace {

TEST(WordAllocations, LookUpsMakeNone) {
  const Vocabulary vocabulary({"a", "pleasant", "a word that is longer than a short string may be"});
  const std::string_view longest = "a word that is longer than a short string may be";
  const long before = allocations;
  int found = 0;
  for (const std::string_view word : {std::string_view("pleasant"), longest, std::string_view("night")})
    found += vocabulary.find(word) ? 1 : 0;
  found += static_cast<int>(vocabulary.word(vocabulary.id(longest)).size());
  const Vocabulary copy = vocabulary;
  EXPECT_EQ(copy.size(), 3u);
  EXPECT_EQ(allocations - before, 0);
  EXPECT_EQ(found, 2 + static_cast<int>(longest.size()));
}

/// Refuses the first allocation of `body`, then the second, and so on, until it needs no more.
template <typename Body>
void refuse_each(const Body& body) {
  for (long n = 0; n < 5000; ++n) {
    refuse_allocation(n);
    try {
      body();
    } catch (const Error& e) {
      refuse_allocation(-1);
      EXPECT_EQ(e.code(), ErrorCode::out_of_memory) << e.what();
    }
    const bool done = !was_refused();
    refuse_allocation(-1);
    if (!done) continue;
    EXPECT_GT(n, 0);
    return;
  }
  ADD_FAILURE() << "there is no end to it";
}

TEST(WordAllocations, RefusedOnesAreErrors) {
  const std::string text = "a 1 0\nb 0.5 0.5\na 0 1\nc 0 1\n";
  // Not JSON: values of nlohmann-json allocate where they are destroyed.
  WordVectorsOptions options;
  options.threads = 1;
  const WordVectors vectors = WordVectors::parse(text, options);
  (void)vectors.nearest("a", 2);
  refuse_each([&] { (void)Vocabulary::parse(std::string("a 1\nb 0\n")); });
  refuse_each([&] { (void)WordVectors::parse(text, options); });
  refuse_each([&] { (void)vectors.nearest("a", 2); });
  refuse_each([&] { (void)vectors.analogy("a", "b", "c", 2); });
}

}  // namespace
}  // namespace mxinfer::test

#endif
