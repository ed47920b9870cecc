#include "wyvern/multibody/parsing/xml_element.h"

#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/multibody/parsing/xml_document.h"

namespace wyvern::multibody::internal {
namespace {

class XmlElementTest : public testing::Test {
 protected:
  const XmlDocument document_ = XmlDocument::FromString(R"(<!-- line 1 -->
<robot name="arm" empty="" scoped="a::b" number=" 1.5 " bad="1,5"
       top="inf" xyz=" 1 2
                      -3" xy="1 2" inf="1 2 inf" drake:value="7">
  <one>  some text  </one>
  <two/>
  <two/>
  <wyvern:extra/>
</robot>)",
                                                        "f.xml");
  const XmlElement robot_ = document_.root().About("robot 'arm'");
};

TEST_F(XmlElementTest, AnErrorSaysWhereAndWho) {
  EXPECT_EQ(robot_.place(), "f.xml:2");
  EXPECT_THROWS_MESSAGE(robot_.Throw("no."), std::runtime_error,
                        "f.xml:2: robot 'arm': no.");
  EXPECT_THROWS_MESSAGE(robot_.RequiredChild("one").Throw("no."),
                        std::runtime_error, "f.xml:5: robot 'arm': no.");
}

TEST_F(XmlElementTest, FindsChildren) {
  EXPECT_EQ(robot_.children().size(), 4u);
  EXPECT_EQ(robot_.RequiredChild("one").text(), "some text");
  EXPECT_EQ(robot_.children()[1].text(), "");
  EXPECT_FALSE(robot_.Child("three").has_value());
  EXPECT_THROWS_MESSAGE(robot_.RequiredChild("three"), std::runtime_error,
                        "<robot> has no <three>; one is wanted.");
  EXPECT_THROWS_MESSAGE(robot_.Child("two"), std::runtime_error,
                        "f.xml:7: robot 'arm': <robot> has a second <two>");
}

TEST_F(XmlElementTest, TheFirstOfSeveralChildrenIsFoundWithAWarning) {
  internal::WarningLog log;
  log.set_handler({});
  EXPECT_EQ(robot_.FirstChild("two", &log)->place(), "f.xml:6");
  EXPECT_FALSE(robot_.FirstChild("three", &log).has_value());
  log.EndFile();
  EXPECT_EQ(log.warnings(),
            std::vector<std::string>{"f.xml:7: a second <two> in <robot> is "
                                     "ignored; the first counts."});
}

TEST_F(XmlElementTest, BothPrefixesMarkAnExtension) {
  const auto extra = robot_.ExtensionChild("extra");
  ASSERT_TRUE(extra.has_value());
  EXPECT_TRUE(extra->IsExtension());
  EXPECT_FALSE(robot_.Child("extra").has_value());
  EXPECT_FALSE(robot_.ExtensionChild("one").has_value());
  EXPECT_EQ(robot_.ExtensionBound("value"), 7);
  EXPECT_EQ(robot_.Bound("value"), std::nullopt);
}

TEST_F(XmlElementTest, ReadsNumbers) {
  EXPECT_EQ(robot_.Number("number"), 1.5);
  EXPECT_EQ(robot_.RequiredNumber("number"), 1.5);
  EXPECT_EQ(robot_.Number("absent"), std::nullopt);
  EXPECT_EQ(robot_.Bound("top"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(robot_.Triple("xyz"), Vector3<double>(1, 2, -3));
  EXPECT_EQ(robot_.Triple("absent"), std::nullopt);
}

TEST_F(XmlElementTest, RefusesWhatIsNotANumber) {
  EXPECT_THROWS_MESSAGE(robot_.Number("bad"), std::runtime_error,
                        "bad=\"1,5\" in <robot> is not a number.");
  EXPECT_THROWS_MESSAGE(robot_.Number("top"), std::runtime_error,
                        "top in <robot> is infinite");
  EXPECT_THROWS_MESSAGE(robot_.RequiredNumber("absent"), std::runtime_error,
                        "<robot> has no attribute 'absent'");
  EXPECT_THROWS_MESSAGE(robot_.Triple("xy"), std::runtime_error,
                        "xy=\"1 2\" in <robot> is not three finite numbers");
  EXPECT_THROWS_MESSAGE(robot_.Triple("inf"), std::runtime_error,
                        "is not three finite numbers");
}

TEST_F(XmlElementTest, RefusesWhatIsNotAName) {
  EXPECT_EQ(robot_.RequiredName("name"), "arm");
  EXPECT_THROWS_MESSAGE(robot_.RequiredName("empty"), std::runtime_error,
                        "empty=\"\" in <robot> is no name");
  EXPECT_THROWS_MESSAGE(robot_.RequiredName("scoped"), std::runtime_error,
                        "scoped=\"a::b\" in <robot> is no name");
}

TEST_F(XmlElementTest, WarnsOfAttributesThatAreNotExpected) {
  WarningLog log;
  log.set_handler({});
  robot_.ExpectAttributes({"name", "empty", "scoped", "number", "bad", "top",
                           "xyz", "xy", "inf", "drake:value"},
                          &log);
  log.EndFile();
  EXPECT_TRUE(log.warnings().empty());
  robot_.ExpectAttributes({"name"}, &log);
  log.EndFile();
  ASSERT_EQ(log.warnings().size(), 9u);
  EXPECT_NE(log.warnings()[0].find("the attribute 'empty' of <robot> is not "
                                   "known and is ignored; those read are: "
                                   "name."),
            std::string::npos);
}

}  // namespace
}  // namespace wyvern::multibody::internal
