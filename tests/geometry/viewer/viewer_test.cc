// A Viewer as a page sees it: what it serves to whom, what it tells a page, and
// what a bad client can do to it, which is nothing.
#include "wyvern/geometry/viewer/viewer.h"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

#include "tests/geometry/viewer/page_client.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"

namespace wyvern::geometry {
namespace {

using Eigen::Vector3d;
using math::RigidTransformd;
using test::Answer;
using test::Ask;
using test::Get;
using test::PageClient;
using test::TokenOf;

class ViewerTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!Viewer::IsAvailable()) {
      GTEST_SKIP() << "This build has no viewer: Node.js or its packages were "
                      "missing.";
    }
  }
};

// Waits until `condition` holds, 5 s at most.
template <typename Condition>
bool Eventually(const Condition& condition) {
  for (int i = 0; i < 500; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

int CountOpenFiles() {
  return static_cast<int>(
      std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

TEST_F(ViewerTest, ServesThePageToWhoHasTheToken) {
  const Viewer viewer;
  const Answer page = Get(viewer, "/?token=" + TokenOf(viewer));
  EXPECT_EQ(page.status, 200);
  EXPECT_NE(page.body.find("<title>Wyvern</title>"), std::string::npos);
  // All in one file, which asks nobody for more.
  EXPECT_EQ(page.body.find("src=\"http"), std::string::npos);
  EXPECT_LT(page.body.size(), 1'500'000u);
  EXPECT_EQ(Get(viewer, "/").status, 403);
  EXPECT_EQ(Get(viewer, "/?token=" + TokenOf(viewer) + "x").status, 403);
  EXPECT_EQ(Get(viewer, "/?token=").status, 403);
}

TEST_F(ViewerTest, TokensDifferAndCanBeChosen) {
  const Viewer one, two;
  EXPECT_NE(TokenOf(one), TokenOf(two));
  EXPECT_NE(one.port(), two.port());
  ViewerParams params;
  params.token = "Abc123";
  const Viewer chosen(params);
  EXPECT_EQ(TokenOf(chosen), "Abc123");
  params.token = "a b";
  EXPECT_THROWS_MESSAGE(Viewer{params}, std::logic_error,
                        "must be of letters and digits");
}

TEST_F(ViewerTest, NothingElseIsServed) {
  const Viewer viewer;
  const std::string query = "?token=" + TokenOf(viewer);
  EXPECT_EQ(Get(viewer, "/../../etc/passwd" + query).status, 404);
  EXPECT_EQ(Get(viewer, "/page.html" + query).status, 404);
  EXPECT_EQ(Get(viewer, "//" + query).status, 404);
  EXPECT_EQ(Ask(viewer.port(),
                fmt::format("POST /{} HTTP/1.1\r\nHost: localhost:{}\r\n\r\n",
                            query, viewer.port()))
                .status,
            405);
  // A page of another name that leads to this machine.
  EXPECT_EQ(
      Ask(viewer.port(),
          fmt::format("GET /{} HTTP/1.1\r\nHost: evil.example\r\n\r\n", query))
          .status,
      403);
}

// Returns the answer to the request for a socket.
int AskForSocket(const Viewer& viewer, const std::string& token,
                 const std::string& origin) {
  return Ask(viewer.port(),
             fmt::format("GET /socket?token={} HTTP/1.1\r\n"
                         "Host: localhost:{}\r\nOrigin: {}\r\n"
                         "Connection: Upgrade\r\nUpgrade: websocket\r\n"
                         "Sec-WebSocket-Version: 13\r\n"
                         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                         token, viewer.port(), origin))
      .status;
}

TEST_F(ViewerTest, SocketsNeedTheTokenAndTheOrigin) {
  const Viewer viewer;
  const std::string token = TokenOf(viewer);
  const std::string ours = fmt::format("http://localhost:{}", viewer.port());
  EXPECT_EQ(AskForSocket(viewer, token + "x", ours), 403);
  EXPECT_EQ(AskForSocket(viewer, "", ours), 403);
  EXPECT_EQ(AskForSocket(viewer, token, "http://evil.example"), 403);
  EXPECT_EQ(AskForSocket(viewer, token, "null"), 403);
  EXPECT_EQ(AskForSocket(viewer, token, ""), 403);
  EXPECT_EQ(viewer.GetNumActiveConnections(), 0);
  EXPECT_NO_THROW(PageClient{viewer});
}

TEST_F(ViewerTest, MorePagesThanItServesAreRefused) {
  const Viewer viewer;
  std::vector<std::unique_ptr<PageClient>> pages;
  for (int i = 0; i < 64; ++i) {
    pages.push_back(std::make_unique<PageClient>(viewer));
  }
  EXPECT_ANY_THROW(PageClient{viewer});
  EXPECT_EQ(viewer.GetNumActiveConnections(), 64);
  pages.clear();
  EXPECT_TRUE(
      Eventually([&] { return viewer.GetNumActiveConnections() == 0; }));
  EXPECT_NO_THROW(PageClient{viewer});
}

// Opens a thousand connections that send nothing, or half a request.
TEST_F(ViewerTest, SilentConnectionsKeepNoPageOut) {
  const Viewer viewer;
  boost::asio::io_context context;
  std::vector<boost::asio::ip::tcp::socket> silent;
  for (int i = 0; i < 1000; ++i) {
    auto& socket = silent.emplace_back(context);
    socket.connect({boost::asio::ip::address_v4::loopback(),
                    static_cast<uint16_t>(viewer.port())});
    if (i % 2 == 0) boost::asio::write(socket, boost::asio::buffer("GET ", 4));
  }
  EXPECT_EQ(Get(viewer, "/?token=" + TokenOf(viewer)).status, 200);
  EXPECT_NO_THROW(PageClient{viewer});
}

TEST_F(ViewerTest, APortThatIsTakenIsAnError) {
  const Viewer first;
  EXPECT_THROWS_MESSAGE(
      Viewer{first.port()}, std::runtime_error,
      fmt::format("cannot listen at localhost, port {}", first.port()));
  EXPECT_THROWS_MESSAGE(Viewer{70000}, std::logic_error, "the port is 70000");
  ViewerParams params;
  params.host = "nowhere";
  EXPECT_THROWS_MESSAGE(Viewer{params}, std::logic_error,
                        "the host is 'nowhere'");
}

TEST_F(ViewerTest, TellsAPageWhatIsThere) {
  Viewer viewer;
  viewer.SetObject("/ball", Sphere(0.5), Rgba(1, 0.5, 0, 0.25));
  viewer.SetTransform("/ball", RigidTransformd(Vector3d(1, 2, 3)));
  viewer.SetProperty("/ball", "visible", false);
  PageClient page(viewer);
  const auto items = page.ReadUntil("property");
  ASSERT_EQ(items.size(), 4u);
  EXPECT_EQ(items[0]["type"], "clear");
  EXPECT_EQ(items[1]["path"], "/ball");
  EXPECT_EQ(items[1]["object"]["shape"], "ellipsoid");
  EXPECT_EQ(items[1]["object"]["radii"], (std::vector<double>{0.5, 0.5, 0.5}));
  EXPECT_EQ(items[1]["color"], (std::vector<double>{1, 0.5, 0, 0.25}));
  EXPECT_EQ(items[2]["x"], (std::vector<double>{1, 2, 3, 1, 0, 0, 0}));
  EXPECT_EQ(items[3]["name"], "visible");
  EXPECT_EQ(items[3]["value"], false);
  EXPECT_EQ(viewer.GetNumActiveConnections(), 1);
}

TEST_F(ViewerTest, APageThatComesLateOrAgainHasTheSame) {
  Viewer viewer;
  viewer.SetObject("one", Box(1, 2, 3));
  { PageClient(viewer).ReadUntil("object"); }
  viewer.SetObject("two", Cylinder(1, 2));
  viewer.Delete("one");
  viewer.SetObject("three", Capsule(1, 2));
  PageClient again(viewer);
  std::vector<std::string> paths;
  for (const auto& item : again.ReadUntil("object")) {
    if (item["type"] == "object") paths.push_back(item["path"]);
  }
  EXPECT_EQ(paths, (std::vector<std::string>{"/wyvern/two", "/wyvern/three"}));
}

TEST_F(ViewerTest, ASlowPageGoesOnWithTheNewest) {
  Viewer viewer;
  PageClient page(viewer);
  // Far more than the buffers of a connection, while nobody reads.
  for (int i = 1; i <= 200'000; ++i) {
    viewer.SetTransform("/a", RigidTransformd(Vector3d(i, 0, 0)));
  }
  int num_poses = 0;
  double last = 0;
  while (last != 200'000) {
    for (const auto& item : page.Read()) {
      if (item["type"] != "pose") continue;
      ++num_poses;
      EXPECT_GT(item["x"][0], last);
      last = item["x"][0];
    }
  }
  EXPECT_LT(num_poses, 1000);
}

// However much room for messages the network has.
TEST_F(ViewerTest, APageThatSaysWhatItReadIsNeverFarBehind) {
  Viewer viewer;
  viewer.AddSlider("heard", 0, 1, 1, 0);
  PageClient page(viewer);
  page.ReadUntil("slider");
  page.Send("read");
  page.Send(R"({"type":"slider","path":"heard","value":1})");
  while (viewer.GetSliderValue("heard") == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  constexpr int kCount = 40;
  for (int i = 1; i <= kCount; ++i) {
    viewer.SetTransform("/a", RigidTransformd(Vector3d(i, 0, 0)));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  int num_messages = 0;
  for (double last = 0; last != kCount; page.Send("read")) {
    ++num_messages;
    for (const auto& item : page.Read()) {
      if (item["type"] == "pose") last = item["x"][0];
    }
  }
  EXPECT_LE(num_messages, 5);
}

// A page that sends as fast as it can and reads nothing: the state stays as
// small, another page sees each motion, and the newest value counts.
TEST_F(ViewerTest, AFloodOfOnePageHoldsUpNoOther) {
  Viewer viewer;
  viewer.AddSlider("gain", 0, 1, 1e-6, 0);
  constexpr int kCount = 20'000;
  PageClient other(viewer);
  std::thread flood([&viewer] {
    PageClient page(viewer);
    for (int i = 1; i <= kCount; ++i) {
      page.Send(fmt::format(R"({{"type":"slider","path":"gain","value":{}}})",
                            1e-5 * i));
    }
    EXPECT_TRUE(Eventually(
        [&] { return viewer.GetSliderValue("gain") == 1e-5 * kCount; }));
  });
  for (int i = 1; i <= 20; ++i) {
    viewer.SetTransform("/a", RigidTransformd(Vector3d(i, 0, 0)));
    for (double last = 0; last != i;) {
      const auto items = other.Read();
      EXPECT_LE(items.size(), 5u);
      for (const auto& item : items) {
        if (item["type"] == "pose") last = item["x"][0];
      }
    }
  }
  flood.join();
}

TEST_F(ViewerTest, SettingAPoseAgainAllocatesNothing) {
  Viewer viewer;
  const RigidTransformd X(Vector3d(1, 2, 3));
  viewer.SetTransform("/a/b", X);
  const ::wyvern::test::AllocationGuard guard;
  for (int i = 0; i < 100; ++i) viewer.SetTransform("/a/b", X);
  EXPECT_EQ(guard.count(), 0);
}

TEST_F(ViewerTest, SlidersFollowAPageWithinTheirBounds) {
  Viewer viewer;
  EXPECT_EQ(viewer.AddSlider("gain", 0, 10, 0.5, 3.3), 3.5);
  EXPECT_EQ(viewer.SetSliderValue("gain", 99), 10);
  PageClient page(viewer);
  const auto items = page.ReadUntil("slider");
  EXPECT_EQ(items.back()["value"], 10);
  page.Send(R"({"type":"slider","path":"gain","value":4.6})");
  EXPECT_TRUE(Eventually([&] { return viewer.GetSliderValue("gain") == 4.6; }));
  PageClient other(viewer);
  EXPECT_EQ(other.ReadUntil("slider").back()["value"], 4.6);
  page.Send(R"({"type":"slider","path":"gain","value":-1e300})");
  EXPECT_TRUE(Eventually([&] { return viewer.GetSliderValue("gain") == 0; }));
  viewer.DeleteSlider("gain");
  EXPECT_EQ(page.ReadUntil("gone").back()["path"], "gain");
  EXPECT_THROWS_MESSAGE(viewer.GetSliderValue("gain"), std::out_of_range,
                        "there is no slider 'gain'");
  EXPECT_THROWS_MESSAGE(viewer.AddSlider("bad", 1, 0, 0.1, 0), std::logic_error,
                        "max - min");
  EXPECT_THROWS_MESSAGE(viewer.AddSlider("bad", 0, 1, 0, 0), std::logic_error,
                        "step");
}

TEST_F(ViewerTest, ButtonsCountClicks) {
  Viewer viewer;
  viewer.AddButton("stop", "Escape");
  PageClient page(viewer);
  EXPECT_EQ(page.ReadUntil("button").back()["key"], "Escape");
  for (int i = 0; i < 3; ++i) page.Send(R"({"type":"button","path":"stop"})");
  EXPECT_TRUE(Eventually([&] { return viewer.GetButtonClicks("stop") == 3; }));
}

TEST_F(ViewerTest, NonsenseFromAPageIsLeftAlone) {
  Viewer viewer;
  viewer.AddButton("stop");
  viewer.AddSlider("gain", 0, 1, 0.1, 0.5);
  PageClient page(viewer);
  for (const char* text :
       {"", "{", "null", "[1]", "{}", R"({"type":"button"})",
        R"({"type":"button","path":7})", R"({"type":"button","path":"no"})",
        R"({"type":7,"path":"stop"})", R"({"type":"slider","path":"gain"})",
        R"({"type":"slider","path":"gain","value":"x"})",
        R"({"type":"slider","path":"gain","value":null})", "\xff\xfe"}) {
    try {
      page.Send(text);
    } catch (const std::exception&) {
      break;  // The connection was ended: what is no UTF-8 is no message.
    }
  }
  PageClient(viewer).Send(std::string(60'000, '['));
  // The socket goes, and nothing else.
  try {
    PageClient(viewer).Send(std::string(10'000'000, 'x'));
  } catch (const std::exception&) {
  }
  PageClient good(viewer);
  good.Send(R"({"type":"button","path":"stop"})");
  EXPECT_TRUE(Eventually([&] { return viewer.GetButtonClicks("stop") == 1; }));
  EXPECT_EQ(viewer.GetSliderValue("gain"), 0.5);
}

TEST_F(ViewerTest, AHostileRequestIsRefused) {
  const Viewer viewer;
  EXPECT_EQ(Ask(viewer.port(), std::string(1'000'000, 'A')).status, 0);
  EXPECT_EQ(Ask(viewer.port(), "GET / HTTP/1.1\r\n" +
                                   std::string(100'000, 'h') + ": x\r\n\r\n")
                .status,
            0);
  EXPECT_EQ(Get(viewer, "/?token=" + TokenOf(viewer)).status, 200);
}

TEST_F(ViewerTest, PagesThatComeAndGoLeaveNothing) {
  Viewer viewer;
  viewer.SetObject("ball", Sphere(1));
  { PageClient first(viewer); }
  EXPECT_TRUE(
      Eventually([&] { return viewer.GetNumActiveConnections() == 0; }));
  // Maybe with the last of the first page's, which closes a little later.
  const int before = CountOpenFiles();
  for (int i = 0; i < 1000; ++i) {
    { PageClient page(viewer); }
    if (i % 50 == 0) {
      EXPECT_TRUE(
          Eventually([&] { return viewer.GetNumActiveConnections() == 0; }));
    }
  }
  EXPECT_TRUE(Eventually([&] {
    return viewer.GetNumActiveConnections() == 0 && CountOpenFiles() <= before;
  })) << CountOpenFiles()
      << " open files, before " << before;
}

TEST_F(ViewerTest, EndsWithPagesOpen) {
  auto viewer = std::make_unique<Viewer>();
  PageClient page(*viewer);
  EXPECT_TRUE(
      Eventually([&] { return viewer->GetNumActiveConnections() == 1; }));
  viewer.reset();
  EXPECT_ANY_THROW(while (true) page.Read());
}

TEST_F(ViewerTest, FlushWaitsForThePages) {
  Viewer viewer;
  viewer.Flush();  // Nobody is there.
  PageClient page(viewer);
  EXPECT_TRUE(
      Eventually([&] { return viewer.GetNumActiveConnections() == 1; }));
  viewer.SetObject("a", Sphere(1));
  viewer.Flush();
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(page.ReadUntil("object").back()["path"], "/wyvern/a");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

TEST_F(ViewerTest, NumbersThatAreNotFiniteAreRefused) {
  Viewer viewer;
  const double nan = std::nan("");
  Eigen::Matrix3Xd bad = Eigen::Matrix3Xd::Zero(3, 2);
  bad(1, 1) = nan;
  EXPECT_THROWS_MESSAGE(
      viewer.SetTransform("/a", RigidTransformd(Vector3d(0, nan, 0))),
      std::logic_error, "path '/a'");
  EXPECT_THROWS_MESSAGE(viewer.SetLine("/a", bad), std::logic_error,
                        "must be finite");
  EXPECT_THROWS_MESSAGE(viewer.SetProperty("/a", "opacity", nan),
                        std::logic_error, "must be finite");
  EXPECT_THROWS_MESSAGE(
      viewer.SetTriangleMesh("/a", Eigen::Matrix3Xd::Zero(3, 2),
                             Eigen::Vector3i(0, 1, 2)),
      std::out_of_range, "a vertex of a face is 2; it must be from 0 to 1");
  EXPECT_FALSE(viewer.HasPath("/a"));
}

TEST_F(ViewerTest, NamesAreSentAsTheyAre) {
  Viewer viewer;
  const std::string name = "/\"q\" \\ \n</script> \u00e4\u4e16";
  viewer.SetObject(name, Sphere(1));
  viewer.SetObject("/bad \xc3(", Sphere(1));
  PageClient page(viewer);
  std::vector<std::string> paths;
  for (const auto& item : page.ReadUntil("object")) {
    if (item["type"] == "object") paths.push_back(item["path"]);
  }
  EXPECT_EQ(paths, (std::vector<std::string>{name, "/bad \ufffd("}));
}

TEST_F(ViewerTest, ASavedPageHasEverythingInIt) {
  Viewer viewer;
  viewer.SetObject("</script><b>", Sphere(1));
  viewer.StartRecording(10);
  viewer.SetTransform("ball", RigidTransformd(Vector3d(1, 0, 0)), 0.0);
  viewer.SetTransform("ball", RigidTransformd(Vector3d(2, 0, 0)), 1.0);
  viewer.StopRecording();
  viewer.SetTransform("ball", RigidTransformd(Vector3d(3, 0, 0)), 2.0);
  viewer.PublishRecording();
  const std::string html = viewer.StaticHtml();
  const std::string mark = R"(<script type="application/json" id="items">)";
  const size_t begin = html.find(mark);
  ASSERT_NE(begin, std::string::npos);
  const size_t end = html.find("</script>", begin);
  const auto items = nlohmann::json::parse(
      html.substr(begin + mark.size(), end - begin - mark.size()));
  std::map<std::string, nlohmann::json> by_type;
  for (const auto& item : items) by_type[item["type"]] = item;
  EXPECT_EQ(by_type.at("object")["path"], "/wyvern/</script><b>");
  EXPECT_EQ(by_type.at("recording")["frames"], 11);
  EXPECT_EQ(by_type.at("recording")["tracks"],
            nlohmann::json::parse(R"([["/wyvern/ball", 2]])"));
  EXPECT_THROWS_MESSAGE(viewer.SaveStaticHtml("/nowhere/at/all.html"),
                        std::runtime_error, "cannot write");
  EXPECT_THROWS_MESSAGE(viewer.SaveStaticHtml("/dev/full"), std::runtime_error,
                        "cannot write '/dev/full'");
  viewer.DeleteRecording();
  EXPECT_THROWS_MESSAGE(viewer.PublishRecording(), std::logic_error,
                        "there is no recording");
}

}  // namespace
}  // namespace wyvern::geometry
