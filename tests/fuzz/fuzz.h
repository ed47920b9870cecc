#pragma once

/** @file
What the programs of this folder share. Each defines
LLVMFuzzerTestOneInput(), so that libFuzzer can drive it where clang is;
elsewhere driver.cc does. */

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace wyvern::fuzz {

/** An input read as a row of choices. After its end every choice is 0, so each
input means something, and a shorter one something simpler. */
class Choices {
 public:
  Choices(const uint8_t* data, size_t size) : data_(data), size_(size) {}

  /** In [0, n), for 0 < n <= 256. */
  int Below(int n) { return Next() % n; }
  bool Coin() { return Below(2) == 1; }
  /** In [-1, 1], a multiple of 1/127. */
  double Number() { return (static_cast<int>(Next()) - 128) / 128.0; }
  bool at_end() const { return at_ >= size_; }

 private:
  uint8_t Next() { return at_ < size_ ? data_[at_++] : 0; }

  const uint8_t* data_;
  size_t size_;
  size_t at_{};
};

/** Ends the program, saying which law does not hold, unless it does. Whoever
drives it keeps the input. */
void Require(bool law, std::string_view what);

/** Counts an input that was refused with `error`, and ends the program if that
does not tell a user who, given and wanted: a standard library's own words,
unless the error quotes them from `input`, or memory that ran out. */
void Refused(const std::exception& error, std::string_view input = {});

/** Counts an input that was accepted. */
void Accepted();

}  // namespace wyvern::fuzz
