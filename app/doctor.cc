#include "wyvern/app/doctor.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <string_view>
#include <system_error>
#include <thread>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <CLI/Version.hpp>
#include <Eigen/Core>

#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/simulator/report/report.h"
#include "wyvern/systems/common/json_text.h"
#include "wyvern/systems/common/processor_level.h"
#include "wyvern/systems/recording/hdf5_recording_sink.h"

/* One function for each finding. Nothing is started: programs are looked for in
the path, and versions are those that the compiler saw. */

namespace wyvern::app {

namespace fs = std::filesystem;

namespace {

using Level = DoctorFinding::Level;

std::string GetVariable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::vector<std::string> SplitPath(const std::string& path) {
  std::vector<std::string> folders;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    if (end > begin) folders.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return folders;
}

// The first of the programs that is in the path; empty if none is.
fs::path FindProgram(const std::string& path,
                     std::initializer_list<const char*> names) {
  for (const char* name : names) {
    for (const std::string& folder : SplitPath(path)) {
      fs::path program = fs::path(folder) / name;
      std::error_code error;
      if (fs::is_regular_file(program, error) &&
          access(program.c_str(), X_OK) == 0) {
        return program;
      }
    }
  }
  return {};
}

DoctorFinding DescribeBuild() {
#ifdef __clang__
  const std::string compiler = fmt::format("Clang {}", __clang_version__);
#else
  const std::string compiler = fmt::format("GCC {}", __VERSION__);
#endif
#ifdef NDEBUG
  constexpr std::string_view kAssertions = "without assertions";
#else
  constexpr std::string_view kAssertions = "with assertions";
#endif
  return {.name = "Wyvern",
          .value =
              fmt::format("{}, {}, {}", WYVERN_VERSION, compiler, kAssertions)};
}

DoctorFinding DescribeLibraries() {
  return {.name = "Libraries",
          .value = fmt::format(
              "Eigen {}.{}.{}, fmt {}.{}.{}, CLI11 {}", EIGEN_WORLD_VERSION,
              EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION, FMT_VERSION / 10000,
              FMT_VERSION / 100 % 100, FMT_VERSION % 100, CLI11_VERSION)};
}

// The highest level of the processor; empty if that is not known.
std::string_view LevelOfProcessor() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool is_v2 =
      __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
  const bool is_v3 = is_v2 && __builtin_cpu_supports("avx2") &&
                     __builtin_cpu_supports("fma") &&
                     __builtin_cpu_supports("bmi2");
  const bool is_v4 = is_v3 && __builtin_cpu_supports("avx512f") &&
                     __builtin_cpu_supports("avx512bw") &&
                     __builtin_cpu_supports("avx512cd") &&
                     __builtin_cpu_supports("avx512dq") &&
                     __builtin_cpu_supports("avx512vl");
  return is_v4   ? "x86-64-v4"
         : is_v3 ? "x86-64-v3"
         : is_v2 ? "x86-64-v2"
                 : "x86-64";
#else
  return {};
#endif
}

DoctorFinding DescribeProcessor() {
  const std::string_view has = LevelOfProcessor(), uses = ProcessorLevel();
  DoctorFinding finding{
      .name = "Processor",
      .value = has.empty()
                   ? fmt::format("the program uses {}", uses)
                   : fmt::format("has {} (AVX2: {}); the program uses {}", has,
                                 has >= "x86-64-v3" ? "yes" : "no", uses)};
  finding.value +=
      fmt::format("; {} CPUs", std::thread::hardware_concurrency());
  // Packages have two libraries: for every x86-64, and for level v3.
  if (!has.empty() && has >= "x86-64-v3" && uses < "x86-64-v3") {
    finding.level = Level::kMissing;
    finding.fix =
        "for runs that are 5 to 34 % faster, install the Debian packages, "
        "which select their AVX2 library, or build with "
        "-DCMAKE_CXX_FLAGS=-march=x86-64-v3";
  }
  return finding;
}

DoctorFinding DescribePart(const char* name, bool is_there, const char* value,
                           const char* without, const char* fix) {
  if (is_there) return {.name = name, .value = value};
  return {.level = Level::kMissing, .name = name, .value = without, .fix = fix};
}

DoctorFinding DescribeProgram(const char* name, const fs::path& program,
                              const char* without, const char* fix) {
  const std::string found = program.string();
  return DescribePart(name, !program.empty(), found.c_str(), without, fix);
}

DoctorFinding DescribeDisplay(const DoctorParams& params) {
  return DescribePart(
      "Display", params.has_display, "available",
      "none, so --open cannot open a browser",
      "open the printed address yourself; for another machine run `ssh -L "
      "7000:localhost:7000 MACHINE` there first, or use --host '*'");
}

// Whether an address of this machine's loopback can be listened at.
bool CanListenAt(int port) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) return false;
  const int yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  const bool is_good = bind(listener, reinterpret_cast<sockaddr*>(&address),
                            sizeof(address)) == 0;
  close(listener);
  return is_good;
}

DoctorFinding DescribePagePort() {
  constexpr int kFirstPort = 7000, kLastPort = 7999;
  for (int port = kFirstPort; port <= kLastPort; ++port) {
    if (!CanListenAt(port)) continue;
    return {.name = "Port of pages",
            .value = port == kFirstPort
                         ? fmt::format("{} is free", port)
                         : fmt::format("{} is taken, and {} is free",
                                       kFirstPort, port)};
  }
  return {.level = Level::kFault,
          .name = "Port of pages",
          .value = fmt::format("none from {} to {} is free on localhost",
                               kFirstPort, kLastPort),
          .fix =
              "give a free one by --port, or allow this user to listen on "
              "localhost"};
}

DoctorFinding DescribeWorkingFolder(const fs::path& folder) {
  constexpr double kLittle = 0.1;  // GB
  DoctorFinding finding{.name = "Working folder"};
  std::error_code error;
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    finding.level = Level::kFault;
    finding.value = "logs and reports cannot be written here";
    finding.fix = "change to a folder that you may write to";
    return finding;
  }
  const fs::space_info space = fs::space(folder, error);
  if (error) {
    finding.value = "writable";
    return finding;
  }
  const double free = 1e-9 * static_cast<double>(space.available);
  finding.value = fmt::format("writable, {:.3g} GB free", free);
  if (free >= kLittle) return finding;
  finding.level = Level::kFault;
  finding.fix = "free some space on this disk";
  return finding;
}

DoctorFinding DescribePackages(const std::string& package_path) {
  std::string missing;
  const std::vector<std::string> folders = SplitPath(package_path);
  for (const std::string& folder : folders) {
    std::error_code error;
    if (fs::is_directory(folder, error)) continue;
    missing += (missing.empty() ? "" : ", ") + folder;
  }
  if (missing.empty()) {
    return {.name = "ROS packages",
            .value = folders.empty()
                         ? "ROS_PACKAGE_PATH is not set; URLs are searched "
                           "near the model, and in --package"
                         : package_path};
  }
  return {.level = Level::kFault,
          .name = "ROS packages",
          .value = fmt::format("ROS_PACKAGE_PATH names folders that do not "
                               "exist: {}",
                               missing),
          .fix = "correct ROS_PACKAGE_PATH"};
}

DoctorFinding DescribeScenarios(const fs::path& share_folder) {
  const fs::path folder = share_folder / "app" / "scenarios";
  std::error_code error;
  const std::string found = folder.string();
  return DescribePart(
      "Scenarios", !share_folder.empty() && fs::is_directory(folder, error),
      found.c_str(),
      "the scenarios to start from are not installed next to the program",
      "`wyvern new NAME` makes one, or install with `cmake --install`");
}

std::string_view WordFor(Level level) {
  return level == Level::kGood      ? "ok"
         : level == Level::kMissing ? "missing"
                                    : "fault";
}

}  // namespace

DoctorParams DoctorParams::FromEnvironment() {
  DoctorParams params;
  params.program_path = GetVariable("PATH");
  params.package_path = GetVariable("ROS_PACKAGE_PATH");
  params.has_display = !GetVariable("DISPLAY").empty() ||
                       !GetVariable("WAYLAND_DISPLAY").empty();
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    params.share_folder = program.parent_path().parent_path() / "share/wyvern";
  }
  return params;
}

std::vector<DoctorFinding> Diagnose(const DoctorParams& params) {
  const std::string& path = params.program_path;
  const bool has_page = geometry::Viewer::IsAvailable();
  return {
      DescribeBuild(),
      DescribeLibraries(),
      DescribeProcessor(),
      DescribePart(
          "Derivatives", WYVERN_AUTODIFF != 0, "AutoDiffXd is compiled in",
          "the build has no AutoDiffXd, so !LqrDriver cannot linearize",
          "build with -DWYVERN_AUTODIFF=ON"),
      DescribePart("HDF5", systems::Hdf5RecordingSink::is_available(),
                   "logs may end with .h5",
                   "logs may end with .csv and .mcap only, and `wyvern view` "
                   "cannot replay them",
                   "install libhdf5-dev, and build again"),
      DescribePart("MPI", WYVERN_MPI != 0, "mpirun shares sweeps",
                   "mpirun cannot share a sweep; --shard can",
                   "build with -DWYVERN_MPI=ON"),
      DescribePart("Page", has_page,
                   "`wyvern view` and replays are compiled in",
                   "`wyvern view`, --view and replays do not work",
                   "run third_party/install_packages, which gets Node.js, and "
                   "build again"),
      DescribePart("Plots", report::Report::HasScript(),
                   "plots of reports zoom", "plots of reports do not zoom",
                   "run third_party/install_packages, which gets Node.js, and "
                   "build again"),
      DescribeProgram(
          "Browser",
          FindProgram(path, {"chromium", "google-chrome", "chromium-browser",
                             "firefox"}),
          "neither Chromium, Chrome nor Firefox is in the PATH",
          "install one (Debian: chromium), or open the printed address in any "
          "browser with WebGL"),
      DescribeProgram("Opener", FindProgram(path, {"xdg-open"}),
                      "xdg-open is not in the PATH, so --open does nothing",
                      "install it (Debian: xdg-utils)"),
      DescribeDisplay(params),
      DescribePagePort(),
      DescribeProgram("Graphviz", FindProgram(path, {"dot"}),
                      "`wyvern diagram --format svg` needs the program dot",
                      "install it (Debian: graphviz)"),
      DescribeProgram("xacro", FindProgram(path, {"xacro"}),
                      "xacro files cannot be converted to URDF",
                      "install it (Debian: ros-xacro; pip: xacro)"),
      DescribePackages(params.package_path),
      DescribeScenarios(params.share_folder),
      DescribeWorkingFolder(params.working_folder),
  };
}

std::string ToText(const std::vector<DoctorFinding>& findings) {
  std::string text;
  std::size_t width = 0;
  int num_missing = 0, num_faults = 0;
  for (const DoctorFinding& finding : findings) {
    width = std::max(width, finding.name.size());
    num_missing += finding.level == Level::kMissing ? 1 : 0;
    num_faults += finding.level == Level::kFault ? 1 : 0;
  }
  for (const DoctorFinding& finding : findings) {
    text += fmt::format("{:8} {:{}}  {}\n", WordFor(finding.level),
                        finding.name, width, finding.value);
    if (finding.fix.empty()) continue;
    text += fmt::format("{:8} {:{}}  Fix: {}.\n", "", "", width, finding.fix);
  }
  return text + fmt::format(
                    "\n{} of {} parts are optional and missing; {} {} "
                    "at fault.\n",
                    num_missing, findings.size(), num_faults,
                    num_faults == 1 ? "is" : "are");
}

std::string ToJson(const std::vector<DoctorFinding>& findings) {
  using internal::JsonString;
  std::string json = "[";
  for (const DoctorFinding& finding : findings) {
    json += fmt::format(
        R"({}
  {{"level": {}, "name": {}, "value": {}, "fix": {}}})",
        json.size() > 1 ? "," : "", JsonString(WordFor(finding.level)),
        JsonString(finding.name), JsonString(finding.value),
        JsonString(finding.fix));
  }
  return json + "\n]\n";
}

}  // namespace wyvern::app
