#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wyvern/systems/blocks/block.h"
#include "wyvern/systems/common/described_value.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/framework/system.h"

/** @file
Systems that run under a condition, as data. Each struct has the name of its
block, whose header says more. The blocks that they hold have any type: with
!Diagram and !DiagramFile, whole diagrams. */

namespace wyvern::systems::blocks {

struct EnabledSubsystem {
  static constexpr char kSummary[] =
      "A block that runs while the input enable is above zero. Ports: enable, "
      "then those of the block.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(block, "The block that is enabled."));
    a->Visit(WYVERN_DNVP(outputs,
                         "Outputs while it is not enabled: hold or reset."));
    a->Visit(WYVERN_DNVP(states,
                         "State when it is enabled again: hold (it goes on) or "
                         "reset."));
    a->Visit(WYVERN_DNVP(initial_outputs,
                         "Outputs before the start and after a reset, a vector "
                         "for each output port (default: zeros)."));
  }
  /** Makes the System.
  @throws std::logic_error or std::runtime_error as the block inside, and as
  the constructor. */
  std::unique_ptr<System<double>> Make(const BlockSite& site) const;
  /** Describes a System; empty if it is of another type.
  @throws std::logic_error if no registered type describes the System
  inside. */
  static std::optional<EnabledSubsystem> From(const System<double>& system);

  Block block;
  std::string outputs{"hold"};
  std::string states{"hold"};
  std::vector<VectorX<double>> initial_outputs;
};

struct TriggeredSubsystem {
  static constexpr char kSummary[] =
      "A block of samples that is updated at edges of the input trigger. "
      "Ports: "
      "trigger, then those of the block.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(block, "The block that is triggered."));
    a->Visit(WYVERN_DNVP(edge,
                         "Edge that triggers: rising, falling or either. The "
                         "trigger is on above zero."));
    a->Visit(WYVERN_DNVP(initial_outputs,
                         "Outputs before the first edge, a vector for each "
                         "output port (default: zeros)."));
  }
  std::unique_ptr<System<double>> Make(const BlockSite& site) const;
  static std::optional<TriggeredSubsystem> From(const System<double>& system);

  Block block;
  std::string edge{"rising"};
  std::vector<VectorX<double>> initial_outputs;
};

struct IfElseSubsystem {
  static constexpr char kSummary[] =
      "Blocks with equal ports; the first one whose condition is above zero "
      "runs. Ports: conditions, then those of the blocks.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(num_conditions, "Size of the input conditions."));
    a->Visit(WYVERN_DNVP(blocks,
                         "A block for each condition, and one more that runs "
                         "if none is above zero."));
    a->Visit(WYVERN_DNVP(outputs, "Outputs while none runs: hold or reset."));
    a->Visit(WYVERN_DNVP(states,
                         "State of a block that runs again: hold or reset."));
    a->Visit(WYVERN_DNVP(initial_outputs,
                         "Outputs before the start and after a reset, a vector "
                         "for each output port (default: zeros)."));
  }
  std::unique_ptr<System<double>> Make(const BlockSite& site) const;
  static std::optional<IfElseSubsystem> From(const System<double>& system);

  int num_conditions{1};
  std::vector<Block> blocks;
  std::string outputs{"hold"};
  std::string states{"hold"};
  std::vector<VectorX<double>> initial_outputs;
};

struct CaseSubsystem {
  static constexpr char kSummary[] =
      "Blocks with equal ports; the one that has the rounded input selector "
      "among its cases runs. Ports: selector, then those of the blocks.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(cases,
                         "Lists of integers, the selectors for each block: "
                         "[[1], [2, 3]]."));
    a->Visit(WYVERN_DNVP(blocks,
                         "A block for each list, and one more for all other "
                         "selectors."));
    a->Visit(WYVERN_DNVP(outputs, "Outputs while none runs: hold or reset."));
    a->Visit(WYVERN_DNVP(states,
                         "State of a block that runs again: hold or reset."));
    a->Visit(WYVERN_DNVP(initial_outputs,
                         "Outputs before the start and after a reset, a vector "
                         "for each output port (default: zeros)."));
  }
  std::unique_ptr<System<double>> Make(const BlockSite& site) const;
  static std::optional<CaseSubsystem> From(const System<double>& system);

  std::vector<std::vector<int>> cases;
  std::vector<Block> blocks;
  std::string outputs{"hold"};
  std::string states{"hold"};
  std::vector<VectorX<double>> initial_outputs;
};

}  // namespace wyvern::systems::blocks
