#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace wyvern::systems {

/** Description of a recorded signal. */
struct SignalDescription {
  /** "plant/state": a path of words, unique in the recording. */
  std::string name;
  /** Unit of all elements, such as "rad/s"; empty if they have no common unit.
   */
  std::string unit{};
  /** Names of the numbers. If empty: "name[0]" and so on, or "name" for one. */
  std::vector<std::string> element_names{};
  /** Seconds between samples; 0: one a step. */
  double period{0};
};

/** Description of a run, written before its numbers. */
struct RecordingDescription {
  /** A signal with its size. */
  struct Signal {
    /** Name, unit, names of elements and period. */
    SignalDescription description;
    /** Numbers of a sample; -1 if samples are JSON texts. */
    int size{};
    /** True if samples are JSON texts. */
    bool is_text() const { return size < 0; }
  };
  /** A file that the recording holds a copy of. */
  struct File {
    /** Unique in the recording. */
    std::string name;
    /** Not null. Copies of the description share it. */
    std::shared_ptr<const std::string> contents;
  };
  /** Signals of numbers that are sampled together. */
  struct Group {
    /** Seconds between samples; 0: one a step. */
    double period{};
    /** Indices of signals; a frame has their numbers in this order. */
    std::vector<int> signals;
    /** Numbers of a frame. */
    int size{};
  };

  /** Adds a signal; fills in names of elements.
  @returns its index.
  @throws std::logic_error if the name is empty, has an empty word, "." or "..",
  a character that does not print, or is taken, also as the first words of
  another; the period is negative or not finite; or the names are not as many as
  numbers or not distinct. */
  int AddSignal(SignalDescription description, int size);
  /** Adds a signal whose samples are JSON texts. */
  int AddTextSignal(SignalDescription description);
  /** Adds a file. @throws std::logic_error if the name is empty or taken. */
  void AddFile(const std::string& name, std::string contents);

  /** All signals, by index. */
  std::vector<Signal> signals;
  /** By period, in the order in which they came up. */
  std::vector<Group> groups;
  /** Anything that the run is to be known by: a scenario, versions. */
  std::map<std::string, std::string> attributes;
  /** In the order in which they were added; a CSV file holds none of them. */
  std::vector<File> files;

 private:
  int Add(SignalDescription description, int size);
};

}  // namespace wyvern::systems
