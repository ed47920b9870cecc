#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "wyvern/app/sweep_plan.h"
#include "wyvern/app/sweep_ranks.h"

namespace wyvern::app {

/** Result of a sample. */
struct SampleResult {
  /** A number for each of the study's outputs. */
  std::vector<double> values;
  /** In words, for the table. */
  std::string note;
};

/** Study over the samples of a plan.
@code
SweepStudy study{.plan = SweepPlan({ParseSweepParameter("mass=1:2:11")}, 0, 0),
                 .outputs = {"period"},
                 .function = [](const SweepSample& sample, const auto&) {
                   const double mass = std::stod(sample.values[0]);
                   return SampleResult{{6.28 * std::sqrt(mass)}, ""};
                 }};
RunSweep(study, {.folder = "results"});
@endcode */
struct SweepStudy {
  /** The samples, and what each of them changes. */
  SweepPlan plan;
  /** Names of the numbers. */
  std::vector<std::string> outputs;
  /** Runs in processes of its own, many samples one after the other in each.
  What it throws is a record of the sample's failure. The second argument says
  whether to end early; the result is then not kept. */
  std::function<SampleResult(const SweepSample&, const std::function<bool()>&)>
      function;
  /** All else that results follow from, so that results of another study are
  not taken up: the text of the scenario, for one. */
  std::string description{};
};

/** How far a sweep has got. */
struct SweepProgress {
  /** Samples of the whole plan or shard. */
  std::uint64_t num_samples{};
  /** Samples that are done, failed ones among them. */
  std::uint64_t num_done{};
  /** Samples that failed. */
  std::uint64_t num_failed{};
};

/** How a sweep is done; its results are the same for all of these. */
struct SweepOptions {
  /** Where results are kept; made if it is not there. */
  std::filesystem::path folder;
  /** Processes; 0 for as many as there are processors. */
  int jobs{0};
  /** Samples whose number modulo `num_shards` is `shard`, in a folder
  `shard_<shard>_of_<num_shards>` of the folder. */
  int shard{0};
  /** See `shard`; 1: all samples. */
  int num_shards{1};
  /** Takes what is in the folder already, shards' results too. */
  bool resume{false};
  /** Wall time after which a sample has failed, [s]. */
  double timeout{600};
  /** Samples handed out at once, at most. */
  std::uint64_t chunk{1000};
  /** The other processes that do the same sweep, each by a call of RunSweep()
  with the same study and folder; null if there are none. With them there are no
  shards. */
  SweepRanks* ranks{};
  /** Asked ten times a second; the sweep can be resumed then. */
  std::function<bool()> should_stop{};
  /** Called as the sweep goes on; null: not at all. */
  std::function<void(const SweepProgress&)> report{};
};

/** How a sweep went. */
struct SweepSummary {
  /** Samples of the whole plan or shard. */
  std::uint64_t num_samples{};
  /** Samples that are done, failed ones among them. */
  std::uint64_t num_done{};
  /** Samples that failed. */
  std::uint64_t num_failed{};
  /** Number of finished samples that an earlier run had done. */
  std::uint64_t num_resumed{};
  /** Whether all samples are done. */
  bool is_complete{false};
  /** Ranks whose samples others did. */
  int num_lost_ranks{0};
  /** The table, if complete, and of rank 0 alone: a row a sample, in order;
  sample, status ("ok" or "failed"), outputs, random_seed, parameters, note. */
  std::filesystem::path table;
  /** Table as HDF5 (sweep_hdf5.h); empty in a library without it. */
  std::filesystem::path hdf5_table{};
};

/** Does the samples that are missing in the folder. Each process appends to a
file of its own; the table is put together at the end. A sample whose process
crashes, is killed or takes too long is a record, as is one that throws. After a
kill of all of it, `resume` goes on with what is missing. Of several ranks the
counts in the summary are rank 0's to tell; those of others are of their own.
Processes are forked: call it before the program starts threads.
@throws std::runtime_error if the folder is in use, or has results of another
study, or results at all without `resume`; or cannot be written. */
SweepSummary RunSweep(const SweepStudy& study, const SweepOptions& options);

}  // namespace wyvern::app
