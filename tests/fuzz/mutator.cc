#include "tests/fuzz/mutator.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

namespace wyvern::fuzz {
namespace {

constexpr std::array<std::string_view, 24> kNumbers = {
    "0",      "-0",    "1",     "-1",   "2",          "0.5",
    "1e-300", "1e300", "1e308", "1e-9", "2147483648", "-2147483649",
    "1e12",   "nan",   "-nan",  "inf",  "-inf",       "18446744073709551616",
    "1e400",  "0x10",  "1,5",   "",     "1e",         "65536"};

bool IsPartOfNumber(char c) {
  return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == 'e';
}

}  // namespace

Mutator::Mutator(std::vector<std::string> corpus, uint64_t seed)
    : corpus_(std::move(corpus)), generator_(seed) {
  std::set<std::string> words;
  for (const std::string& input : corpus_) {
    constexpr std::string_view kBetween = " \n\t<>='\"/[]{},:";
    for (size_t at = 0; at < input.size();) {
      const size_t end =
          std::min(input.find_first_of(kBetween, at), input.size());
      if (end > at) words.insert(input.substr(at, end - at));
      at = end + 1;
    }
  }
  words_.assign(words.begin(), words.end());
}

std::string Mutator::Make() {
  std::string input;
  if (corpus_.empty()) {
    input.resize(Below(400));
    for (char& c : input) c = static_cast<char>(Below(256));
    return input;
  }
  input = corpus_[Below(corpus_.size())];
  const bool keeps_form = Below(4) > 0;
  for (size_t i = 1 + Below(1 << Below(4)); i > 0; --i) {
    keeps_form ? ChangeText(&input) : ChangeBytes(&input);
  }
  if (input.size() > kMaxSize) input.resize(kMaxSize);
  return input;
}

size_t Mutator::Below(size_t n) { return n == 0 ? 0 : generator_() % n; }

void Mutator::ChangeText(std::string* input) {
  switch (Below(4)) {
    case 0:
      ReplaceWord(input);
      return;
    case 1:
      ChangeLine(input);
      return;
    default:
      ReplaceNumber(input);
  }
}

void Mutator::ChangeBytes(std::string* input) {
  const size_t at = Below(input->size() + 1);
  const size_t left = input->size() - at;
  switch (Below(8)) {
    case 0:  // One bit.
      if (left > 0) (*input)[at] ^= static_cast<char>(1 << Below(8));
      return;
    case 1:
      if (left > 0) (*input)[at] = static_cast<char>(Below(256));
      return;
    case 2:
      input->erase(at, 1 + Below(std::min<size_t>(left, 64)));
      return;
    case 3:
      input->insert(at, 1, static_cast<char>(Below(256)));
      return;
    case 4: {  // A piece of another input.
      const std::string& other = corpus_[Below(corpus_.size())];
      const size_t from = Below(other.size());
      input->insert(at, other.substr(from, 1 + Below(200)));
      return;
    }
    case 5:
      input->insert(at, words_.empty() ? " " : words_[Below(words_.size())]);
      return;
    case 6:
      input->resize(at);
      return;
    default:
      RepeatPiece(input);
  }
}

// One of them or, as tags come in pairs, all.
void Mutator::ReplaceWord(std::string* input) {
  if (words_.empty()) return;
  const std::string& word = words_[Below(words_.size())];
  const std::string& other = words_[Below(words_.size())];
  const bool replaces_all = Below(2) == 0;
  size_t at = replaces_all ? 0 : Below(input->size());
  while ((at = input->find(word, at)) != std::string::npos) {
    input->replace(at, word.size(), other);
    at += other.size();
    if (!replaces_all || input->size() > kMaxSize) return;
  }
}

// Gone, twice, or somewhere else.
void Mutator::ChangeLine(std::string* input) {
  const size_t at = Below(input->size());
  const size_t begin = at == 0 ? 0 : input->rfind('\n', at - 1) + 1;
  const size_t end = std::min(input->find('\n', begin), input->size() - 1) + 1;
  const std::string line = input->substr(begin, end - begin);
  const size_t what = Below(3);
  if (what != 1) input->erase(begin, line.size());
  if (what == 0) return;
  const size_t to = input->find('\n', Below(input->size()));
  input->insert(to == std::string::npos ? 0 : to + 1, line);
}

// Numbers are where files go wrong most.
void Mutator::ReplaceNumber(std::string* input) {
  size_t begin = Below(input->size());
  while (begin < input->size() && !IsPartOfNumber((*input)[begin])) ++begin;
  size_t end = begin;
  while (end < input->size() && IsPartOfNumber((*input)[end])) ++end;
  if (begin == end) return;
  input->replace(begin, end - begin, kNumbers[Below(kNumbers.size())]);
}

// Now and then a thousand times, so that what nests is nested deep.
void Mutator::RepeatPiece(std::string* input) {
  const size_t from = Below(input->size());
  const std::string piece = input->substr(from, 1 + Below(40));
  const size_t times = Below(20) == 0 ? 1000 : 1 + Below(4);
  std::string repeated;
  for (size_t i = 0; i < times && repeated.size() < kMaxSize; ++i) {
    repeated += piece;
  }
  input->insert(from, repeated);
}

}  // namespace wyvern::fuzz
