// Pages edit blocks and wires: what they say, also what they should not say.
#include "wyvern/app/scenario_editor.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "tests/geometry/viewer/page_client.h"
#include "wyvern/app/scenario_io.h"

namespace wyvern::app {
namespace scenario_editor_test {

namespace fs = std::filesystem;
using geometry::Viewer;
using geometry::test::PageClient;
using nlohmann::json;

constexpr const char* kScenario = R"(# A loop.
blocks:
  level: !ConstantVectorSource {value: [1]}  # wanted
  gain: !Gain
    k: [2]
connections:
- {from: level/y0, to: gain/u0}  # first
)";

class ScenarioEditorTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!Viewer::IsAvailable()) GTEST_SKIP() << "This build has no viewer.";
    fs::create_directories(folder_);
    std::ofstream(file_) << kScenario;
    viewer_ = std::make_shared<Viewer>();
    viewer_->AddButton("mark");
    page_ = std::make_unique<PageClient>(*viewer_);
    editor_.emplace(
        viewer_, file_.string(),
        [this](const std::string& text) {
          ++num_checks_;
          ScenarioSimulation(LoadScenarioFromString(text, {}, file_.string()),
                             folder_);
        },
        &out_);
    const Scenario scenario = LoadScenario(file_.string());
    simulation_ = std::make_unique<ScenarioSimulation>(scenario, folder_);
    editor_->Begin(scenario, *simulation_);
    shown_ = Next();
  }
  void TearDown() override { fs::remove_all(folder_); }

  // The newest item that the page gets.
  json Next() {
    const auto items = page_->ReadUntil("editor");
    json last;
    for (const json& item : items) {
      if (item.value("type", "") == "editor") last = item;
    }
    page_->Send("read");
    return last;
  }
  void Send(const std::string& action, const std::vector<std::string>& texts) {
    page_->Send(
        json{{"type", "edit"}, {"path", action}, {"paths", texts}}.dump());
  }
  // Says it, and waits for what the page is told.
  void Say(const std::string& action,
           const std::vector<std::string>& texts = {}) {
    Send(action, texts);
    Settle();
    shown_ = Next();
  }
  // Waits until the server's thread has what was sent, and does it all.
  void Settle() {
    page_->Send(json{{"type", "button"}, {"path", "mark"}}.dump());
    ++num_marks_;
    while (viewer_->GetButtonClicks("mark") < num_marks_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    for (int i = 0; i < 100; ++i) editor_->Update();
  }
  std::string ReadFile() const {
    std::ifstream stream(file_);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  std::string error() const { return shown_["error"]; }
  std::string text() const { return shown_["text"]; }

  const fs::path folder_ =
      fs::path(testing::TempDir()) / fmt::format("wyvern_editor_{}", getpid());
  const fs::path file_ = folder_ / "loop.yaml";
  std::ostringstream out_;
  std::shared_ptr<Viewer> viewer_;
  std::unique_ptr<PageClient> page_;
  int num_checks_{0};
  int num_marks_{0};
  std::optional<ScenarioEditor> editor_;
  std::unique_ptr<ScenarioSimulation> simulation_;
  json shown_;
};

TEST_F(ScenarioEditorTest, ShowsBlocksPortsAndWires) {
  ASSERT_EQ(shown_["blocks"].size(), 2u);
  EXPECT_EQ(shown_["blocks"][1]["name"], "gain");
  EXPECT_EQ(shown_["blocks"][1]["type"], "Gain");
  EXPECT_EQ(shown_["blocks"][1]["fields"], "k: [2]\n");
  EXPECT_EQ(shown_["blocks"][1]["in"], json::array({"u0"}));
  EXPECT_EQ(shown_["others"][0]["name"], "plant");
  EXPECT_EQ(shown_["wires"], json::parse(R"([["level/y0", "gain/u0"]])"));
  EXPECT_FALSE(shown_["unsaved"]);
}

TEST_F(ScenarioEditorTest, EditsAreADraftUntilSomebodySavesIt) {
  Say("add", {"sum", "Adder", "signs: '+-'"});
  EXPECT_EQ(error(), "");
  Say("wire", {"gain/y0", "sum/u0"});
  Say("change", {"gain", "Gain", "k: [3]"});
  EXPECT_EQ(text(), R"(# A loop.
blocks:
  level: !ConstantVectorSource {value: [1]}  # wanted
  gain: !Gain {k: [3]}
  sum: !Adder {signs: "+-"}
connections:
- {from: level/y0, to: gain/u0}  # first
- {from: gain/y0, to: sum/u0}
)");
  EXPECT_EQ(ReadFile(), kScenario);
  EXPECT_TRUE(shown_["unsaved"]);
  EXPECT_EQ(num_checks_, 0);
  Say("save");
  EXPECT_EQ(error(), "");
  EXPECT_EQ(ReadFile(), text());
  EXPECT_FALSE(shown_["unsaved"]);
  Say("remove", {"gain"});  // With both of its wires.
  EXPECT_EQ(shown_["wires"], json::array());
  EXPECT_EQ(shown_["blocks"].size(), 2u);
  Say("undo");
  EXPECT_EQ(ReadFile(), text());
  Say("unwire", {"gain/y0", "sum/u0"});
  Say("discard");
  EXPECT_EQ(ReadFile(), text());
}

// "gain" is also the start of the other block's name.
TEST_F(ScenarioEditorTest, RemovingABlockLeavesTheWiresOfOthers) {
  Say("add", {"gain_2", "Gain", "k: [3]"});
  Say("wire", {"level/y0", "gain_2/u0"});
  Say("remove", {"gain"});
  EXPECT_EQ(error(), "");
  EXPECT_EQ(shown_["wires"], json::parse(R"([["level/y0", "gain_2/u0"]])"));
}

TEST_F(ScenarioEditorTest, ADraftRunsOnceItHasPassedTheCheck) {
  Say("wire", {"gain/nothing", "level/u7"});
  EXPECT_EQ(error(), "");
  Say("run");
  EXPECT_NE(error().find("loop.yaml:8:"), std::string::npos) << error();
  EXPECT_NE(error().find("no output port 'nothing'"), std::string::npos);
  EXPECT_FALSE(editor_->WantsRun());
  EXPECT_FALSE(editor_->running_text().has_value());
  Say("save");
  EXPECT_NE(error(), "");
  EXPECT_EQ(ReadFile(), kScenario);
  Say("undo");
  Say("add", {"more", "Gain", ""});
  Say("run");
  EXPECT_EQ(error(), "");
  EXPECT_TRUE(editor_->WantsRun());
  EXPECT_EQ(editor_->running_text(), text());
  editor_->Begin(LoadScenarioFromString(text()), *simulation_);
  EXPECT_FALSE(editor_->WantsRun());
  EXPECT_FALSE(Next()["unrun"]);
  EXPECT_EQ(ReadFile(), kScenario);
}

TEST_F(ScenarioEditorTest, AMistakeIsSaidWithItsLineAndChangesNothing) {
  const auto refuses = [&](const std::string& action,
                           const std::vector<std::string>& texts,
                           const std::string& message) {
    Say(action, texts);
    EXPECT_NE(error().find(message), std::string::npos) << error();
    EXPECT_EQ(text(), kScenario);
    EXPECT_FALSE(shown_["unsaved"]);
  };
  refuses("add", {"x", "Gain", "kk: [1]"}, "loop.yaml:6:");
  EXPECT_NE(shown_["refused"].get<std::string>().find("x: !Gain {kk: [1]}"),
            std::string::npos);
  refuses("add", {"x", "Gian", ""}, "is '!Gain' meant?");
  refuses("add", {"x", "Gain", "k: ["}, "fields of 'x':");
  refuses("add", {"x", "Gain", "[1]"}, "are a sequence of 1");
  refuses("add", {"x", "Gain", "k: [.nan]"}, "loop.yaml:6:");
  refuses("add", {"x", "Gain", "k: [1]\n---\nk: [2]"}, "second document");
  refuses("add", {"gain", "Gain", ""}, "already");
  refuses("change", {"other", "Gain", ""}, "add it first");
  refuses("remove", {"other"}, "no block 'other'");
  refuses("wire", {"level/y0", "gain/u0"}, "has a wire from 'level/y0'");
  refuses("wire", {"level", "gain/u1"}, "block/port");
  refuses("unwire", {"gain/y0", "gain/u0"}, "no wire");
  refuses("undo", {}, "no edit to undo");
  refuses("save", {}, "no edits to save");
}

TEST_F(ScenarioEditorTest, HostilePagesWriteAndReadNoFiles) {
  const auto refuses = [&](const std::vector<std::string>& texts,
                           const std::string& message) {
    Say("add", texts);
    EXPECT_NE(error().find(message), std::string::npos) << error();
    EXPECT_EQ(text(), kScenario);
  };
  refuses({"x", "DiagramFile", "file: /etc/passwd"}, "would read a file");
  refuses({"x", "Diagram", "blocks: {y: !DiagramFile {file: /etc/passwd}}"},
          "would read a file");
  for (const std::string name :
       {"", "a: b", "a\nb", "../x", "a/b", "1a", "<script>", "'"}) {
    refuses({name, "Gain", ""}, "not valid for a block");
  }
  refuses({std::string(65, 'a'), "Gain", ""}, "not valid for a block");
  refuses({"x", "Gain", "k: [1] #" + std::string(40000, 'x')}, "the limit");
  refuses({"x", "Gain", "k: &a [*a]"}, "alias");
  refuses({"x", "ZeroOrderHold", "size: 2000000000"}, "size");
  Say("wire", {"level/y0", "a\n- b/c"});
  EXPECT_NE(error(), "");
  EXPECT_EQ(text(), kScenario);
  EXPECT_EQ(ReadFile(), kScenario);
}

// Messages of no meaning are ignored, and a flood is cut off.
TEST_F(ScenarioEditorTest, MessagesThatAreNoRequestsDoNothing) {
  for (const char* message :
       {R"({"type":"edit"})", R"({"type":"edit","path":"save","paths":[1]})",
        R"({"type":"edit","path":"format","paths":[]})",
        R"({"type":"edit","path":"add","paths":["x"]})",
        R"({"type":"edit","path":"add","paths":{"a":1}})",
        R"({"type":"edit","path":7,"value":1e999})",
        R"({"type":"edit","path":"run","paths":["x"],"value":null})"}) {
    page_->Send(message);
  }
  Say("undo");  // Is answered, so all others have been read.
  EXPECT_NE(error().find("no edit to undo"), std::string::npos) << error();
  EXPECT_EQ(num_checks_, 0);
  for (int i = 0; i < 500; ++i) {
    Send("add", {fmt::format("flood_{}", i), "Gain", ""});
  }
  Say("undo");
  EXPECT_LE(shown_["blocks"].size(), 2u + 32u);
  EXPECT_GT(shown_["blocks"].size(), 2u);
  EXPECT_EQ(ReadFile(), kScenario);
}

TEST_F(ScenarioEditorTest, AFileThatHasChangedMeanwhileIsNotWritten) {
  Say("add", {"x", "Gain", ""});
  const std::string changed = std::string(kScenario) + "# mine\n";
  std::ofstream(file_) << changed;
  Say("save");
  EXPECT_NE(error().find("has changed since"), std::string::npos) << error();
  EXPECT_EQ(ReadFile(), changed);
  Say("discard");
  EXPECT_EQ(text(), changed);
}

}  // namespace scenario_editor_test
}  // namespace wyvern::app
