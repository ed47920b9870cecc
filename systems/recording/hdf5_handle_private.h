#pragma once

/** @file
Code shared by writers and readers of HDF5 files. */

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

#include <fcntl.h>
#include <hdf5.h>
#include <sys/mman.h>
#include <unistd.h>

#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/common/output_file.h"

namespace wyvern::systems::internal {

/** Held while HDF5 is called, which need not be built for threads. Errors of
the thread that holds it are not printed from then on: TakeHdf5Reason(). A
program whose first call of HDF5 is made here ends without HDF5's work at exit,
which faults on a file that cannot be closed; a file of ours is closed by who
has it. */
class Hdf5Lock {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Hdf5Lock);
  Hdf5Lock() : lock_(Mutex()) {
    [[maybe_unused]] static const herr_t once = H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }

 private:
  static std::mutex& Mutex() {
    static std::mutex& mutex = *new std::mutex;
    return mutex;
  }
  const std::lock_guard<std::mutex> lock_;
};

/** An identifier of HDF5, and how it is closed. */
class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  Handle(const Handle&) = delete;
  void operator=(const Handle&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  /** Closes it, and says whether that went well. */
  bool Close() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }
  operator hid_t() const { return id_; }  // NOLINT(runtime/explicit)

 private:
  hid_t id_{-1};
  herr_t (*close_)(hid_t){nullptr};
};

/** Why the last call failed, in the system's words or else in HDF5's; forgotten
then. */
inline std::string TakeHdf5Reason() {
  std::string reason;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned, const H5E_error2_t* error, void* text) -> herr_t {
        std::string& first = *static_cast<std::string*>(text);
        // The innermost is the first.
        if (error->desc != nullptr && first.empty()) first = error->desc;
        return 0;
      },
      &reason);
  H5Eclear2(H5E_DEFAULT);
  const std::string number = "errno = ";
  if (const auto at = reason.find(number); at != reason.npos) {
    return std::strerror(std::atoi(reason.c_str() + at + number.size()));
  }
  return reason.empty() ? std::string("HDF5 failed") : reason;
}

/** Forgets all later writes to a file; earlier data stays. After a failure, as
on a full disk, the file can then be closed. If it still cannot be closed, as
under a limit for files of a process, HDF5 keeps it until the program ends:
Hdf5Lock. */
inline void AbandonHdf5File(hid_t file) {
  void* descriptor{};
  if (file < 0 || H5Fget_vfd_handle(file, H5P_DEFAULT, &descriptor) < 0) return;
  // A file in memory, and not /dev/null, whose size cannot be set.
  const int nowhere = memfd_create("abandoned", MFD_CLOEXEC);
  if (nowhere < 0) return;
  dup3(nowhere, *static_cast<int*>(descriptor), O_CLOEXEC);
  close(nowhere);
}

/** Number of times that HDF5 reads a piece of a file with a wrong checksum, as
of a file that is being written. The pause doubles from 1 ns each time. This
limit makes 1 ms; HDF5's own limit of 100 times would take longer than any
run. */
constexpr unsigned kMostHdf5Reads = 20;

/** Returns the properties for opening files; negative if HDF5 fails to make
them. The newest format has checksums in all of its structure. Closing a file
closes all objects in it. HDF5 locks nothing, because an OutputFile holds the
file's lock, and readers recognize from the file whether it is being written. */
inline Handle MakeHdf5FileAccess() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose);
  bool is_good =
      access >= 0 &&
      H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST) >= 0 &&
      H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
      H5Pset_metadata_read_attempts(access, kMostHdf5Reads) >= 0;
#if H5_VERSION_GE(1, 12, 1) || \
    (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 11, 0))
  is_good = is_good && H5Pset_file_locking(access, false, true) >= 0;
#endif
  return is_good ? std::move(access) : Handle();
}

/** Throws if HDF5 cannot write to this file.
@throws wyvern::internal::OutputFileError if the file is a device or a pipe, in
which HDF5 cannot seek. */
inline void RequireHdf5CanWrite(const wyvern::internal::OutputFile& file) {
  if (!file.is_in_place()) return;
  file.ThrowIoError("write",
                    "HDF5 needs a regular file; give one, or record to .mcap "
                    "or .csv");
}

/** The type of UTF-8 texts of that many bytes, zeros behind what is shorter;
negative if it cannot be made. */
inline Handle MakeHdf5TextType(std::size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), &H5Tclose);
  const bool is_good = type >= 0 &&
                       H5Tset_size(type, std::max<std::size_t>(size, 1)) >= 0 &&
                       H5Tset_cset(type, H5T_CSET_UTF8) >= 0 &&
                       H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0;
  return is_good ? std::move(type) : Handle();
}

}  // namespace wyvern::systems::internal
