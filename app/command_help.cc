#include "wyvern/app/command_help.h"

#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wyvern::app {

namespace {

// Text as roff reads it: no escapes, no dashes that a terminal makes hyphens,
// and no line that begins with a request.
std::string Roff(const std::string& text) {
  std::string result;
  bool is_first = true;
  for (const char c : text) {
    if (is_first && (c == '.' || c == '\'')) result += "\\&";
    is_first = c == '\n';
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

std::string UpperCase(std::string text) {
  for (char& c : text) {
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return text;
}

void AppendOptions(const CommandHelp& command, std::string* page) {
  for (const OptionHelp& option : command.options) {
    std::string names;
    for (const std::string& name : option.names) {
      if (!names.empty()) names += ", ";
      names += option.is_positional ? "\\fI" + Roff(name) + "\\fR"
                                    : "\\fB" + Roff(name) + "\\fR";
    }
    if (!option.is_positional && !option.value.empty()) {
      names += " \\fI" + Roff(option.value) + "\\fR";
    }
    *page += fmt::format(".TP\n{}\n{}\n", names, Roff(option.description));
  }
}

// As it stands.
void AppendFooter(const CommandHelp& command, std::string* page) {
  if (command.footer.empty()) return;
  *page += fmt::format(".PP\n.nf\n{}\n.fi\n", Roff(command.footer));
}

std::string DashedNames(const CommandHelp& command) {
  std::vector<std::string> names;
  for (const OptionHelp& option : command.options) {
    if (option.is_positional) continue;
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return fmt::format("{}", fmt::join(names, " "));
}

}  // namespace

std::string MakeManualPage(const CommandHelp& program,
                           const std::string& version) {
  std::string page = fmt::format(
      ".TH {} 1 \"\" \"{} {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n"
      ".SH SYNOPSIS\n",
      UpperCase(program.name), program.name, version, program.name,
      Roff(program.description));
  for (const CommandHelp& command : program.commands) {
    page += fmt::format(".B {} {}\n", program.name, command.name);
    for (const OptionHelp& option : command.options) {
      if (!option.is_positional) continue;
      page += fmt::format(".I {}\n", Roff(option.names.front()));
    }
    page += "[\\fIoptions\\fR]\n.br\n";
  }
  page += ".SH OPTIONS\n";
  AppendOptions(program, &page);
  AppendFooter(program, &page);
  page += ".SH COMMANDS\n";
  for (const CommandHelp& command : program.commands) {
    page += fmt::format(".SS {} {}\n{}.\n", program.name, command.name,
                        Roff(command.description));
    AppendOptions(command, &page);
    AppendFooter(command, &page);
  }
  page += fmt::format(
      ".SH EXIT STATUS\n0 if all was done; another number, and a line "
      "\\(lq{}: ...\\(rq on stderr that says why, if not. Faults that doctor "
      "finds "
      "are on stdout.\n",
      program.name);
  return page;
}

std::string MakeBashCompletion(const CommandHelp& program) {
  std::vector<std::string> names;
  std::string cases;
  for (const CommandHelp& command : program.commands) {
    names.push_back(command.name);
    cases += fmt::format("    {}) words=\"{}\" ;;\n", command.name,
                         DashedNames(command));
  }
  // Readline parts words at '=' and ':' too.
  return fmt::format(
      "# bash completion for {0}, made by `{0} completion`\n"
      "_{0}() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} words=\n"
      "  COMPREPLY=()\n"
      "  case ${{COMP_WORDS[1]}} in\n{1}  esac\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    words=\"{2} {3}\"\n"
      "  elif [[ $word != -* ]]; then\n"
      "    return  # A file, by -o default.\n"
      "  fi\n"
      "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
      "}}\n"
      "complete -o default -F _{0} {0}\n",
      program.name, cases, fmt::join(names, " "), DashedNames(program));
}

}  // namespace wyvern::app
