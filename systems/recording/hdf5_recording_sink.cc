#include "wyvern/systems/recording/hdf5_recording_sink.h"

#include <stdexcept>

#include <fmt/format.h>

#if WYVERN_HAS_HDF5

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "wyvern/systems/common/json_text.h"
#include "wyvern/systems/common/output_file.h"
#include "wyvern/systems/recording/hdf5_handle_private.h"

/* Rows are gathered in memory and appended to their datasets by Flush(), or
when there is a megabyte of them. Everything that the file is to have is made
in Start(), but for the statistics: SWMR mode (single writer, multiple
readers), entered then, lets data sets grow and nothing else, in an order of
writes that leaves the file readable at every moment. Close() leaves that
mode, by closing the file and opening it again, and adds the statistics.

Each identifier of HDF5 is in a Handle; calls are made under a lock: see
hdf5_handle_private.h. */

namespace wyvern::systems {

using internal::AbandonHdf5File;
using internal::Handle;
using internal::Hdf5Lock;
using internal::MakeHdf5TextType;
using internal::TakeHdf5Reason;

namespace {

// A vector of rows that grows in the file, and the rows that are not there yet.
struct Column {
  Handle set;
  hid_t type{};
  hsize_t width{};  // Numbers of a row; 0: a row is a number.
  hsize_t rows{0};  // In the file.
};

// Text samples.
struct Texts {
  Column time, text, end;
  std::vector<double> times;
  std::vector<char> bytes;
  std::vector<std::uint64_t> ends;
};

// Signals that are sampled together.
struct Frames {
  Column time;
  std::vector<Column> data;
  std::vector<double> times;
  // A row a frame.
  std::vector<double> values;
  hsize_t width{};
  // That are kept for one write.
  std::size_t most_rows{};
};

// Approximate size of a chunk, in bytes.
constexpr std::size_t kChunkBytes = std::size_t{1} << 14;
// Bytes of a group that are collected for one write: a write to a dataset costs
// as much as some thousand numbers.
constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

std::size_t RowsOfAChunk(int width) {
  return std::clamp<std::size_t>(kChunkBytes / sizeof(double) / width, 64,
                                 2048);
}

}  // namespace

struct Hdf5RecordingSink::File {
  explicit File(const std::string& filename)
      : output("Hdf5RecordingSink", filename) {
    internal::RequireHdf5CanWrite(output);
  }

  // Returns the result of a call. @throws if the result is a failure.
  template <typename Result>
  Result RequireSuccess(Result result) {
    if (result < 0) Throw("write");
    return result;
  }
  [[noreturn]] void Throw(const char* doing) {
    const std::string reason = TakeHdf5Reason();
    AbandonHdf5File(file);
    output.ThrowIoError(doing, reason);
  }

  Handle Group(hid_t parent, const std::string& name) {
    const Handle with_parents(RequireSuccess(H5Pcreate(H5P_LINK_CREATE)),
                              &H5Pclose);
    RequireSuccess(H5Pset_create_intermediate_group(with_parents, 1));
    return {RequireSuccess(H5Gcreate2(parent, name.c_str(), with_parents,
                                      H5P_DEFAULT, H5P_DEFAULT)),
            &H5Gclose};
  }
  Handle TextType(std::size_t size) {
    Handle type = MakeHdf5TextType(size);
    RequireSuccess<hid_t>(type);
    return type;
  }
  void PutText(hid_t group, const std::string& name, const std::string& text) {
    // A name is one word here.
    std::string word = name;
    std::replace(word.begin(), word.end(), '/', '_');
    const Handle type = TextType(text.size());
    const Handle space(RequireSuccess(H5Screate(H5S_SCALAR)), &H5Sclose);
    const Handle set(
        RequireSuccess(H5Dcreate2(group, word.c_str(), type, space, H5P_DEFAULT,
                                  H5P_DEFAULT, H5P_DEFAULT)),
        &H5Dclose);
    RequireSuccess(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                            text.empty() ? "\0" : text.data()));
  }
  // The bytes of a file, with its name as an attribute: a name may have '/'.
  void PutFile(hid_t group, const std::string& word,
               const RecordingDescription::File& given) {
    const std::string& bytes = *given.contents;
    const hsize_t count = bytes.size();
    const Handle space(RequireSuccess(H5Screate_simple(1, &count, nullptr)),
                       &H5Sclose);
    const Handle set(
        RequireSuccess(H5Dcreate2(group, word.c_str(), H5T_NATIVE_UCHAR, space,
                                  H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)),
        &H5Dclose);
    PutTextAttributes(set, "name", {given.name}, false);
    if (count == 0) return;
    RequireSuccess(H5Dwrite(set, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL,
                            H5P_DEFAULT, bytes.data()));
  }
  void PutTextAttributes(hid_t object, const char* name,
                         const std::vector<std::string>& list, bool is_list) {
    std::size_t width = 1;
    for (const std::string& text : list) width = std::max(width, text.size());
    std::string all;
    for (std::string text : list) {
      text.resize(width, '\0');
      all += text;
    }
    const hsize_t count = list.size();
    const Handle type = TextType(width);
    const Handle space(
        RequireSuccess(is_list ? H5Screate_simple(1, &count, nullptr)
                               : H5Screate(H5S_SCALAR)),
        &H5Sclose);
    const Handle attribute(RequireSuccess(H5Acreate2(object, name, type, space,
                                                     H5P_DEFAULT, H5P_DEFAULT)),
                           &H5Aclose);
    if (!all.empty()) RequireSuccess(H5Awrite(attribute, type, all.data()));
  }
  void PutNumberAttribute(hid_t object, const char* name, double number) {
    const Handle space(RequireSuccess(H5Screate(H5S_SCALAR)), &H5Sclose);
    const Handle attribute(
        RequireSuccess(H5Acreate2(object, name, H5T_NATIVE_DOUBLE, space,
                                  H5P_DEFAULT, H5P_DEFAULT)),
        &H5Aclose);
    RequireSuccess(H5Awrite(attribute, H5T_NATIVE_DOUBLE, &number));
  }

  // A dataset without rows. @param width of a row; 0: rows are numbers.
  Column MakeColumn(hid_t group, const char* name, hid_t type, hsize_t width,
                    std::size_t chunk_rows) {
    const int rank = width > 0 ? 2 : 1;
    const hsize_t dims[2] = {0, width};
    const hsize_t most[2] = {H5S_UNLIMITED, width};
    const hsize_t chunk[2] = {chunk_rows, width};
    const Handle space(RequireSuccess(H5Screate_simple(rank, dims, most)),
                       &H5Sclose);
    const Handle creation(RequireSuccess(H5Pcreate(H5P_DATASET_CREATE)),
                          &H5Pclose);
    RequireSuccess(H5Pset_chunk(creation, rank, chunk));
    const Handle access(RequireSuccess(H5Pcreate(H5P_DATASET_ACCESS)),
                        &H5Pclose);
    // Memory for the chunk that is being filled, and not for 1 MB of them.
    RequireSuccess(H5Pset_chunk_cache(
        access, 13, 2 * chunk_rows * std::max<hsize_t>(width, 1) * 8, 1.0));
    Column column{
        .set = {RequireSuccess(H5Dcreate2(group, name, type, space, H5P_DEFAULT,
                                          creation, access)),
                &H5Dclose},
        .type = type,
        .width = width};
    return column;
  }
  // Appends rows that lie in memory `stride` numbers from each other, of which
  // they are those from `begin`.
  void Append(const void* rows, hsize_t count, hsize_t stride, hsize_t begin,
              Column* to) {
    if (count == 0) return;
    const int rank = to->width > 0 ? 2 : 1;
    const hsize_t size[2] = {to->rows + count, to->width};
    RequireSuccess(H5Dset_extent(to->set, size));
    const Handle file_space(RequireSuccess(H5Dget_space(to->set)), &H5Sclose);
    const hsize_t at[2] = {to->rows, 0};
    const hsize_t part[2] = {count, to->width};
    RequireSuccess(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, at, nullptr,
                                       part, nullptr));
    const hsize_t memory_size[2] = {count, stride};
    const hsize_t memory_at[2] = {0, begin};
    const Handle memory_space(
        RequireSuccess(H5Screate_simple(rank, memory_size, nullptr)),
        &H5Sclose);
    if (rank == 2) {
      RequireSuccess(H5Sselect_hyperslab(memory_space, H5S_SELECT_SET,
                                         memory_at, nullptr, part, nullptr));
    }
    RequireSuccess(H5Dwrite(to->set, to->type, memory_space, file_space,
                            H5P_DEFAULT, rows));
    to->rows += count;
  }

  Texts MakeTexts(hid_t group) {
    return {.time = MakeColumn(group, "time", H5T_NATIVE_DOUBLE, 0, 1024),
            .text = MakeColumn(group, "text", H5T_NATIVE_UCHAR, 0, kChunkBytes),
            .end = MakeColumn(group, "end", H5T_NATIVE_UINT64, 0, 1024),
            .times = {},
            .bytes = {},
            .ends = {}};
  }
  void Add(double time, std::string_view json, Texts* texts) {
    texts->times.push_back(time);
    texts->bytes.insert(texts->bytes.end(), json.begin(), json.end());
    texts->ends.push_back(texts->text.rows + texts->bytes.size());
    if (texts->bytes.size() >= 4 * kChunkBytes) Write(texts);
  }
  void Write(Texts* texts) {
    Append(texts->bytes.data(), texts->bytes.size(), 1, 0, &texts->text);
    Append(texts->ends.data(), texts->ends.size(), 1, 0, &texts->end);
    Append(texts->times.data(), texts->times.size(), 1, 0, &texts->time);
    texts->bytes.clear();
    texts->ends.clear();
    texts->times.clear();
  }
  void Write(Frames* frames) {
    const hsize_t count = frames->times.size();
    hsize_t begin = 0;
    for (Column& data : frames->data) {
      Append(frames->values.data(), count, frames->width, begin, &data);
      begin += data.width;
    }
    Append(frames->times.data(), count, 1, 0, &frames->time);
    frames->times.clear();
    frames->values.clear();
  }

  void MakeSignals(const RecordingDescription& description);
  void WriteAll() {
    for (Frames& one : all_frames) Write(&one);
    for (Texts& one : all_texts) Write(&one);
  }
  // Numbers before their times: who reads meanwhile counts the times.
  void FlushAll() {
    for (Frames& one : all_frames) {
      for (Column& data : one.data) RequireSuccess(H5Dflush(data.set));
      RequireSuccess(H5Dflush(one.time.set));
    }
    for (Texts& one : all_texts) {
      for (Column* column : {&one.text, &one.end, &one.time}) {
        RequireSuccess(H5Dflush(column->set));
      }
    }
    RequireSuccess(H5Fflush(file, H5F_SCOPE_GLOBAL));
  }
  // All but the names.
  bool CloseAll() {
    all_frames.clear();
    all_texts.clear();
    return file.Close();
  }

  wyvern::internal::OutputFile output;
  Handle file;
  std::vector<Frames> all_frames;
  // By signal, and events at the end; -1: not a text.
  std::vector<int> text_of_signal;
  std::vector<Texts> all_texts;
};

void Hdf5RecordingSink::File::MakeSignals(
    const RecordingDescription& description) {
  const Handle signals = Group(file, "signals");
  const auto put_about = [this](hid_t group, const SignalDescription& about) {
    PutTextAttributes(group, "unit", {about.unit}, false);
    PutTextAttributes(group, "element_names", about.element_names, true);
    PutNumberAttribute(group, "period", about.period);
  };
  for (const RecordingDescription::Group& one : description.groups) {
    Frames made{
        .time = {},
        .data = {},
        .times = {},
        .values = {},
        .width = static_cast<hsize_t>(one.size),
        .most_rows = std::clamp<std::size_t>(
            kBufferBytes / sizeof(double) / std::max(one.size, 1), 64, 8192)};
    std::string first;
    for (const int index : one.signals) {
      const auto& signal = description.signals[index];
      const std::string& name = signal.description.name;
      const Handle group = Group(signals, name);
      put_about(group, signal.description);
      if (signal.size > 0) {
        made.data.push_back(MakeColumn(group, "data", H5T_NATIVE_DOUBLE,
                                       signal.size, RowsOfAChunk(signal.size)));
      }
      if (first.empty()) {
        first = name + "/time";
        made.time =
            MakeColumn(group, "time", H5T_NATIVE_DOUBLE, 0, RowsOfAChunk(1));
      } else {
        RequireSuccess(H5Lcreate_hard(signals, first.c_str(), group, "time",
                                      H5P_DEFAULT, H5P_DEFAULT));
      }
    }
    all_frames.push_back(std::move(made));
  }
  for (const auto& signal : description.signals) {
    text_of_signal.push_back(
        signal.is_text() ? static_cast<int>(all_texts.size()) : -1);
    if (!signal.is_text()) continue;
    const Handle group = Group(signals, signal.description.name);
    put_about(group, signal.description);
    all_texts.push_back(MakeTexts(group));
  }
  all_texts.push_back(MakeTexts(Group(file, "events")));
}

Hdf5RecordingSink::Hdf5RecordingSink(const std::string& filename)
    : file_(std::make_unique<File>(filename)) {
  const Hdf5Lock lock;
  const Handle access = internal::MakeHdf5FileAccess();
  file_->RequireSuccess<hid_t>(access);
  file_->file = {H5Fcreate(file_->output.partial_name().c_str(), H5F_ACC_TRUNC,
                           H5P_DEFAULT, access),
                 &H5Fclose};
  if (file_->file < 0) file_->Throw("open");
}

Hdf5RecordingSink::~Hdf5RecordingSink() {
  const Hdf5Lock lock;
  file_->CloseAll();
}

void Hdf5RecordingSink::Discard() {
  const Hdf5Lock lock;
  file_->CloseAll();
  file_->output.Discard();
}

const std::string& Hdf5RecordingSink::filename() const {
  return file_->output.filename();
}

bool Hdf5RecordingSink::is_available() { return true; }

void Hdf5RecordingSink::Start(const RecordingDescription& description) {
  const Hdf5Lock lock;
  File& file = *file_;
  file.PutTextAttributes(file.file, "format", {"wyvern recording 1"}, false);
  {
    const Handle attributes = file.Group(file.file, "attributes");
    for (const auto& pair : description.attributes) {
      file.PutText(attributes, pair.first, pair.second);
    }
  }
  {
    const Handle files = file.Group(file.file, "files");
    for (std::size_t i = 0; i < description.files.size(); ++i) {
      file.PutFile(files, std::to_string(i), description.files[i]);
    }
  }
  file.MakeSignals(description);
  file.RequireSuccess(H5Fflush(file.file, H5F_SCOPE_GLOBAL));
  file.RequireSuccess(H5Fstart_swmr_write(file.file));
}

void Hdf5RecordingSink::WriteFrame(int group, double time,
                                   const double* values) {
  Frames& frames = file_->all_frames[group];
  frames.times.push_back(time);
  frames.values.insert(frames.values.end(), values, values + frames.width);
  if (frames.times.size() < frames.most_rows) return;
  const Hdf5Lock lock;
  file_->Write(&frames);
}

void Hdf5RecordingSink::WriteText(int signal, double time,
                                  std::string_view json) {
  const Hdf5Lock lock;
  file_->Add(time, json, &file_->all_texts[file_->text_of_signal[signal]]);
}

void Hdf5RecordingSink::WriteEvent(double time, std::string_view level,
                                   std::string_view text) {
  const std::string json = fmt::format("{{\"level\":{},\"text\":{}}}",
                                       wyvern::internal::JsonString(level),
                                       wyvern::internal::JsonString(text));
  const Hdf5Lock lock;
  file_->Add(time, json, &file_->all_texts.back());
}

void Hdf5RecordingSink::Flush() {
  const Hdf5Lock lock;
  file_->WriteAll();
  file_->FlushAll();
}

void Hdf5RecordingSink::Close(
    const std::map<std::string, std::string>& statistics) {
  const Hdf5Lock lock;
  File& file = *file_;
  file.WriteAll();
  // While a failure can be told from one of closing.
  file.FlushAll();
  if (!file.CloseAll()) file.Throw("write");
  // The statistics have checksums, too; an older format has none.
  const Handle access = internal::MakeHdf5FileAccess();
  file.RequireSuccess<hid_t>(access);
  file.file = {
      H5Fopen(file.output.partial_name().c_str(), H5F_ACC_RDWR, access),
      &H5Fclose};
  if (file.file < 0) file.Throw("open");
  {
    const Handle group = file.Group(file.file, "statistics");
    for (const auto& pair : statistics) {
      file.PutText(group, pair.first, pair.second);
    }
  }
  file.RequireSuccess(H5Fflush(file.file, H5F_SCOPE_GLOBAL));
  if (!file.CloseAll()) file.Throw("write");
  file.output.Finish();
}

}  // namespace wyvern::systems

#else  // WYVERN_HAS_HDF5

namespace wyvern::systems {

struct Hdf5RecordingSink::File {};

namespace {

[[noreturn]] void ThrowAbsent(const std::string& filename) {
  throw std::logic_error(fmt::format(
      "Hdf5RecordingSink: '{}': this library was built without HDF5; install "
      "libhdf5-dev and configure anew, or record to .mcap or .csv.",
      filename));
}

}  // namespace

Hdf5RecordingSink::Hdf5RecordingSink(const std::string& filename) {
  ThrowAbsent(filename);
}
Hdf5RecordingSink::~Hdf5RecordingSink() = default;
void Hdf5RecordingSink::Start(const RecordingDescription&) {}
void Hdf5RecordingSink::WriteFrame(int, double, const double*) {}
void Hdf5RecordingSink::WriteText(int, double, std::string_view) {}
void Hdf5RecordingSink::WriteEvent(double, std::string_view, std::string_view) {
}
void Hdf5RecordingSink::Flush() {}
void Hdf5RecordingSink::Close(const std::map<std::string, std::string>&) {}
void Hdf5RecordingSink::Discard() {}
const std::string& Hdf5RecordingSink::filename() const {
  static const std::string none;
  return none;
}
bool Hdf5RecordingSink::is_available() { return false; }

}  // namespace wyvern::systems

#endif
