#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace wyvern::fuzz {

/** Makes inputs out of others: the corpus, changed a few times each. Most keep
the form of the text (other numbers, words and lines), so that they get past
what reads the form; the rest change bytes. The same seed makes the same
inputs. */
class Mutator {
 public:
  /** @param corpus what to start from; if empty, inputs are random bytes. */
  Mutator(std::vector<std::string> corpus, uint64_t seed);

  std::string Make();

 private:
  static constexpr size_t kMaxSize = 1 << 16;

  size_t Below(size_t n);
  void ChangeText(std::string* input);
  void ChangeBytes(std::string* input);
  void ReplaceNumber(std::string* input);
  void ReplaceWord(std::string* input);
  void ChangeLine(std::string* input);
  void RepeatPiece(std::string* input);

  std::vector<std::string> corpus_;
  // Words of the corpus: between blanks and brackets.
  std::vector<std::string> words_;
  std::mt19937_64 generator_;
};

}  // namespace wyvern::fuzz
