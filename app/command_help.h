#pragma once

#include <string>
#include <vector>

namespace wyvern::app {

/** An option of a command, or what it takes without a dash. */
struct OptionHelp {
  /** As typed, "--until"; of what has no dash, the one name. */
  std::vector<std::string> names;
  /** True if the value is typed without a name before it. */
  bool is_positional{false};
  /** Placeholder of the option's value, such as "TEXT"; empty for a flag. */
  std::string value;
  /** One line about it. */
  std::string description;
};

/** A command of the program, or the program, as its --help tells it. */
struct CommandHelp {
  /** Name of the command, as typed. */
  std::string name;
  /** One line about it. */
  std::string description;
  /** Text below the options, such as examples. */
  std::string footer{};
  /** The options, in the order of --help. */
  std::vector<OptionHelp> options{};
  /** The commands below this one; empty of a command. */
  std::vector<CommandHelp> commands{};
};

/** The page of section 1 of the manual, as man(1) reads it. */
std::string MakeManualPage(const CommandHelp& program,
                           const std::string& version);

/** Returns the script with which Bash completes commands and options; other
words are completed as file names. */
std::string MakeBashCompletion(const CommandHelp& program);

}  // namespace wyvern::app
