#include "wyvern/app/sweep_hdf5.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/app/sweep_records.h"
#include "wyvern/systems/recording/hdf5_recording_sink.h"
#include "wyvern/systems/recording/hdf5_table.h"
#include "wyvern/systems/yaml/yaml_scalars.h"

namespace wyvern::app {

namespace {

using Texts = std::vector<std::string>;

// As a table has it, and as YAML does.
std::optional<double> ToNumber(const std::string& text) {
  double value{};
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error == std::errc() && end == last) return value;
  return yaml::internal::ToDouble(text);
}

// Numbers, if each text is one, or empty.
std::optional<std::vector<double>> ToNumbers(const Texts& texts) {
  std::vector<double> numbers;
  for (const std::string& text : texts) {
    if (text.empty()) {
      numbers.push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    const std::optional<double> number = ToNumber(text);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

std::optional<std::vector<std::uint64_t>> ToWholeNumbers(const Texts& texts) {
  std::vector<std::uint64_t> numbers;
  for (const std::string& text : texts) {
    const std::optional<std::uint64_t> number =
        yaml::internal::ToUnsigned(text);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

systems::TableColumn MakeColumn(const std::string& name, bool is_whole,
                                bool is_text, Texts texts) {
  if (is_whole) {
    if (auto numbers = ToWholeNumbers(texts)) return {name, *numbers};
  }
  if (!is_text) {
    if (auto numbers = ToNumbers(texts)) return {name, *numbers};
  }
  return {name, std::move(texts)};
}

}  // namespace

std::filesystem::path WriteSweepHdf5(const std::filesystem::path& table,
                                     const std::string& study) {
  if (!systems::Hdf5RecordingSink::is_available()) return {};
  Texts names;
  std::vector<Texts> fields;
  ReadSweepTable(table, [&](const Texts& row) {
    if (names.empty()) {
      names = row;
      fields.resize(names.size());
      return true;
    }
    for (std::size_t i = 0; i < fields.size(); ++i) {
      fields[i].push_back(i < row.size() ? row[i] : std::string());
    }
    return true;
  });
  // An output and a parameter may have one name.
  std::set<std::string> taken;
  std::vector<systems::TableColumn> columns;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string name = names[i];
    for (int k = 2; !taken.insert(name).second; ++k) {
      name = fmt::format("{} ({})", names[i], k);
    }
    const bool is_whole = name == "sample" || name == "random_seed";
    const bool is_text = name == "status" || i + 1 == names.size();
    columns.push_back(
        MakeColumn(name, is_whole, is_text, std::move(fields[i])));
  }
  std::filesystem::path file = table;
  file.replace_extension("h5");
  systems::WriteHdf5Table(file.string(), columns, {{"study", study}});
  return file;
}

}  // namespace wyvern::app
