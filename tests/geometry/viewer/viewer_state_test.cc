// Items and their changes, as those who ask from time to time see them; frames
// of a recording, as a page reads them.
#include "wyvern/geometry/viewer/viewer_state.h"

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <zlib.h>
#include <nlohmann/json.hpp>

#include "tests/support/expect_throws.h"
#include "wyvern/geometry/viewer/shape_json.h"
#include "wyvern/geometry/viewer/viewer_recording.h"

namespace wyvern::geometry::internal {
namespace {

using nlohmann::json;

json Collect(const ViewerState& state, int64_t* seen) {
  const std::string text = state.CollectSince(seen);
  return text.empty() ? json::array() : json::parse(text);
}

std::vector<std::string> Types(const json& items) {
  std::vector<std::string> result;
  for (const json& item : items) result.push_back(item["type"]);
  return result;
}

using Texts = std::vector<std::string>;

TEST(ViewerState, TellsChangesOnceAndInTheirOrder) {
  ViewerState state;
  int64_t seen = 0;
  EXPECT_EQ(state.CollectSince(&seen), "");
  state.Set("object", "/a", R"({"type":"one"})");
  state.SetPose("/a", {1, 2, 3, 1, 0, 0, 0});
  state.Set("object", "/a", R"({"type":"two"})");
  EXPECT_EQ(Types(Collect(state, &seen)), (Texts{"clear", "pose", "two"}));
  EXPECT_EQ(seen, state.version());
  EXPECT_EQ(state.CollectSince(&seen), "");
  state.SetPose("/a", {4, 5, 6, 0, 1, 0, 0});
  const json items = Collect(state, &seen);
  ASSERT_EQ(Types(items), (Texts{"pose"}));
  EXPECT_EQ(items[0]["x"], (std::vector<double>{4, 5, 6, 0, 1, 0, 0}));
}

TEST(ViewerState, DeletesWhatIsBelowAPathAndNothingElse) {
  ViewerState state;
  for (const char* path : {"/a", "/a/b", "/ab", "/c"}) {
    state.Set("object", path, R"({"type":"object"})");
  }
  state.Set("slider", "/a", R"({"type":"slider"})");
  int64_t seen = 0;
  Collect(state, &seen);
  state.Delete("/a");
  EXPECT_FALSE(state.HasPath("/a"));
  EXPECT_TRUE(state.HasPath("/ab"));
  const json items = Collect(state, &seen);
  ASSERT_EQ(Types(items), (Texts{"delete"}));
  EXPECT_EQ(items[0]["path"], "/a");
  int64_t nothing = 0;
  EXPECT_EQ(Types(Collect(state, &nothing)),
            (Texts{"clear", "object", "object", "slider", "delete"}));
}

TEST(ViewerState, RemembersNoMoreDeletionsThanIsCheap) {
  ViewerState state;
  state.Set("object", "/stays", R"({"type":"object"})");
  int64_t seen = 0;
  Collect(state, &seen);
  for (int i = 0; i < 5000; ++i) {
    state.SetPose("/x" + std::to_string(i), {});
    state.Delete("/x" + std::to_string(i));
  }
  // One who was away begins anew.
  const json items = Collect(state, &seen);
  EXPECT_EQ(items[0]["type"], "clear");
  EXPECT_EQ(items[1]["type"], "object");
  EXPECT_LT(items.size(), 1100u);
}

TEST(ViewerState, TellsSamplesOnceAndKeepsTheLatest) {
  ViewerState state;
  int64_t seen = 0;
  const auto add = [&state](double t, std::vector<double> values) {
    state.AddSample("s", t, values.data(), static_cast<int>(values.size()));
  };
  add(0, {1, 2});
  add(0.5, {3, 4});
  json items = Collect(state, &seen);
  ASSERT_EQ(Types(items), (Texts{"clear", "samples"}));
  EXPECT_EQ(items[1]["fresh"], true);
  EXPECT_EQ(items[1]["rows"], json::parse("[[0,1,2],[0.5,3,4]]"));
  add(1, {5, 6});
  items = Collect(state, &seen);
  ASSERT_EQ(Types(items), (Texts{"samples"}));
  EXPECT_EQ(items[0]["fresh"], false);
  EXPECT_EQ(items[0]["rows"], json::parse("[[1,5,6]]"));
  EXPECT_EQ(state.CollectSince(&seen), "");
  // Time that goes back is another run.
  add(0.25, {7, 8});
  items = Collect(state, &seen);
  EXPECT_EQ(items[0]["fresh"], true);
  EXPECT_EQ(items[0]["rows"], json::parse("[[0.25,7,8]]"));
  for (int i = 1; i <= 10'000; ++i) add(i, {0, 0});
  items = Collect(state, &seen);
  EXPECT_EQ(items[0]["rows"].size(), 4096u);
  EXPECT_EQ(items[0]["rows"].back()[0], 10'000);
}

// Integers as a page reads them.
std::vector<int64_t> ReadIntegers(const std::string& base64) {
  constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<uint8_t> deflated;
  uint32_t group = 0;
  int bits = 0;
  for (const char c : base64) {
    if (c == '=') break;
    group = group << 6 | (std::string(kDigits).find(c) & 63);
    bits += 6;
    if (bits >= 8) {
      deflated.push_back(static_cast<uint8_t>(group >> (bits -= 8)));
    }
  }
  std::vector<uint8_t> bytes(1 << 20);
  uLongf size = bytes.size();
  EXPECT_EQ(uncompress(bytes.data(), &size, deflated.data(), deflated.size()),
            Z_OK);
  std::vector<int64_t> result;
  uint64_t value = 0;
  int shift = 0;
  for (size_t i = 0; i < size; ++i) {
    value |= uint64_t{bytes[i] & 127u} << shift;
    shift += 7;
    if (bytes[i] & 128) continue;
    result.push_back(static_cast<int64_t>(value >> 1) ^
                     -static_cast<int64_t>(value & 1));
    value = 0;
    shift = 0;
  }
  return result;
}

TEST(ViewerRecording, KeepsFramesThatDifferFromTheOneBefore) {
  ViewerRecording recording(10);
  const auto at = [](float x) { return ViewerPose{x, 0, 0, 1, 0, 0, 0}; };
  recording.Add("/a", at(0.5), 3.0);
  recording.Add("/a", at(0.25), 3.01);  // The same frame: the later counts.
  recording.Add("/a", at(0.25), 3.1);
  recording.Add("/a", at(0.25), 3.2);
  recording.Add("/a", at(-1), 3.3);
  recording.Add("/a", at(7), 2.0);  // Before the start.
  const json item = json::parse(recording.ToJson());
  EXPECT_EQ(item["frames"], 4);
  EXPECT_EQ(item["tracks"], json::parse(R"([["/a", 3]])"));
  const std::vector<int64_t> read = ReadIntegers(item["deflated"]);
  ASSERT_EQ(read.size(), 24u);
  // Frames 0, 2 and 3: the pose of frame 2 says that it was still until then.
  EXPECT_EQ((std::vector<int64_t>{read[0], read[8], read[16]}),
            (std::vector<int64_t>{0, 2, 1}));
  EXPECT_EQ((std::vector<int64_t>{read[1], read[9], read[17]}),
            (std::vector<int64_t>{25000, 0, -125000}));
  EXPECT_EQ(read[4], 10000);
}

TEST(ViewerRecording, TenMinutesOfAHumanoidAreSmall) {
  ViewerRecording recording(60);
  for (int body = 0; body < 30; ++body) {
    const std::string path = "/humanoid/body" + std::to_string(body);
    for (int frame = 0; frame < 60 * 600; ++frame) {
      const double t = frame / 60.0, w = 1 + 0.1 * body;
      const double angle = 0.7 * std::sin(w * t) + 0.2 * std::sin(5.3 * w * t);
      recording.Add(path,
                    {static_cast<float>(t * 0.8 + 0.1 * std::sin(w * t)),
                     static_cast<float>(0.3 * std::cos(1.7 * w * t)),
                     static_cast<float>(1 + 0.05 * std::sin(9 * t)),
                     static_cast<float>(std::cos(angle / 2)),
                     static_cast<float>(0.6 * std::sin(angle / 2)),
                     static_cast<float>(0.8 * std::sin(angle / 2)), 0},
                    t);
    }
  }
  const size_t size = recording.ToJson().size();
  EXPECT_LT(size, 20'000'000u);
  RecordProperty("bytes", static_cast<int>(size));
}

TEST(ViewerRecording, ObjectsThatComeAndGoAreKept) {
  ViewerRecording recording(10);
  recording.AddObject("/f", "", 0.0);  // There is none yet.
  recording.AddObject("/f", R"({"a":1})", 0.1);
  recording.AddObject("/f", R"({"a":1})", 0.2);  // The same.
  recording.AddObject("/f", R"({"a":2})", 0.31);
  recording.AddObject("/f", R"({"a":3})", 0.32);  // Of the same frame.
  recording.AddObject("/f", "", 0.5);
  recording.AddObject("/f", R"({"a":4})", 0.4);  // Earlier: left out.
  const auto read = json::parse(recording.ToJson());
  EXPECT_EQ(read["objects"], json::parse(R"([["/f",[1,3,5]]])"));
  EXPECT_EQ(read["frames"], 6);
  EXPECT_FALSE(recording.is_empty());
}

TEST(ViewerRecording, ObjectsThatAlwaysChangeStayBounded) {
  ViewerRecording recording(60);
  // Ten minutes of eight forces, whose numbers deflate badly.
  std::mt19937 generator(1);
  for (int i = 0; i < 36000; ++i) {
    std::string item(800, ' ');
    for (char& c : item) c = static_cast<char>('A' + generator() % 50);
    recording.AddObject("/f", "\"" + item + "\"", i / 60.0);
  }
  const std::string text = recording.ToJson();
  EXPECT_LT(text.size(), 1.2 * ViewerRecording::kMaxObjectBytes);
  const auto read = json::parse(text);
  const auto frames = read["objects"][0][1].get<std::vector<int>>();
  // Over all of the time, evenly.
  EXPECT_EQ(frames.back(), 35999);
  EXPECT_GE(frames.size(), 36000u / 16);
  for (size_t i = 1; i < frames.size(); ++i) {
    EXPECT_LE(frames[i] - frames[i - 1], 16);
  }
}

TEST(ViewerRecording, ARateIsPositive) {
  EXPECT_THROWS_MESSAGE(ViewerRecording(0), std::logic_error,
                        "frames_per_second");
}

TEST(ShapeJson, BytesAreInBase64) {
  // RFC 4648, section 10.
  for (const auto& [text, expected] :
       std::vector<std::pair<std::string, std::string>>{
           {"", ""},
           {"f", "Zg=="},
           {"fo", "Zm8="},
           {"foo", "Zm9v"},
           {"foob", "Zm9vYg=="},
           {"fooba", "Zm9vYmE="},
           {"foobar", "Zm9vYmFy"}}) {
    EXPECT_EQ(Base64Json(text.data(), text.size()), '"' + expected + '"');
  }
}

TEST(ShapeJson, EveryShapeHasOne) {
  const auto kind = [](const Shape& shape) {
    return json::parse(ShapeJson(shape))["shape"];
  };
  EXPECT_EQ(kind(Box(1, 2, 3)), "box");
  EXPECT_EQ(kind(Capsule(1, 2)), "capsule");
  EXPECT_EQ(kind(Cylinder(1, 2)), "cylinder");
  EXPECT_EQ(kind(Ellipsoid(1, 2, 3)), "ellipsoid");
  EXPECT_EQ(kind(HalfSpace()), "half_space");
  EXPECT_EQ(kind(MeshcatCone(1, 2, 3)), "cone");
  EXPECT_EQ(kind(Sphere(1)), "ellipsoid");
  EXPECT_THROWS_MESSAGE(kind(Mesh("/nowhere.obj")), std::runtime_error,
                        "/nowhere.obj");
}

}  // namespace
}  // namespace wyvern::geometry::internal
