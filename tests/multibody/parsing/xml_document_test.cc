#include "wyvern/multibody/parsing/xml_document.h"

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern::multibody::internal {
namespace xml_document_test {

namespace fs = std::filesystem;

XmlDocument Parse(const std::string& text) {
  return XmlDocument::FromString(text, "f.xml");
}

TEST(XmlDocument, SaysInWhichLineTheErrorIs) {
  EXPECT_THROWS_MESSAGE(Parse("<a>\n<b>\n</a>"), std::runtime_error,
                        "f.xml:2: this is not well-formed XML");
  EXPECT_THROWS_MESSAGE(Parse("<a>\n<b x='1'\n x='2'/></a>"),
                        std::runtime_error,
                        "f.xml:3: this is not well-formed XML");
}

TEST(XmlDocument, SaysWhatIsWrong) {
  for (const auto& [text, why] :
       std::vector<std::pair<std::string, std::string>>{
           {"<robot name='r'>\n<link name='a'>\n",
            "it ends before the end of <link>, which begins in line 2; is the "
            "file cut off?"},
           {"<a>\n<b/><c x='>'>\n<!-- <d> -->\n</a>",
            "</a> in line 4 comes before the end of <c>, which begins in line "
            "2"},
           {"<a>\n</b>", "</b> in line 2 comes before the end of <a>"},
           {"<robot name=r/>", "an attribute is not written as name="},
           {"<robot>\n<link", "the tag <link in line 2 has no end"},
           {"<robot>\n<!-- x", "a remark has no end"},
           {"<robot/> text", "there is text outside of the document's element"},
           {"<robot><1/></robot>", "a '<' begins no tag"},
           {"<robot/>\n<robot/>",
            "after <robot>, which is the document, there "
            "is a <robot>"},
           {"", "it is empty"}}) {
    EXPECT_THROWS_MESSAGE(Parse(text), std::runtime_error, why);
  }
}

TEST(XmlDocument, RefusesEmptyText) {
  EXPECT_THROWS_MESSAGE(Parse(""), std::runtime_error, "f.xml:");
  EXPECT_THROWS_MESSAGE(Parse(" \n "), std::runtime_error, "f.xml:");
  EXPECT_THROWS_MESSAGE(Parse("<!-- only this -->"), std::runtime_error,
                        "f.xml:1: the document has no element.");
}

TEST(XmlDocument, RefusesBinaryData) {
  EXPECT_THROWS_MESSAGE(Parse(std::string("<a>\n\0</a>", 9)),
                        std::runtime_error, "f.xml:2: a zero byte");
  EXPECT_THROW(Parse("\x7f"
                     "ELF\x02\x01"),
               std::runtime_error);
}

TEST(XmlDocument, RefusesDeepNesting) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  EXPECT_THROWS_MESSAGE(Parse(deep), std::runtime_error,
                        "nested more than 100 deep");
}

TEST(XmlDocument, RefusesWhatIsNoFile) {
  EXPECT_THROWS_MESSAGE(XmlDocument::FromFile("/nonexistent/r.urdf"),
                        std::runtime_error,
                        "/nonexistent/r.urdf: there is no such file.");
  EXPECT_THROWS_MESSAGE(XmlDocument::FromFile(fs::temp_directory_path()),
                        std::runtime_error, "not a file but a folder");
  EXPECT_THROWS_MESSAGE(XmlDocument::FromFile("/dev/zero"), std::runtime_error,
                        "not a file but a folder or device");
}

TEST(XmlDocument, ReadsAFile) {
  const fs::path file = fs::temp_directory_path() / "xml_document_test.xml";
  std::ofstream(file) << "<a><b/></a>";
  const XmlDocument document = XmlDocument::FromFile(file);
  fs::remove(file);
  EXPECT_TRUE(document.root().IsNamed("a"));
  EXPECT_EQ(document.root().place(), file.string() + ":1");
}

}  // namespace xml_document_test
}  // namespace wyvern::multibody::internal
