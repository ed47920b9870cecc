// Edits of a YAML text: the value changes, and every other byte stays.
#include "wyvern/app/yaml_text.h"

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/systems/yaml/yaml_io.h"

namespace wyvern::app {
namespace yaml_text_test {

using yaml::internal::NodePtr;

NodePtr Value(const std::string& text) {
  return yaml::internal::Parse(text, "value");
}

constexpr const char* kText = R"(# Top.
blocks:
  # The error.
  error: !Adder {signs: "+-"}  # of one
  loop: !Diagram
    blocks:
      g: !Gain {k: [1,
        2]}
    # inside
    connections: []
  # Behind the loop.

# Wires.
connections:
- {from: a/y, to: b/u}  # first
- from: c/y
  to: d/u
- {from: "e/y: odd", to: f/u}
logs: []  # none
)";

// Text `from`, which must be there once, becomes `to`.
std::string Replaced(std::string text, const std::string& from,
                     const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  EXPECT_EQ(text.find(from, at + 1), std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(YamlText, AnEntryIsAddedBehindTheLastOneOfABlock) {
  YamlText text(kText, "a.yaml");
  text.AddEntry({"blocks", "more"}, Value("!Gain {k: [2, -3.5e-3]}"));
  EXPECT_EQ(text.text(),
            Replaced(kText, "    connections: []\n",
                     "    connections: []\n  more: !Gain {k: [2, -3.5e-3]}\n"));
  EXPECT_EQ(text.root()->Find("blocks")->entries.size(), 3u);
}

TEST(YamlText, MissingMappingsAndSequencesAreMade) {
  YamlText text("a: 1 # one\nempty:\n", "a.yaml");
  text.AddEntry({"model_parameters", "arm", "mass"}, Value("2"));
  text.AddEntry({"empty", "x"}, Value("!Integrator {}"));
  text.AddItem("wires", Value("{from: a, to: b}"));
  text.AddItem("wires", Value("{from: c, to: d}"));
  EXPECT_EQ(text.text(),
            "a: 1 # one\nempty:\n  x: !Integrator {}\n"
            "model_parameters: {arm: {mass: 2}}\n"
            "wires:\n- {from: a, to: b}\n- {from: c, to: d}\n");
  text.AddEntry({"model_parameters", "arm", "friction"}, Value("0.5"));
  EXPECT_NE(text.text().find("{arm: {mass: 2, friction: 0.5}}\n"),
            std::string::npos)
      << text.text();
}

TEST(YamlText, TextWithoutALastLineBreakGetsOne) {
  YamlText text("a: 1", "a.yaml");
  text.AddEntry({"b"}, Value("2"));
  EXPECT_EQ(text.text(), "a: 1\nb: 2\n");
}

TEST(YamlText, RemovedEntriesLeaveCommentsAroundThem) {
  YamlText text(kText, "a.yaml");
  text.RemoveEntry({"blocks", "error"});
  EXPECT_EQ(text.text(),
            Replaced(kText, "  error: !Adder {signs: \"+-\"}  # of one\n", ""));
  text.RemoveEntry({"blocks", "loop"});  // The last one takes `blocks` along.
  EXPECT_EQ(text.root()->Find("blocks"), nullptr);
  EXPECT_NE(text.text().find("# Behind the loop.\n"), std::string::npos);
  EXPECT_NE(text.text().find("# Wires.\n"), std::string::npos);
}

TEST(YamlText, ItemsAreRemovedFromBlocksAndBrackets) {
  YamlText text(kText, "a.yaml");
  text.RemoveItem("connections", 1);
  EXPECT_EQ(text.text(), Replaced(kText, "- from: c/y\n  to: d/u\n", ""));
  text.RemoveItem("connections", 0);
  text.RemoveItem("connections", 0);
  EXPECT_EQ(text.root()->Find("connections"), nullptr);
  YamlText flow("w: [{a: 1}, {b: '], #'} , [c]]  # end\n", "a.yaml");
  flow.RemoveItem("w", 1);
  EXPECT_EQ(flow.text(), "w: [{a: 1}, [c]]  # end\n");
  flow.RemoveItem("w", 0);
  EXPECT_EQ(flow.text(), "w: [[c]]  # end\n");
  flow.AddItem("w", Value("{d: 1}"));
  EXPECT_EQ(flow.text(), "w: [[c], {d: 1}]  # end\n");
  flow.RemoveItem("w", 1);
  EXPECT_EQ(flow.text(), "w: [[c]]  # end\n");
}

TEST(YamlText, AValueInBracketsIsReplacedAndItsRemarkStays) {
  YamlText text(kText, "a.yaml");
  text.ReplaceEntry({"blocks", "error"}, Value("!Adder {signs: '++'}"));
  EXPECT_EQ(text.text(), Replaced(kText, R"(!Adder {signs: "+-"})",
                                  R"(!Adder {signs: "++"})"));
  text.ReplaceEntry({"blocks", "loop"}, Value("!Gain {k: [1]}"));
  EXPECT_NE(text.text().find("  loop: !Gain {k: [1]}\n  # Behind the loop."),
            std::string::npos)
      << text.text();
}

TEST(YamlText, LongValuesGoOnSeveralLines) {
  YamlText text("a:\n  b: 1\n", "a.yaml");
  std::string numbers = "1";
  for (int i = 0; i < 40; ++i) numbers += ", 2.5";
  text.AddEntry({"a", "c"},
                Value("!Gain {k: [" + numbers + "], tunable: true}"));
  EXPECT_NE(text.text().find("  c: !Gain\n    k: ["), std::string::npos)
      << text.text();
}

TEST(YamlText, WordsThatMeanSomethingElseAreQuoted) {
  YamlText text("a: 1\n", "a.yaml");
  text.AddEntry({"null"}, Value("'3'"));
  text.AddEntry({"b: c"}, Value("'x # y, [z'"));
  EXPECT_EQ(text.text(), "a: 1\n\"null\": \"3\"\n\"b: c\": \"x # y, [z\"\n");
}

// An alias and a merge key: one text, several values.
TEST(YamlText, AnEditThatWouldChangeAnotherValueIsRefused) {
  const char* const shared = "a: &x {k: 1}\nb: *x\nc:\n  <<: *x\n  z: 1\n";
  YamlText text(shared, "a.yaml");
  EXPECT_THROWS_MESSAGE(text.AddEntry({"a", "more"}, Value("2")),
                        std::runtime_error,
                        "a.yaml: 'a.more' cannot be edited here");
  EXPECT_THROWS_MESSAGE(text.RemoveEntry({"c", "k"}), std::runtime_error,
                        "cannot be edited here");
  EXPECT_THROWS_MESSAGE(text.AddEntry({"b", "more"}, Value("2")),
                        std::runtime_error, "cannot be edited here");
  EXPECT_THROWS_MESSAGE(text.AddEntry({"a"}, Value("2")), std::runtime_error,
                        "is there already");
  EXPECT_THROWS_MESSAGE(text.RemoveEntry({"q"}), std::runtime_error,
                        "no such entry");
  EXPECT_THROWS_MESSAGE(text.RemoveItem("a", 0), std::runtime_error,
                        "no item 0");
  EXPECT_THROWS_MESSAGE(text.AddItem("a", Value("1")), std::runtime_error,
                        "it is a mapping");
  EXPECT_EQ(text.text(), shared);
  EXPECT_THROWS_MESSAGE(YamlText("[1, 2]", "a.yaml"), std::runtime_error,
                        "give a mapping");
}

TEST(YamlText, ATagThatIsNoWordIsRefused) {
  yaml::internal::Node node;
  node.tag = "!a b: c";
  EXPECT_THROWS_MESSAGE(WriteFlowYaml(node), std::runtime_error, "not a word");
}

}  // namespace yaml_text_test
}  // namespace wyvern::app
