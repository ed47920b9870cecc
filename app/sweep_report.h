#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace wyvern::app {

/** Statistics of one column of a sweep's table, over the samples that succeeded
and gave a number. */
struct SweepStatistics {
  /** Name of the column. */
  std::string name;
  /** How many samples gave a number. */
  std::uint64_t count{};
  /** Mean of these. */
  double mean{};
  /** Standard deviation of the population, with count - 1. */
  double stddev{};
  /** Between samples, linear. */
  double quantile_05{};
  /** Between samples, linear. */
  double median{};
  /** Between samples, linear. */
  double quantile_95{};
  /** The least number. */
  double min{};
  /** The largest number. */
  double max{};
  /** The sample with the least number. */
  std::uint64_t min_sample{};
  /** The sample with the largest number. */
  std::uint64_t max_sample{};
};

/** Reads a table of RunSweep().
@param num_outputs how many columns behind sample and status to look at.
@throws std::runtime_error if it cannot be read. */
std::vector<SweepStatistics> ComputeStatistics(
    const std::filesystem::path& table, int num_outputs);

/** Returns why a sample deserves a look, as "least angle, most speed", by the
numbers of the samples: those with the least and the most of each column, and
those that failed. */
std::map<std::uint64_t, std::string> FindWorst(
    const std::vector<SweepStatistics>& statistics,
    const std::vector<std::uint64_t>& failed);

/** A table for people, and for the samples with the least and the most of each
column, and the first that failed, the command that `rerun` gives. */
std::string ToText(const std::vector<SweepStatistics>& statistics,
                   const std::vector<std::uint64_t>& failed,
                   const std::function<std::string(std::uint64_t)>& rerun);

/** The samples of the table that failed, `most` at most. */
std::vector<std::uint64_t> FindFailed(const std::filesystem::path& table,
                                      int most);

}  // namespace wyvern::app
