#include "wyvern/systems/recording/hdf5_recording_reader.h"

#include <stdexcept>

#include <fmt/format.h>

#if WYVERN_HAS_HDF5

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "wyvern/systems/recording/hdf5_handle_private.h"

/* A file that cannot be opened as closed is opened as one that is being written
(SWMR), so that the file of a killed run can be read. The number of samples
is that of the dataset with the fewest rows, because a writer may be between
two datasets. hdf5_recording_sink.h describes the layout.

A file may come from an untrusted source. HDF5 checks the structure of the
newest format by checksums, and older formats are refused.
hdf5_handle_private.h limits how often HDF5 retries after a failed checksum.
The checks here bound the rest. No other file is opened (links and external
storage). No memory is taken for numbers that the file has no room for.
Samples are finite and in the order of time. */

namespace wyvern::systems {

using internal::Handle;
using internal::Hdf5Lock;

namespace {

constexpr std::string_view kFormat = "wyvern recording 1";
// Bytes that a writer may hold in memory although the file already counts them.
constexpr std::uint64_t kMostUnwritten = std::uint64_t{1} << 26;
// Signature of HDF5 files; the version of their format follows.
constexpr std::string_view kSignature{"\x89HDF\r\n\x1a\n", 8};
// The first version with checksums. HDF5 1.10 crashes on damaged older files.
constexpr char kFirstWithChecksums = 2;

}  // namespace

struct Hdf5RecordingReader::File {
  std::string filename;
  Handle file;

  [[noreturn]] void Throw(const std::string& what) const {
    throw std::runtime_error(
        fmt::format("Hdf5RecordingReader: '{}' {}", filename, what));
  }
  template <typename Result>
  Result Require(Result result) const {
    if (result < 0) ThrowDamaged();
    return result;
  }

  [[noreturn]] void ThrowDamaged() const {
    H5Eclear2(H5E_DEFAULT);
    Throw("cannot be read; it is damaged, or no recording of Wyvern.");
  }

  void RequireChecksums() const {
    std::ifstream stream(filename, std::ios::binary);
    std::string head(kSignature.size() + 1, '\0');
    stream.read(head.data(), static_cast<std::streamsize>(head.size()));
    if (!stream || !head.starts_with(kSignature)) {
      Throw("cannot be opened as an HDF5 file.");
    }
    if (head.back() < kFirstWithChecksums) {
      Throw(
          "is in a format of HDF5 without checksums, which recordings of "
          "Wyvern are not; give the file as it was recorded.");
    }
  }
  // Returns the product of `unit` bytes and the lengths, if the file has room
  // for it.
  std::size_t RequireRoom(std::uint64_t unit,
                          const std::vector<hsize_t>& lengths) const {
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(filename, error);
    if (error) ThrowDamaged();
    const std::uint64_t most = kMostUnwritten + size;
    std::uint64_t bytes = unit;
    for (const hsize_t length : lengths) {
      if (length != 0 && bytes > most / length) ThrowDamaged();
      bytes *= length;
    }
    if (bytes > most) ThrowDamaged();
    return bytes;
  }
  // Returns whether the path exists, through hard links alone. Other links may
  // lead to files that the user has not named.
  bool Has(const std::string& path) const {
    // HDF5 wants to be asked for each part of a path.
    for (size_t end = 0; end != std::string::npos;) {
      end = path.find('/', end + 1);
      const std::string part = path.substr(0, end);
      if (H5Lexists(file, part.c_str(), H5P_DEFAULT) <= 0) return false;
      H5L_info_t link{};
      Require(H5Lget_info(file, part.c_str(), &link, H5P_DEFAULT));
      if (link.type != H5L_TYPE_HARD) ThrowDamaged();
    }
    return true;
  }
  // Opens a dataset whose numbers are in this file.
  Handle Open(const std::string& path) const {
    if (!Has(path)) ThrowDamaged();
    Handle set(Require(H5Dopen2(file, path.c_str(), H5P_DEFAULT)), &H5Dclose);
    const Handle creation(Require(H5Dget_create_plist(set)), &H5Pclose);
    const H5D_layout_t layout = H5Pget_layout(creation);
    if (layout == H5D_CHUNKED) {
      // HDF5 allocates memory for a whole chunk.
      std::vector<hsize_t> chunk(H5S_MAX_RANK);
      const int rank =
          Require(H5Pget_chunk(creation, H5S_MAX_RANK, chunk.data()));
      chunk.resize(rank);
      const Handle type(Require(H5Dget_type(set)), &H5Tclose);
      RequireRoom(H5Tget_size(type), chunk);
    } else if (layout != H5D_CONTIGUOUS && layout != H5D_COMPACT) {
      ThrowDamaged();
    }
    // Refuse other files, and filters, which HDF5 would look for among
    // programs.
    if (H5Pget_external_count(creation) != 0 ||
        H5Pget_nfilters(creation) != 0) {
      ThrowDamaged();
    }
    return set;
  }
  // The lengths of a dataset of `rank` dimensions.
  std::vector<hsize_t> SizeOf(hid_t set, int rank) const {
    const Handle space(Require(H5Dget_space(set)), &H5Sclose);
    std::vector<hsize_t> size(rank);
    if (H5Sget_simple_extent_ndims(space) != rank) ThrowDamaged();
    Require(H5Sget_simple_extent_dims(space, size.data(), nullptr));
    return size;
  }
  // All that a dataset has, of the type `memory_type` of HDF5.
  template <typename Number>
  std::vector<Number> ReadAll(const std::string& path, hid_t memory_type,
                              int rank = 1,
                              std::vector<hsize_t>* size = nullptr) const {
    const Handle set = Open(path);
    // Its size is asked once: it may grow meanwhile.
    const std::vector<hsize_t> lengths = SizeOf(set, rank);
    const Handle type(Require(H5Dget_type(set)), &H5Tclose);
    const H5T_class_t kind = H5Tget_class(type);
    if (kind != H5T_FLOAT && kind != H5T_INTEGER) ThrowDamaged();
    RequireRoom(H5Tget_size(type), lengths);
    const std::size_t count =
        RequireRoom(sizeof(Number), lengths) / sizeof(Number);
    std::vector<Number> numbers(count);
    if (count > 0) {
      const Handle from(Require(H5Dget_space(set)), &H5Sclose);
      const Handle to(Require(H5Screate_simple(rank, lengths.data(), nullptr)),
                      &H5Sclose);
      const std::vector<hsize_t> begin(rank, 0);
      Require(H5Sselect_hyperslab(from, H5S_SELECT_SET, begin.data(), nullptr,
                                  lengths.data(), nullptr));
      Require(H5Dread(set, memory_type, to, from, H5P_DEFAULT, numbers.data()));
    }
    if (size != nullptr) *size = lengths;
    return numbers;
  }
  // Texts of one width, without the zeros behind them.
  static std::vector<std::string> Split(const std::string& bytes,
                                        std::size_t width) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i + width <= bytes.size(); i += width) {
      const std::string text = bytes.substr(i, width);
      texts.push_back(text.substr(0, text.find_last_not_of('\0') + 1));
    }
    return texts;
  }
  // Read the layout that Hdf5RecordingSink writes.
  void RequireSamples(const RecordedSignal& signal) const {
    for (Eigen::Index i = 0; i < signal.times.size(); ++i) {
      if (signal.values.col(i).allFinite() && std::isfinite(signal.times[i]) &&
          (i == 0 || signal.times[i - 1] <= signal.times[i])) {
        continue;
      }
      Throw(fmt::format(
          "is damaged: sample {} of '{}', at {} s, is no sample of a run, "
          "whose numbers are finite and whose times do not go back; record "
          "the run again.",
          i, signal.name, signal.times[i]));
    }
  }
  std::string ReadText(const std::string& path) const {
    const Handle set = Open(path);
    const Handle type(Require(H5Dget_type(set)), &H5Tclose);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0) {
      ThrowDamaged();
    }
    const Handle space(Require(H5Dget_space(set)), &H5Sclose);
    if (H5Sget_simple_extent_npoints(space) != 1) ThrowDamaged();
    std::string text(RequireRoom(H5Tget_size(type), {}), '\0');
    Require(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()));
    return Split(text, text.size()).at(0);
  }
  std::vector<std::string> ReadTextAttribute(const std::string& object,
                                             const char* name) const {
    const Handle attribute(Require(H5Aopen_by_name(file, object.c_str(), name,
                                                   H5P_DEFAULT, H5P_DEFAULT)),
                           &H5Aclose);
    const Handle type(Require(H5Aget_type(attribute)), &H5Tclose);
    const Handle space(Require(H5Aget_space(attribute)), &H5Sclose);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0) {
      ThrowDamaged();
    }
    const std::size_t width = H5Tget_size(type);
    const hsize_t count = Require(H5Sget_simple_extent_npoints(space));
    std::string bytes(RequireRoom(width, {count}), '\0');
    if (count > 0) Require(H5Aread(attribute, type, bytes.data()));
    return Split(bytes, width);
  }
};

Hdf5RecordingReader::Hdf5RecordingReader(const std::string& filename)
    : file_(std::make_unique<File>()) {
  const Hdf5Lock lock;
  file_->filename = filename;
  file_->RequireChecksums();
  const Handle access = internal::MakeHdf5FileAccess();
  file_->Require<hid_t>(access);
  for (const unsigned flags :
       {H5F_ACC_RDONLY, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ}) {
    file_->file = {H5Fopen(filename.c_str(), flags, access), &H5Fclose};
    if (file_->file >= 0) break;
  }
  H5Eclear2(H5E_DEFAULT);
  if (file_->file < 0) file_->Throw("cannot be opened as an HDF5 file.");
  if (H5Aexists(file_->file, "format") <= 0 ||
      file_->ReadTextAttribute("/", "format") !=
          std::vector<std::string>{std::string(kFormat)}) {
    file_->Throw(fmt::format(
        "is no recording of Wyvern: its attribute 'format' is not '{}'.",
        kFormat));
  }
}

Hdf5RecordingReader::~Hdf5RecordingReader() {
  const Hdf5Lock lock;
  file_->file.Close();
}

std::string Hdf5RecordingReader::FindText(const std::string& path) const {
  const Hdf5Lock lock;
  return file_->Has(path) ? file_->ReadText(path) : std::string();
}

std::string Hdf5RecordingReader::GetAttribute(const std::string& name) const {
  return FindText("/attributes/" + name);
}

std::string Hdf5RecordingReader::GetStatistic(const std::string& name) const {
  return FindText("/statistics/" + name);
}

std::vector<std::string> Hdf5RecordingReader::GetSignalNames() const {
  const Hdf5Lock lock;
  std::vector<std::string> names;
  if (!file_->Has("/signals")) file_->ThrowDamaged();
  const Handle group(
      file_->Require(H5Gopen2(file_->file, "/signals", H5P_DEFAULT)),
      &H5Gclose);
  file_->Require(H5Lvisit(
      group, H5_INDEX_NAME, H5_ITER_INC,
      [](hid_t, const char* name, const H5L_info_t*, void* found) -> herr_t {
        constexpr std::string_view kEnd = "/data";
        const std::string_view path = name;
        if (path.ends_with(kEnd)) {
          static_cast<std::vector<std::string>*>(found)->emplace_back(
              path.substr(0, path.size() - kEnd.size()));
        }
        return 0;
      },
      &names));
  std::ranges::sort(names);
  return names;
}

RecordedSignal Hdf5RecordingReader::ReadSignal(const std::string& name) const {
  const std::vector<std::string> names = GetSignalNames();
  if (std::ranges::find(names, name) == names.end()) {
    file_->Throw(fmt::format("has no signal '{}' of numbers; it has: {}.", name,
                             fmt::join(names, ", ")));
  }
  const Hdf5Lock lock;
  const std::string path = "/signals/" + name;
  const std::vector<double> times =
      file_->ReadAll<double>(path + "/time", H5T_NATIVE_DOUBLE);
  std::vector<hsize_t> size;
  const std::vector<double> values =
      file_->ReadAll<double>(path + "/data", H5T_NATIVE_DOUBLE, 2, &size);
  const auto count =
      static_cast<Eigen::Index>(std::min<std::size_t>(times.size(), size[0]));
  RecordedSignal signal{
      .name = name,
      .unit = {},
      .element_names = file_->ReadTextAttribute(path, "element_names"),
      .times = Eigen::Map<const Eigen::VectorXd>(times.data(), count),
      .values = Eigen::Map<const Eigen::MatrixXd>(
          values.data(), static_cast<Eigen::Index>(size[1]), count)};
  file_->RequireSamples(signal);
  const auto unit = file_->ReadTextAttribute(path, "unit");
  if (!unit.empty()) signal.unit = unit[0];
  return signal;
}

std::vector<RecordedEvent> Hdf5RecordingReader::ReadEvents() const {
  const Hdf5Lock lock;
  const auto times = file_->ReadAll<double>("/events/time", H5T_NATIVE_DOUBLE);
  const auto ends =
      file_->ReadAll<std::uint64_t>("/events/end", H5T_NATIVE_UINT64);
  const auto text = file_->ReadAll<char>("/events/text", H5T_NATIVE_CHAR);
  std::vector<RecordedEvent> events;
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < std::min(times.size(), ends.size()); ++i) {
    if (ends[i] < begin || ends[i] > text.size()) break;
    const std::string json(text.data() + begin, text.data() + ends[i]);
    begin = ends[i];
    const auto event = nlohmann::json::parse(json, nullptr, false);
    if (!event.is_object()) continue;
    const auto text_of = [&event](const char* key) {
      const auto found = event.find(key);
      const bool is_text = found != event.end() && found->is_string();
      return is_text ? found->get<std::string>() : std::string();
    };
    if (!std::isfinite(times[i])) file_->ThrowDamaged();
    events.push_back(
        {.time = times[i], .level = text_of("level"), .text = text_of("text")});
  }
  return events;
}

std::map<std::string, std::string> Hdf5RecordingReader::ReadFiles() const {
  const Hdf5Lock lock;
  std::map<std::string, std::string> files;
  hsize_t total = 0;
  for (int i = 0;; ++i) {
    const std::string path = fmt::format("/files/{}", i);
    if (!file_->Has(path)) return files;
    // Two links to one dataset count twice.
    total += file_->RequireRoom(1, file_->SizeOf(file_->Open(path), 1));
    file_->RequireRoom(1, {total});
    const auto bytes = file_->ReadAll<char>(path, H5T_NATIVE_UCHAR);
    const auto names = file_->ReadTextAttribute(path, "name");
    if (names.size() != 1 ||
        !files.try_emplace(names[0], bytes.begin(), bytes.end()).second) {
      file_->ThrowDamaged();
    }
  }
}

}  // namespace wyvern::systems

#else  // WYVERN_HAS_HDF5

namespace wyvern::systems {

struct Hdf5RecordingReader::File {};

Hdf5RecordingReader::Hdf5RecordingReader(const std::string& filename) {
  throw std::logic_error(fmt::format(
      "Hdf5RecordingReader: '{}': this library was built without HDF5; install "
      "libhdf5-dev and configure anew.",
      filename));
}
Hdf5RecordingReader::~Hdf5RecordingReader() = default;
std::string Hdf5RecordingReader::GetAttribute(const std::string&) const {
  return {};
}
std::string Hdf5RecordingReader::GetStatistic(const std::string&) const {
  return {};
}
std::vector<std::string> Hdf5RecordingReader::GetSignalNames() const {
  return {};
}
RecordedSignal Hdf5RecordingReader::ReadSignal(const std::string&) const {
  return {};
}
std::vector<RecordedEvent> Hdf5RecordingReader::ReadEvents() const {
  return {};
}
std::map<std::string, std::string> Hdf5RecordingReader::ReadFiles() const {
  return {};
}

}  // namespace wyvern::systems

#endif
