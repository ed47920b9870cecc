#include "wyvern/app/log_files.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "wyvern/geometry/viewer/model_files.h"
#include "wyvern/systems/common/output_file.h"
#include "wyvern/systems/common/sealed_record.h"
#include "wyvern/systems/common/warning.h"
#include "wyvern/systems/yaml/yaml_io.h"

/* A log has the contents of a run's files under their absolute paths. To show
the log, they are written below a folder that stands for "/", so that paths
between them lead where they did; a FileRecord keeps the parser inside that
folder. A file that was reached through a symbolic link is packed under the
path at its end, and the link is in the list, because some readers look for
neighbours of a file where it really is.

A log may come from an untrusted source. Its list says where files are
written, so each path must be absolute and without "..", and nothing is
written through a link: links are made last, and lead to listed files. */

namespace wyvern::app {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostFiles = 100000;

struct ListedFile {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(path));
    a->Visit(WYVERN_NVP(bytes));
    a->Visit(WYVERN_NVP(checksum));
    a->Visit(WYVERN_NVP(is_inside));
  }
  std::string path;
  std::uint64_t bytes{};
  std::string checksum;
  bool is_inside{};
};

struct ListedLink {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(path));
    a->Visit(WYVERN_NVP(target));
  }
  std::string path;
  std::string target;
};

struct FileList {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(files));
    a->Visit(WYVERN_NVP(links));
    a->Visit(WYVERN_NVP(packages));
  }
  std::vector<ListedFile> files;
  std::vector<ListedLink> links;
  std::map<std::string, std::string> packages;
};

std::optional<std::string> ReadBytes(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) return std::nullopt;
  return bytes;
}

std::string Checksum(const std::string& bytes) {
  return fmt::format("{:016x}", internal::HashBytes(bytes));
}

// Adds a file at its canonical path, and the links on the way.
class FileCollector {
 public:
  void Add(const fs::path& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error) || !seen_.insert(path).second) return;
    const fs::path real = fs::canonical(path, error);
    if (error) return;
    if (real == path) {
      files_.insert(real);
    } else {
      links_.push_back({path.string(), real.string()});
      Add(real);
    }
    for (const fs::path& other : geometry::internal::FindModelFiles(path)) {
      Add(other);
    }
  }
  const std::set<fs::path>& files() const { return files_; }
  const std::vector<ListedLink>& links() const { return links_; }

 private:
  std::set<fs::path> seen_;
  std::set<fs::path> files_;
  std::vector<ListedLink> links_;
};

/** Writes the files of a list below a root. */
class Unpacker {
 public:
  Unpacker(const PackedFiles& packed, std::string log, fs::path root)
      : packed_(packed), log_(std::move(log)), root_(std::move(root)) {}

  // Returns the list, once it is known to be valid.
  FileList ReadList() const {
    FileList list;
    try {
      list = yaml::LoadYamlString<FileList>(packed_.list);
    } catch (const std::runtime_error& error) {
      Throw(error.what());
    }
    if (list.files.size() + list.links.size() + list.packages.size() >
        kMostFiles) {
      Throw(fmt::format("it has more than {} entries", kMostFiles));
    }
    std::set<std::string> paths;
    for (const ListedFile& file : list.files) {
      RequirePath(file.path);
      if (!paths.insert(file.path).second) {
        Throw(fmt::format("'{}' is there twice", file.path));
      }
    }
    for (const ListedLink& link : list.links) {
      RequirePath(link.path);
      if (!paths.contains(link.target)) {
        Throw(
            fmt::format("the link '{}' leads to '{}', which is not a file of "
                        "the log",
                        link.path, link.target));
      }
    }
    for (const auto& [name, folder] : list.packages) RequirePath(folder);
    return list;
  }

  void WriteAll(const FileList& list) const {
    for (const ListedFile& file : list.files) {
      if (file.is_inside) WriteOne(file);
    }
    for (const auto& [name, folder] : list.packages) {
      MakeFolder(root_ / fs::path(folder).relative_path());
    }
    // From here on, the folders have links.
    for (const ListedFile& file : list.files) {
      if (!file.is_inside) LinkToThisMachine(file);
    }
    for (const ListedLink& link : list.links) {
      Link(root_ / fs::path(link.target).relative_path(), link.path);
    }
  }

 private:
  [[noreturn]] void Throw(const std::string& what) const {
    throw std::runtime_error(
        fmt::format("{}: its list of files is damaged: {}; record the run "
                    "again.",
                    log_, what));
  }

  void RequirePath(const std::string& text) const {
    const fs::path path(text);
    const bool prints = std::ranges::none_of(
        text, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
    if (prints && path.is_absolute() && path.has_filename() &&
        path.lexically_normal().string() == text) {
      return;
    }
    Throw(fmt::format("'{}' is not an absolute path without '..'", text));
  }

  void MakeFolder(const fs::path& folder) const {
    std::error_code error;
    fs::create_directories(folder, error);
    if (!fs::is_directory(folder, error)) {
      Throw(fmt::format("the folder '{}' cannot be made", folder.string()));
    }
  }

  void WriteOne(const ListedFile& file) const {
    const auto found = packed_.contents.find(file.path);
    if (found == packed_.contents.end()) {
      Throw(fmt::format("the log lacks the contents of '{}'", file.path));
    }
    const std::string& bytes = found->second;
    if (bytes.size() != file.bytes || Checksum(bytes) != file.checksum) {
      Throw(fmt::format(
          "'{}' has {} bytes with the checksum {}, and the list says {} and {}",
          file.path, bytes.size(), Checksum(bytes), file.bytes, file.checksum));
    }
    const fs::path place = root_ / fs::path(file.path).relative_path();
    MakeFolder(place.parent_path());
    try {
      internal::WriteWholeFile(log_, place, bytes);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(
          fmt::format("{}; the log is unpacked there: set TMPDIR to a folder "
                      "with room.",
                      error.what()));
    }
  }

  void LinkToThisMachine(const ListedFile& file) const {
    std::error_code error;
    const char* fault = "is not on this machine";
    if (fs::is_regular_file(file.path, error)) {
      fault = "has changed since the run";
      const bool has_size = fs::file_size(file.path, error) == file.bytes;
      const auto bytes = has_size ? ReadBytes(file.path) : std::nullopt;
      if (bytes.has_value() && Checksum(*bytes) == file.checksum) {
        return Link(file.path, file.path);
      }
    }
    WarnOnStderr(fmt::format(
        "{}: the scene may lack '{}', which {}: the log has only its checksum "
        "({} bytes). Put the file there, or record with a larger "
        "`largest_file`.",
        log_, file.path, fault, file.bytes));
  }

  void Link(const fs::path& target, const std::string& path) const {
    const fs::path place = root_ / fs::path(path).relative_path();
    MakeFolder(place.parent_path());
    std::error_code error;
    fs::create_symlink(target, place, error);
    if (error) {
      Throw(fmt::format("'{}' cannot be made: {}", path, error.message()));
    }
  }

  const PackedFiles& packed_;
  const std::string log_;
  const fs::path root_;
};

}  // namespace

std::vector<UsedFile> ListUsedFiles(const std::string& list,
                                    const std::string& log) {
  const PackedFiles packed{.list = list, .contents = {}};
  const FileList all = Unpacker(packed, log, {}).ReadList();
  std::vector<UsedFile> used;
  for (const ListedFile& file : all.files) {
    used.push_back({file.path, file.bytes, file.is_inside});
  }
  return used;
}

PackedFiles PackFiles(const multibody::FileRecord& record,
                      std::uint64_t largest) {
  FileCollector collector;
  for (const fs::path& file : record.files()) collector.Add(file);
  FileList list{
      .files = {}, .links = collector.links(), .packages = record.packages()};
  PackedFiles packed;
  for (const fs::path& file : collector.files()) {
    std::optional<std::string> bytes = ReadBytes(file);
    if (!bytes.has_value()) {
      throw std::runtime_error(fmt::format(
          "the file '{}' cannot be read again for the log; check its "
          "permissions.",
          file.string()));
    }
    const bool is_inside = bytes->size() <= largest;
    list.files.push_back({.path = file.string(),
                          .bytes = bytes->size(),
                          .checksum = Checksum(*bytes),
                          .is_inside = is_inside});
    if (is_inside) packed.contents[file.string()] = std::move(*bytes);
  }
  packed.list = yaml::SaveYamlString(list);
  return packed;
}

void UseScenarioFiles(const Scenario& scenario, const fs::path& folder,
                      multibody::FileRecord* record) {
  const auto use = [&](const std::optional<Reference>& reference) {
    if (!reference.has_value()) return;
    const auto* csv = std::get_if<CsvFile>(&*reference);
    if (csv != nullptr) record->Use(folder / csv->file);
  };
  for (const auto& [model, driver] : scenario.model_drivers) {
    std::visit(
        [&](const auto& one) {
          if constexpr (requires { one.reference; }) use(one.reference);
        },
        driver);
  }
}

UnpackedFiles::UnpackedFiles(const PackedFiles& packed,
                             const std::string& log) {
  const FileList list = Unpacker(packed, log, {}).ReadList();
  packages_ = list.packages;
  std::error_code error;
  std::string name =
      (fs::canonical(fs::temp_directory_path(error), error) / "wyvern_XXXXXX")
          .string();
  if (error || mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error(
        fmt::format("{}: there is no folder for the files of the log; set "
                    "TMPDIR to a folder that can be written.",
                    log));
  }
  root_ = name;
  try {
    Unpacker(packed, log, root_).WriteAll(list);
  } catch (...) {
    fs::remove_all(root_, error);
    throw;
  }
}

UnpackedFiles::~UnpackedFiles() {
  std::error_code error;
  fs::remove_all(root_, error);
}

}  // namespace wyvern::app
