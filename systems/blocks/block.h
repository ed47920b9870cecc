#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "wyvern/systems/framework/system.h"
#include "wyvern/systems/yaml/yaml_read_archive.h"
#include "wyvern/systems/yaml/yaml_write_archive.h"

namespace wyvern::systems {

/** The surroundings of a block that is being made: the folder of its file, the
files around that, and how many more blocks may be made. */
class BlockSite {
 public:
  /** The most blocks of one diagram with all diagrams in it. */
  static constexpr std::int64_t kMaxBlocks = 1'000'000;
  /** A file counts as this many blocks. */
  static constexpr int kBlocksAFile = 100;
  /** The most files that may be nested in one another. */
  static constexpr int kMaxFiles = 32;

  /** @param folder that paths are relative to; the working folder if empty. */
  explicit BlockSite(std::filesystem::path folder = {})
      : folder_(std::move(folder)), count_(&own_count_) {}
  /** The site of a file that a block of `around` includes; `around` must
  outlive it.
  @throws std::runtime_error if the file includes itself, directly or not,
  kMaxFiles are around it, or there are too many blocks. */
  BlockSite(const BlockSite& around, const std::filesystem::path& file);
  BlockSite(const BlockSite&) = delete;
  void operator=(const BlockSite&) = delete;

  /** The folder that relative file names refer to. */
  const std::filesystem::path& folder() const { return folder_; }
  /** Counts blocks. @throws std::runtime_error above kMaxBlocks. */
  void CountBlocks(std::int64_t count) const;

 private:
  const BlockSite* around_{};
  // Empty for the outermost site.
  std::filesystem::path file_;
  std::filesystem::path folder_;
  std::int64_t own_count_{0};
  std::int64_t* count_{};
};

namespace internal {

/** The parameters of one block, of any type. */
class BlockSpec {
 public:
  virtual ~BlockSpec();
  virtual void Read(const yaml::internal::Place& place,
                    const yaml::internal::Node& node) = 0;
  virtual std::shared_ptr<yaml::internal::Node> Write() const = 0;
  virtual std::unique_ptr<System<double>> Make(const BlockSite& site) const = 0;
};

template <typename Spec>
class BlockSpecOf final : public BlockSpec {
 public:
  explicit BlockSpecOf(Spec spec = {}) : spec_(std::move(spec)) {}

  void Read(const yaml::internal::Place& place,
            const yaml::internal::Node& node) override {
    yaml::internal::Read(place, node, &spec_);
  }
  std::shared_ptr<yaml::internal::Node> Write() const override {
    return yaml::internal::Write(spec_);
  }
  std::unique_ptr<System<double>> Make(const BlockSite& site) const override {
    if constexpr (requires { spec_.Make(site); }) {
      return spec_.Make(site);
    } else {
      return spec_.Make();
    }
  }

 private:
  Spec spec_;
};

}  // namespace internal

/** A block as data: the name of its type and its parameters. Copies share the
parameters, which do not change. */
class Block {
 public:
  /** No block. */
  Block() = default;
  /** A block of one of the typed structs of this folder or of a plug-in:
  Block(blocks::Gain{.k = Eigen::Vector2d(1, 2)}). */
  template <typename Spec>
  requires requires(const Spec& spec) { Spec::kSummary; }
  explicit Block(Spec spec)
      : type_(yaml::internal::TagOf<Spec>().substr(1)),
        spec_(std::make_shared<internal::BlockSpecOf<Spec>>(std::move(spec))) {}
  Block(std::string type, std::shared_ptr<const internal::BlockSpec> spec)
      : type_(std::move(type)), spec_(std::move(spec)) {}

  /** "Gain" */
  const std::string& type() const { return type_; }
  /** Where it was read: "file:3:5: 'blocks.gain'"; empty if it was not. */
  const std::string& where() const { return where_; }

  /** Makes the System. @throws what its constructor throws; std::logic_error if
  this is no block. */
  std::unique_ptr<System<double>> Make(const BlockSite& site) const;

  /** @name YAML: `!Gain {k: [2]}`
  @{ */
  /** Reads the tag and the parameters.
  @throws std::runtime_error naming file, line, column and the nearest name
  if no such type is registered or a parameter is not as it must be. */
  void ReadYaml(const yaml::internal::Place& place,
                const yaml::internal::Node& node);
  /** Returns the tag and the parameters as YAML. */
  std::shared_ptr<yaml::internal::Node> WriteYaml() const;
  /** Returns the JSON schema of all registered types. */
  static std::string MakeSchema();
  /** @} */

 private:
  std::string type_;
  std::string where_;
  std::shared_ptr<const internal::BlockSpec> spec_;
};

namespace internal {
/** "file:3:5: 'blocks.gain'" */
std::string DescribePlace(const yaml::internal::Place& place,
                          const yaml::internal::Node& node);
}  // namespace internal

}  // namespace wyvern::systems
