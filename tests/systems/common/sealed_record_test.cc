#include "wyvern/systems/common/sealed_record.h"

#include <sstream>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern::internal {
namespace sealed_record_test {

std::string Seal(const std::string& content) {
  std::ostringstream stream;
  WriteSealed("thing", 7, content, &stream);
  return stream.str();
}

std::string Unseal(const std::string& bytes) {
  std::istringstream stream(bytes);
  return ReadSealed("Load", "thing", 7, &stream);
}

TEST(SealedRecord, ContentComesBackAndTheStreamStandsBehindIt) {
  const std::string content("a\0b\n", 4);
  std::istringstream stream(Seal(content) + Seal("") + "rest");
  EXPECT_EQ(ReadSealed("Load", "thing", 7, &stream), content);
  EXPECT_EQ(ReadSealed("Load", "thing", 7, &stream), "");
  std::string rest;
  stream >> rest;
  EXPECT_EQ(rest, "rest");
}

TEST(SealedRecord, EveryChangeOfOneByteAndEveryTruncationIsRefused) {
  const std::string whole = Seal("some content");
  for (size_t n = 0; n < whole.size(); ++n) {
    EXPECT_THROWS_MESSAGE(Unseal(whole.substr(0, n)), std::runtime_error,
                          "Load(): ");
    for (int value = 0; value < 256; ++value) {
      std::string bad = whole;
      bad[n] = static_cast<char>(value);
      if (bad == whole) continue;
      EXPECT_THROWS_MESSAGE(Unseal(bad), std::runtime_error, "Load(): ");
    }
  }
}

TEST(SealedRecord, SaysWhatIsWrong) {
  std::string bad = Seal("some content");
  EXPECT_THROWS_MESSAGE(Unseal("something else"), std::runtime_error,
                        "does not start as a saved thing does");
  EXPECT_THROWS_MESSAGE(Unseal(bad.substr(0, 30)), std::runtime_error,
                        "the saved thing is not whole");
  bad.back() ^= 1;
  EXPECT_THROWS_MESSAGE(Unseal(bad), std::runtime_error,
                        "the saved thing has been changed since");
  std::istringstream stream(Seal("some content"));
  EXPECT_THROWS_MESSAGE(ReadSealed("Load", "thing", 8, &stream),
                        std::runtime_error,
                        "is in version 7 of the format, and only version 8");
}

// The reference values of the algorithm's authors.
TEST(HashBytes, IsFnv1a) {
  EXPECT_EQ(HashBytes(""), 0xcbf29ce484222325);
  EXPECT_EQ(HashBytes("a"), 0xaf63dc4c8601ec8c);
  EXPECT_EQ(HashBytes("foobar"), 0x85944171f73967e8);
}

}  // namespace sealed_record_test
}  // namespace wyvern::internal
