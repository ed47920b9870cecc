#pragma once

namespace wyvern {

/** A name and a value to read or write, for Serialize() functions: an archive's
Visit() is given one for each field. Holds pointers: both must outlive it. */
template <typename T>
class NameValue {
 public:
  /** The type of the value. */
  using value_type = T;

  /** Takes pointers, neither of which may be null. */
  NameValue(const char* name, T* value) : name_(name), value_(value) {}

  /** The name. */
  const char* name() const { return name_; }
  /** May be written to by archives that read. */
  T* value() const { return value_; }

 private:
  const char* name_;
  T* value_;
};

/** Returns a pair of a name and a value; neither pointer may be null. */
template <typename T>
NameValue<T> MakeNameValue(const char* name, T* value) {
  return NameValue<T>(name, value);
}

}  // namespace wyvern

/** The NameValue of a field: `archive->Visit(WYVERN_NVP(mass));`. */
#define WYVERN_NVP(x) ::wyvern::MakeNameValue(#x, &(x))
