#pragma once

#include <mutex>
#include <utility>

#include <hdf5.h>

namespace wyvern::systems::internal {

/** Under which all calls of HDF5 of this process are made, as its library need
not be built for threads. */
std::mutex& Hdf5Mutex();

/** An identifier of HDF5, and how it is closed. */
class Hdf5Handle {
 public:
  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept
      : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  Hdf5Handle(const Hdf5Handle&) = delete;
  void operator=(const Hdf5Handle&) = delete;
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }
  /** Closes it, and says whether that went well. */
  bool Close() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }
  operator hid_t() const { return id_; }  // NOLINT(runtime/explicit)

 private:
  hid_t id_{-1};
  herr_t (*close_)(hid_t){nullptr};
};

}  // namespace wyvern::systems::internal
