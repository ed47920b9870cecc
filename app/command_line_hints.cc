#include "wyvern/app/command_line_hints.h"

#include <algorithm>

#include <fmt/format.h>

#include "wyvern/app/file_kind.h"
#include "wyvern/app/scenario_models.h"

namespace wyvern::app {

namespace {

// A long word is a file's contents or worse; a message shows its beginning.
std::string Shorten(const std::string& word) {
  constexpr std::size_t kLongest = 100;
  return word.size() <= kLongest ? word : word.substr(0, kLongest) + "...";
}

std::vector<std::string> OptionNames(const CommandHelp& command) {
  std::vector<std::string> names;
  for (const OptionHelp& option : command.options) {
    if (option.is_positional) continue;
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

std::string FindUnknownOption(const CommandHelp& command,
                              const std::string& called,
                              const std::vector<std::string>& arguments) {
  const std::vector<std::string> names = OptionNames(command);
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    const bool is_long = argument.starts_with("--");
    const bool is_word = argument.size() > 2 && argument[0] == '-' &&
                         argument.find_first_of("0123456789.=[") != 1;
    if (!is_long && !is_word) continue;
    const std::string name = argument.substr(0, argument.find('='));
    if (std::ranges::find(names, name) != names.end()) continue;
    if (!is_long &&
        std::ranges::find(names, name.substr(0, 2)) != names.end()) {
      continue;  // -h together with others.
    }
    std::string nearest = SuggestName(is_long ? name : "-" + name, names);
    if (nearest.empty()) nearest = ".";
    return fmt::format("`{}` has no option '{}'{} `{} --help` lists them.",
                       called, Shorten(name), nearest, called);
  }
  return {};
}

}  // namespace

std::string ExplainCommandLine(const CommandHelp& program,
                               const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    return fmt::format("give a sub-command; `{} --help` lists them.",
                       program.name);
  }
  const std::string& first = arguments[0];
  if (first.starts_with("-")) {
    return FindUnknownOption(program, program.name, {first});
  }
  std::vector<std::string> names;
  for (const CommandHelp& command : program.commands) {
    names.push_back(command.name);
    if (command.name != first) continue;
    return FindUnknownOption(command, program.name + " " + first,
                             {arguments.begin() + 1, arguments.end()});
  }
  const std::string file = SuggestCommandFor(first);
  if (!file.empty()) return file;
  std::string nearest = SuggestName(first, names);
  if (nearest.empty()) nearest = ".";
  return fmt::format("there is no sub-command '{}'{} `{} --help` lists them.",
                     Shorten(first), nearest, program.name);
}

}  // namespace wyvern::app
