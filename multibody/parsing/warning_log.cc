#include "wyvern/multibody/parsing/warning_log.h"

#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wyvern::multibody::internal {

namespace {

// So many other places of a finding are listed; the rest are counted.
constexpr std::size_t kMostPlaces = 8;

// "12" of "file:12" if that is in the same file as `first`, else `place`.
std::string ShortPlace(const std::string& place, const std::string& first) {
  const std::size_t colon = first.rfind(':');
  const bool same_file = colon != std::string::npos &&
                         place.rfind(':') == colon &&
                         place.compare(0, colon, first, 0, colon) == 0;
  return same_file ? place.substr(colon + 1) : place;
}

}  // namespace

WarningLog::WarningLog() : handler_(WarnOnStderr) {}

void WarningLog::BeginFile() {
  findings_.clear();
  index_.clear();
}

void WarningLog::Add(const std::string& place, const std::string& what) {
  const auto [found, is_new] = index_.try_emplace(what, findings_.size());
  if (is_new) {
    findings_.push_back({place, what, {}});
  } else {
    findings_[found->second].other_places.push_back(place);
  }
}

std::string WarningLog::Describe(const Finding& finding) {
  std::string result = fmt::format("{}: {}", finding.place, finding.what);
  std::vector<std::string> others;
  for (const std::string& place : finding.other_places) {
    if (others.size() == kMostPlaces) break;
    others.push_back(ShortPlace(place, finding.place));
  }
  if (others.empty()) return result;
  const std::size_t rest = finding.other_places.size() - others.size();
  result += fmt::format(" (Also at {}", fmt::join(others, ", "));
  if (rest > 0) result += fmt::format(" and {} more", rest);
  return result + ".)";
}

std::vector<std::string> WarningLog::TakeFindings() {
  std::vector<std::string> result;
  for (const Finding& finding : findings_) result.push_back(Describe(finding));
  BeginFile();
  return result;
}

void WarningLog::HandOut(const std::vector<std::string>& warnings) {
  warnings_.insert(warnings_.end(), warnings.begin(), warnings.end());
  // A copy, as a handler may set another.
  const Handler handler = handler_;
  if (!handler) return;
  for (const std::string& warning : warnings) handler(warning);
}

void WarningLog::EndFile() {
  const std::vector<std::string> warnings = TakeFindings();
  if (!strict_) return HandOut(warnings);
  if (warnings.empty()) return;
  throw std::runtime_error(fmt::format(
      "{} (Strict parsing makes warnings errors.)", fmt::join(warnings, "\n")));
}

std::string WarningLog::EndRefusedFile(const std::string& error) {
  const std::vector<std::string> warnings = TakeFindings();
  if (!strict_) {
    HandOut(warnings);
    return error;
  }
  if (warnings.empty()) return error;
  return fmt::format("{}\n{} (Strict parsing makes warnings errors.)", error,
                     fmt::join(warnings, "\n"));
}

}  // namespace wyvern::multibody::internal
