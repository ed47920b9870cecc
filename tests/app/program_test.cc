// The program as a person meets it: on a terminal, told to stop, on a full
// disk, read while it writes; and each command of the pages as it stands
// there.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

namespace wyvern::app {
namespace program_test {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

const fs::path kTop = WYVERN_SOURCE_DIR;
const std::string kProgram = WYVERN_PROGRAM;

std::string Read(const fs::path& file) {
  std::ifstream stream(file);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/** A folder with the scenarios and a model, as in the README's examples. */
class ProgramTest : public ::testing::Test {
 protected:
  ProgramTest() {
    fs::remove_all(top_);
    fs::create_directories(folder_);
    for (const auto& entry : fs::directory_iterator(kTop / "app/scenarios")) {
      fs::copy(entry.path(), folder_);
    }
    // Scenarios name it from their folder, and the README in it.
    fs::create_directories(top_ / "examples/models");
    for (const fs::path& copy :
         {top_ / "examples/models/arm.urdf", folder_ / "arm.urdf"}) {
      fs::copy(kTop / "examples/models/arm.urdf", copy);
    }
    fs::copy(folder_ / "arm_pd.yaml", folder_ / "arm.yaml");
  }
  ~ProgramTest() override { fs::remove_all(top_); }

  // By a shell in the folder, with the program in the path; its exit code, or
  // 256 and more for a signal. What it says goes to `said`.
  int Shell(const std::string& script) const {
    return ShellIn(folder_, script);
  }
  int ShellIn(const fs::path& folder, const std::string& script) const {
    std::ofstream(folder / "script.sh") << script;
    const int status = std::system(
        fmt::format("cd {} && PATH={}:$PATH bash script.sh > said 2>&1",
                    folder.string(), fs::path(kProgram).parent_path().string())
            .c_str());
    said_ = Read(folder / "said");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
  }

  // Starts the program in the folder; on a new terminal, which `terminal`
  // becomes, if there is one to become it.
  pid_t Start(const std::vector<std::string>& arguments,
              int* terminal = nullptr) const {
    std::vector<char*> argv{const_cast<char*>(kProgram.c_str())};
    for (const std::string& argument : arguments) {
      argv.push_back(const_cast<char*>(argument.c_str()));
    }
    argv.push_back(nullptr);
    const std::string said = (folder_ / "said").string();
    const pid_t child = terminal == nullptr
                            ? fork()
                            : forkpty(terminal, nullptr, nullptr, nullptr);
    if (child != 0) return child;
    if (chdir(folder_.c_str()) != 0) _exit(126);
    if (terminal == nullptr) {
      const int file = open(said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
      dup2(file, STDOUT_FILENO);
      dup2(file, STDERR_FILENO);
    }
    execv(kProgram.c_str(), argv.data());
    _exit(127);
  }

  static bool WaitFor(const std::function<bool()>& is_so) {
    const auto end = Clock::now() + std::chrono::seconds(30);
    while (!is_so()) {
      if (Clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
  }

  static int Wait(pid_t child) {
    int status{};
    waitpid(child, &status, 0);
    return status;
  }

  const fs::path top_{fs::path(testing::TempDir()) /
                      fmt::format("wyvern_program_{}", getpid())};
  const fs::path folder_{top_ / "app/scenarios"};
  mutable std::string said_;
};

TEST_F(ProgramTest, ShowsItsProgressOnATerminal) {
  int terminal{};
  const pid_t child = Start({"run", "arm_pd.yaml", "--set", "logs=[]",
                             "--until", "2", "--realtime", "1"},
                            &terminal);
  std::string shown;
  char buffer[4096];
  for (ssize_t n; (n = read(terminal, buffer, sizeof(buffer))) > 0;) {
    shown.append(buffer, static_cast<std::size_t>(n));
  }
  EXPECT_EQ(Wait(child), 0);
  close(terminal);
  EXPECT_TRUE(Has(shown, "\r")) << shown;
  EXPECT_TRUE(Has(shown, "%")) << shown;
  EXPECT_TRUE(Has(shown, "ended at t = 2 s")) << shown;
}

// At such a rate a step takes minutes: the first signal waits for its end.
TEST_F(ProgramTest, ASecondSignalEndsARunAtOnce) {
  const pid_t child = Start(
      {"run", "arm_pd.yaml", "--set", "logs=[]", "--log", "arm.csv", "--set",
       "plant_config.time_step=0.1", "--set",
       "simulator_config.use_error_control=false", "--realtime", "0.001"});
  ASSERT_TRUE(
      WaitFor([this] { return fs::exists(folder_ / "arm.csv.partial"); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  kill(child, SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(kill(child, 0), 0) << "The step is not over";
  const auto began = Clock::now();
  kill(child, SIGINT);
  const int status = Wait(child);
  EXPECT_LT(Clock::now() - began, std::chrono::seconds(2));
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}

// As a person's hand does it: the terminal makes signals of the key, for the
// program and for the processes of a sweep at once.
TEST_F(ProgramTest, CtrlCTwiceOnATerminalEndsARunAndASweepAtOnce) {
  const std::vector<std::vector<std::string>> commands{
      {"run", "arm_pd.yaml", "--set", "logs=[]", "--log", "arm.csv", "--set",
       "plant_config.time_step=0.1", "--set",
       "simulator_config.use_error_control=false", "--realtime", "0.001"},
      {"sweep", "arm_pd.yaml", "--samples", "4", "--jobs", "2", "--folder",
       "slow", "--set", "plant_config.time_step=0.1", "--set",
       "simulator_config.use_error_control=false", "--set",
       "simulator_config.target_realtime_rate=0.001"}};
  const std::vector<fs::path> signs{"arm.csv.partial", "slow/sweep.txt"};
  for (std::size_t i = 0; i < commands.size(); ++i) {
    int terminal{};
    const pid_t child = Start(commands[i], &terminal);
    ASSERT_TRUE(WaitFor([&] { return fs::exists(folder_ / signs[i]); }));
    const auto press = [terminal] {
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      EXPECT_EQ(write(terminal, "\x03", 1), 1);
    };
    press();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    EXPECT_EQ(kill(child, 0), 0) << "The step is not over";
    press();
    const auto began = Clock::now();
    const int status = Wait(child);
    EXPECT_LT(Clock::now() - began, std::chrono::seconds(2));
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status;
    close(terminal);
  }
}

TEST_F(ProgramTest, AFullDiskIsAnErrorInASentence) {
  // Such a limit stands for the end of the disk; units are 1024 bytes.
  std::vector<std::string> files{"arm.csv", "arm.mcap"};
#if WYVERN_HAS_HDF5
  files.push_back("arm.h5");
#endif
  for (const std::string& file : files) {
    EXPECT_EQ(Shell("ulimit -f 150\nwyvern run arm_pd.yaml --set logs=[] --set "
                    "simulation_duration=60 --log " +
                    file),
              1);
    EXPECT_TRUE(said_.starts_with("wyvern: ")) << said_;
    EXPECT_TRUE(Has(said_, file + "'): File too large.")) << said_;
    EXPECT_EQ(said_.find('\n'), said_.size() - 1) << said_;
    EXPECT_TRUE(fs::exists(folder_ / (file + ".partial")));
    EXPECT_FALSE(fs::exists(folder_ / file));
  }
}

TEST_F(ProgramTest, ALogCanBeReadWhileItIsWritten) {
  const pid_t child =
      Start({"run", "arm_pd.yaml", "--set", "logs=[]", "--log", "arm.csv",
             "--set", "simulation_duration=.inf", "--realtime", "1"});
  const fs::path log = folder_ / "arm.csv.partial";
  EXPECT_TRUE(WaitFor([&] { return Read(log).size() > 10000; }));
  const std::string text = Read(log);
  kill(child, SIGINT);
  EXPECT_EQ(Wait(child), 0);
  // Earlier rows stay, and are complete.
  EXPECT_TRUE(Read(folder_ / "arm.csv").starts_with(text));
  std::istringstream rows(text.substr(0, text.rfind('\n') + 1));
  std::string row;
  std::getline(rows, row);
  const auto commas = std::count(row.begin(), row.end(), ',');
  int num_rows = 0;
  while (std::getline(rows, row)) {
    EXPECT_EQ(std::count(row.begin(), row.end(), ','), commas);
    ++num_rows;
  }
  EXPECT_GT(num_rows, 50);
}

TEST_F(ProgramTest, TwoRunsWithOneLogAreRefused) {
  std::vector<std::string> files{"arm.csv", "arm.mcap"};
#if WYVERN_HAS_HDF5
  files.push_back("arm.h5");
#endif
  for (const std::string& file : files) {
    fs::create_symlink(file, folder_ / ("link_to_" + file));
    const pid_t child =
        Start({"run", "arm_pd.yaml", "--set", "logs=[]", "--log", file, "--set",
               "simulation_duration=.inf", "--realtime", "1"});
    EXPECT_TRUE(WaitFor(
        [&] { return Read(folder_ / (file + ".partial")).size() > 5000; }));
    for (const std::string& name : {file, "link_to_" + file}) {
      EXPECT_EQ(Shell("exec 2>&1 > other; wyvern run arm_pd.yaml --set logs=[] "
                      "--until 0.1 --log " +
                      name),
                1);
      EXPECT_TRUE(Has(said_, "is being written by another process")) << said_;
    }
    kill(child, SIGINT);
    EXPECT_EQ(Wait(child), 0);
    EXPECT_GT(fs::file_size(folder_ / file), 5000u);
  }
}

#if WYVERN_HAS_HDF5
TEST_F(ProgramTest, ADamagedLogIsRefusedAtOnce) {
  ASSERT_EQ(Shell("wyvern run arm.yaml --until 0.1 --set logs=[] --log arm.h5"),
            0);
  std::string bytes = Read(folder_ / "arm.h5");
  bytes.at(26) = static_cast<char>(bytes.at(26) ^ 1);
  std::ofstream(folder_ / "arm.h5") << bytes;
  EXPECT_EQ(Shell("timeout -s KILL 60 wyvern view arm.h5"), 1);
  EXPECT_TRUE(Has(said_, "'arm.h5' cannot be opened as an HDF5 file")) << said_;
}
#endif

TEST_F(ProgramTest, AnOutputThatNobodyCanReadIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  for (const std::string command :
       {"inspect arm.urdf", "inspect arm.urdf --json", "diagram arm.yaml",
        "schema", "manual", "completion", "--help", "--version",
        "convert arm.urdf arm.sdf",
        "run arm.yaml --until 0.01 --set logs=[] --log arm.csv",
        "sweep arm.yaml --samples 2 --set logs=[] --set "
        "simulation_duration=0.01"}) {
    for (const std::string where : {"> /dev/full", ">&-"}) {
      EXPECT_EQ(Shell("rm -rf arm_sweep; wyvern " + command + " " + where), 1)
          << command << where;
      EXPECT_TRUE(Has(said_, "wyvern: standard output cannot be written: "))
          << command << where << said_;
    }
  }
  // Files that the program wrote do not contain the printed text.
  EXPECT_FALSE(Has(Read(folder_ / "arm.csv"), "ended at"));
}

TEST_F(ProgramTest, DevicesAndLinksAreWrittenToAndStay) {
  const std::string run = "wyvern run arm.yaml --until 0.01 --set logs=[] ";
  fs::create_symlink("real.html", folder_ / "link.html");
  EXPECT_EQ(Shell(run + "--report link.html"), 0) << said_;
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.html"));
  EXPECT_TRUE(Has(Read(folder_ / "real.html"), "</html>"));
  for (const char* ending : {".csv", ".mcap", ".html"}) {
    const std::string name = std::string("pipe") + ending;
    const char* option =
        ending == std::string(".html") ? "--report " : "--log ";
    EXPECT_EQ(Shell("mkfifo " + name + "; cat " + name + " > got & " + run +
                    option + name + "; wait; test -p " + name + " -a -s got"),
              0)
        << said_;
  }
  EXPECT_EQ(Shell(run + "--report /dev/stdout > out"), 0) << said_;
  const std::string out = Read(folder_ / "out");
  EXPECT_TRUE(Has(out, "</html>") && Has(out, "report -> /dev/stdout"));
}

TEST_F(ProgramTest, TwoSweepsInOneFolderAreRefused) {
  const pid_t child = Start({"sweep", "arm_pd.yaml", "--set", "logs=[]",
                             "--samples", "100000", "--jobs", "1"});
  EXPECT_TRUE(WaitFor([this] { return fs::exists(folder_ / "arm_pd_sweep"); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(Shell("exec 2>&1 > other; wyvern sweep arm_pd.yaml --set logs=[] "
                  "--samples 100000 --resume"),
            1);
  EXPECT_TRUE(Has(said_, "a sweep is running in")) << said_;
  kill(child, SIGINT);
  const int status = Wait(child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

// One of Open MPI's ranks dies: that ends the others, and what was done is
// kept; or they do what it had to do.
TEST_F(ProgramTest, RanksOfMpiDoOneSweepAndALostOneIsMadeUpFor) {
  const std::string mpirun = WYVERN_MPIRUN;
  if (mpirun.empty()) {
    // The program says so, too.
    setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
    EXPECT_EQ(Shell("wyvern sweep arm.yaml --samples 2"), 1);
    unsetenv("OMPI_COMM_WORLD_SIZE");
    EXPECT_TRUE(Has(said_, "-DWYVERN_MPI=ON")) << said_;
    return;
  }
  const std::string ranks =
      mpirun + " --allow-run-as-root --oversubscribe -n 3 ";
  const std::string sweep =
      "wyvern sweep arm.yaml --samples 200 --seed 3 --set logs=[] --set "
      "simulation_duration=0.2 --param "
      "'plant_config.time_step=!Uniform {min: 0.001, max: 0.002}' --folder ";
  EXPECT_EQ(Shell(sweep + "one"), 0) << said_;
  EXPECT_EQ(Shell(ranks + sweep + "many"), 0) << said_;
  EXPECT_TRUE(Has(said_, "200 of 200 samples are done, 0 of them failed"))
      << said_;
  EXPECT_EQ(Read(folder_ / "many/results.csv"),
            Read(folder_ / "one/results.csv"));
  EXPECT_NE(Shell(ranks + sweep +
                  "lost &\n"
                  "until compgen -G 'lost/rank_*.rows'; do sleep 0.02; done\n"
                  "kill -9 $(pgrep -P $! | tail -1)\nwait $!"),
            0);
  EXPECT_FALSE(fs::exists(folder_ / "lost/results.csv"));
  EXPECT_EQ(Shell(ranks + sweep + "lost --resume"), 0) << said_;
  EXPECT_EQ(Read(folder_ / "lost/results.csv"),
            Read(folder_ / "one/results.csv"));
  // If it is not to end the others, they do its samples.
  EXPECT_EQ(Shell(ranks + "--enable-recovery " + sweep +
                  "redone --lost-after 5 &\n"
                  "until compgen -G 'redone/rank_*.rows'; do sleep 0.02; done\n"
                  "kill -9 $(pgrep -P $! | tail -1)\nwait $!"),
            0)
      << said_;
  EXPECT_TRUE(Has(said_, "lost were 1 ranks, whose samples others did"))
      << said_;
  EXPECT_EQ(Read(folder_ / "redone/results.csv"),
            Read(folder_ / "one/results.csv"));
}

// Commands `wyvern ...` of a page's blocks of code; lines that end in \ go on.
// A block of YAML that begins with `# NAME.yaml` becomes that file of `folder`,
// if one is given.
std::vector<std::string> CommandsOf(const fs::path& page,
                                    const fs::path& folder = {}) {
  std::istringstream lines(Read(page));
  std::vector<std::string> commands;
  std::string fence, command;
  std::ofstream file;
  std::smatch name;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      fence = fence.empty() ? line : "";
      file.close();
    } else if (fence == "```yaml" && !folder.empty()) {
      if (std::regex_match(line, name, std::regex("# ([a-z_]+\\.yaml)"))) {
        file.open(folder / name[1].str());
      }
      if (file.is_open()) file << line << "\n";
    }
    if (fence.empty() || (command.empty() && !line.starts_with("wyvern "))) {
      continue;
    }
    command += line;
    if (line.ends_with("\\")) {
      command.back() = ' ';
    } else {
      commands.push_back(std::exchange(command, {}));
    }
  }
  return commands;
}

// Makes a command shorter: a few samples of a few steps. Two blanks and words
// after a command are a remark.
std::string Shorten(std::string command) {
  command =
      std::regex_replace(command, std::regex("--samples \\d+"), "--samples 4");
  command = std::regex_replace(command, std::regex("  +(#| [a-z]).*$"), "");
  if (Has(command, "wyvern run") || Has(command, "wyvern sweep")) {
    command += " --set simulation_duration=0.02";
  }
  // No page is opened, and the run is to take its steps.
  if (Has(command, "wyvern run") && Has(command, "--view")) {
    command += " --no-wait";
  }
  // A command that shows a page runs until Ctrl-C, which is not a failure. It
  // comes when the page can be opened, or, of a run, when the run is over.
  if (Has(command, "wyvern view") || Has(command, "--view")) {
    const char* event = Has(command, "wyvern run") ? "has a timeline" : "Open ";
    command = "rm -f page.txt\n" + command;
    command += fmt::format(
        " > page.txt 2>&1 &\n"
        "until grep -qs '{}' page.txt || ! kill -0 $!; do sleep 0.02; done\n"
        "kill -INT $!\nwait $!\ncode=$?\ncat page.txt\nexit $code",
        event);
  }
  return command;
}

// Whether the library has derivatives, and the robots of others are there, if
// the command needs them.
bool CanRun(const std::string& command) {
  return (WYVERN_AUTODIFF || !Has(command, "lqr")) &&
         (std::getenv("WYVERN_ROBOTS_DIR") != nullptr ||
          !Has(command, " models/robots/"));
}

TEST_F(ProgramTest, TheCommandsOfTheReadmeWork) {
  const std::vector<std::string> commands = CommandsOf(kTop / "app/README.md");
  EXPECT_GE(commands.size(), 8u);
  std::ofstream(folder_ / "measured.csv") << "time,elbow\n0,0\n1,0.1\n";
  setenv("SLURM_CPUS_PER_TASK", "2", 1);
  setenv("SLURM_ARRAY_TASK_ID", "0", 1);
  setenv("SLURM_ARRAY_TASK_COUNT", "1", 1);
  for (const std::string& command : commands) {
    if (!CanRun(command)) continue;
    EXPECT_EQ(Shell(Shorten(command)), 0) << command << "\n" << said_;
    fs::remove_all(folder_ / "study");
  }
}

/** A page for users; its commands are for the top folder of the sources. */
class PageCommands : public ProgramTest,
                     public ::testing::WithParamInterface<std::string> {};

TEST_P(PageCommands, Work) {
  fs::copy(kTop / "examples/models", top_ / "examples/models",
           fs::copy_options::recursive | fs::copy_options::skip_existing);
  // Robots of others, in the folder that examples/models/fetch_models makes.
  const char* robots = std::getenv("WYVERN_ROBOTS_DIR");
  if (robots != nullptr) {
    fs::create_directories(top_ / "models");
    fs::create_symlink(robots, top_ / "models/robots");
  }
  const std::vector<std::string> commands = CommandsOf(kTop / GetParam(), top_);
  EXPECT_GE(commands.size(), 1u);
  for (const std::string& command : commands) {
    if (!CanRun(command)) continue;
    EXPECT_EQ(ShellIn(top_, Shorten(command)), 0) << command << "\n" << said_;
  }
}

// Pages of docs that have commands.
std::vector<std::string> PagesWithCommands() {
  std::vector<std::string> pages;
  for (const auto& entry : fs::recursive_directory_iterator(kTop / "docs")) {
    if (entry.path().extension() == ".md" &&
        !CommandsOf(entry.path()).empty()) {
      pages.push_back(fs::relative(entry.path(), kTop).string());
    }
  }
  std::sort(pages.begin(), pages.end());
  return pages;
}

INSTANTIATE_TEST_SUITE_P(OfDocs, PageCommands,
                         ::testing::ValuesIn(PagesWithCommands()),
                         [](const auto& page) {
                           return std::regex_replace(page.param,
                                                     std::regex("[^a-z]"), "_");
                         });

// Each command of a new project's README, but for those that wait for a person.
TEST_F(ProgramTest, TheCommandsOfANewProjectWork) {
  ASSERT_EQ(Shell("wyvern new robot"), 0) << said_;
  std::istringstream lines(Read(folder_ / "robot/README.md"));
  int num_commands = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("wyvern ") || Has(line, "--view")) continue;
    const std::string command = line.substr(0, line.find("   "));
    EXPECT_EQ(Shell("cd robot && " + command), 0) << command << "\n" << said_;
    ++num_commands;
  }
  EXPECT_EQ(num_commands, 6);
  EXPECT_TRUE(fs::exists(folder_ / "robot/arm.csv"));
  EXPECT_NE(Shell("wyvern new robot"), 0);
}

// The script for Slurm, by each of its tasks, and the command after it.
TEST_F(ProgramTest, TheScriptForSlurmMakesOneTable) {
  const std::string readme = Read(kTop / "app/README.md");
  const std::size_t begin = readme.find("#!/bin/bash");
  ASSERT_NE(begin, readme.npos);
  std::string script = readme.substr(begin, readme.find("```", begin) - begin);
  ASSERT_TRUE(Has(script, "#SBATCH --array"));
  script = std::regex_replace(script, std::regex("1000000"), "10");
  script = std::regex_replace(script, std::regex("arm.yaml"),
                              "arm.yaml --set simulation_duration=0.02");
  setenv("SLURM_CPUS_PER_TASK", "1", 1);
  setenv("SLURM_ARRAY_TASK_COUNT", "3", 1);
  for (const char* task : {"0", "1", "2"}) {
    setenv("SLURM_ARRAY_TASK_ID", task, 1);
    EXPECT_EQ(Shell(script), 0) << said_;
  }
  EXPECT_EQ(Shell("wyvern sweep arm.yaml --set simulation_duration=0.02 "
                  "--samples 10 --folder study --resume"),
            0);
  EXPECT_TRUE(Has(said_,
                  "10 of 10 samples are done, 0 of them failed; 10 were "
                  "there before"))
      << said_;
}

}  // namespace program_test
}  // namespace wyvern::app
