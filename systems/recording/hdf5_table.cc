#include "wyvern/systems/recording/hdf5_table.h"

#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"

#if WYVERN_HAS_HDF5

#include <algorithm>
#include <cstring>

#include "wyvern/systems/common/output_file.h"
#include "wyvern/systems/recording/hdf5_handle_private.h"

#endif

/* A table becomes one compound dataset of HDF5. Each column is a field of the
width of its numbers, or of its longest text; rows are assembled in chunks and
compressed. Texts about the table are datasets of their own. The file gets its
name once it is whole, and holds no time of day, so that equal tables give equal
bytes. */

namespace wyvern::systems {

namespace {

constexpr char kWho[] = "WriteHdf5Table";

std::size_t NumRows(const TableColumn& column) {
  return std::visit([](const auto& values) { return values.size(); },
                    column.values);
}

void RequireTable(const std::vector<TableColumn>& columns) {
  wyvern::internal::RequireNotEmpty(kWho, "columns", columns.empty());
  std::set<std::string> names;
  for (const TableColumn& column : columns) {
    if (NumRows(column) != NumRows(columns[0])) {
      throw std::logic_error(fmt::format(
          "{}(): column '{}' has {} rows, and '{}' has {}; give all as many.",
          kWho, column.name, NumRows(column), columns[0].name,
          NumRows(columns[0])));
    }
    if (names.insert(column.name).second) continue;
    throw std::logic_error(
        fmt::format("{}(): two columns have the name '{}'; give each its own.",
                    kWho, column.name));
  }
}

#if WYVERN_HAS_HDF5

using internal::Handle;

// Approximate number of bytes that are compressed at once.
constexpr std::size_t kTableChunkBytes = 262144;

class TableFile {
 public:
  explicit TableFile(const std::string& filename) : output_(kWho, filename) {
    internal::RequireHdf5CanWrite(output_);
    file_ = {H5Fcreate(output_.partial_name().c_str(), H5F_ACC_TRUNC,
                       H5P_DEFAULT, H5P_DEFAULT),
             &H5Fclose};
    if (file_ < 0) output_.ThrowIoError("open", internal::TakeHdf5Reason());
  }

  void PutText(const std::string& name, const std::string& text) {
    const Handle type = TextType(text.size());
    const Handle space = Require(H5Screate(H5S_SCALAR), &H5Sclose);
    const Handle set = MakeSet(name, type, space, MakeCreation());
    Require(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                     text.empty() ? "\0" : text.data()));
  }

  void PutTable(const std::vector<TableColumn>& columns) {
    std::vector<std::size_t> offsets;
    std::size_t width = 0;
    for (const TableColumn& column : columns) {
      offsets.push_back(width);
      width += WidthOf(column);
    }
    const Handle row = Require(H5Tcreate(H5T_COMPOUND, width), &H5Tclose);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const Handle field = TypeOf(columns[i]);
      Require(H5Tinsert(row, columns[i].name.c_str(), offsets[i], field));
    }
    const hsize_t num_rows = NumRows(columns[0]);
    const hsize_t chunk = std::clamp<hsize_t>(kTableChunkBytes / width, 1,
                                              std::max<hsize_t>(num_rows, 1));
    const Handle space =
        Require(H5Screate_simple(1, &num_rows, nullptr), &H5Sclose);
    const Handle creation = MakeCreation();
    if (num_rows > 0) {
      Require(H5Pset_chunk(creation, 1, &chunk));
      if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
        Require(H5Pset_deflate(creation, 1));
      }
    }
    const Handle set = MakeSet("table", row, space, creation);
    std::vector<char> rows;
    for (hsize_t first = 0; first < num_rows; first += chunk) {
      const hsize_t count = std::min(chunk, num_rows - first);
      rows.assign(count * width, '\0');
      for (std::size_t i = 0; i < columns.size(); ++i) {
        PutValues(columns[i], first, count, width, rows.data() + offsets[i]);
      }
      Require(H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, nullptr,
                                  &count, nullptr));
      const Handle memory =
          Require(H5Screate_simple(1, &count, nullptr), &H5Sclose);
      Require(H5Dwrite(set, row, memory, space, H5P_DEFAULT, rows.data()));
    }
  }

  void Finish() {
    Require(H5Fflush(file_, H5F_SCOPE_GLOBAL));
    if (!file_.Close()) Throw();
    output_.Finish();
  }

 private:
  [[noreturn]] void Throw() {
    const std::string reason = internal::TakeHdf5Reason();
    internal::AbandonHdf5File(file_);
    output_.ThrowIoError("write", reason);
  }
  void Require(herr_t result) {
    if (result < 0) Throw();
  }
  Handle Require(hid_t id, herr_t (*close)(hid_t)) {
    if (id < 0) Throw();
    return {id, close};
  }
  Handle TextType(std::size_t size) {
    Handle type = internal::MakeHdf5TextType(size);
    if (type < 0) Throw();
    return type;
  }
  // Without the time of day.
  Handle MakeCreation() {
    Handle creation = Require(H5Pcreate(H5P_DATASET_CREATE), &H5Pclose);
    Require(H5Pset_obj_track_times(creation, false));
    return creation;
  }
  Handle MakeSet(const std::string& name, hid_t type, hid_t space,
                 hid_t creation) {
    return Require(H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT,
                              creation, H5P_DEFAULT),
                   &H5Dclose);
  }

  // Returns the width of a value of the column, in bytes.
  static std::size_t WidthOf(const TableColumn& column) {
    const auto* texts = std::get_if<std::vector<std::string>>(&column.values);
    if (texts == nullptr) return 8;
    std::size_t width = 1;
    for (const std::string& text : *texts) width = std::max(width, text.size());
    return width;
  }
  Handle TypeOf(const TableColumn& column) {
    if (std::holds_alternative<std::vector<double>>(column.values)) {
      return Require(H5Tcopy(H5T_NATIVE_DOUBLE), &H5Tclose);
    }
    if (std::holds_alternative<std::vector<std::uint64_t>>(column.values)) {
      return Require(H5Tcopy(H5T_NATIVE_UINT64), &H5Tclose);
    }
    return TextType(WidthOf(column));
  }
  // Into rows of `stride` bytes.
  static void PutValues(const TableColumn& column, std::size_t first,
                        std::size_t count, std::size_t stride, char* to) {
    const auto put = [&]<typename Value>(const std::vector<Value>& values) {
      for (std::size_t i = first; i < first + count; ++i, to += stride) {
        if constexpr (std::is_same_v<Value, std::string>) {
          std::memcpy(to, values[i].data(), values[i].size());
        } else {
          std::memcpy(to, &values[i], sizeof(Value));
        }
      }
    };
    std::visit(put, column.values);
  }

  wyvern::internal::OutputFile output_;
  Handle file_;
};

#endif

}  // namespace

void WriteHdf5Table(const std::string& filename,
                    const std::vector<TableColumn>& columns,
                    const std::map<std::string, std::string>& texts) {
  RequireTable(columns);
#if WYVERN_HAS_HDF5
  const internal::Hdf5Lock lock;
  TableFile file(filename);
  file.PutTable(columns);
  for (const auto& [name, text] : texts) file.PutText(name, text);
  file.Finish();
#else
  static_cast<void>(texts);
  throw std::logic_error(fmt::format(
      "{}(): '{}': this library was built without HDF5; install libhdf5-dev "
      "and configure anew.",
      kWho, filename));
#endif
}

}  // namespace wyvern::systems
