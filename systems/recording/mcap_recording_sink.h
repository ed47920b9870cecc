#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "wyvern/systems/common/output_file.h"
#include "wyvern/systems/recording/recording_sink.h"

namespace wyvern::systems {

/** An MCAP file (https://mcap.dev, version 0), which Foxglove and PlotJuggler
read. A channel a signal, of the topic "/name", in JSON: a message is an object
of `time` [s], exactly, and an element for each number, or the text that was
recorded; its schema says so. Units and periods are metadata of channels; events
are on the topic "/events"; attributes and statistics are metadata records.

Messages are gathered in chunks, without compression. A file that was not closed
has all chunks up to the last flush; its index is missing, which readers that go
through it from the front do without. Times are from 0 to 584 years. */
class McapRecordingSink final : public RecordingSink {
 public:
  /** Opens the partial file; throws as OpenRecordingSink() does. */
  explicit McapRecordingSink(const std::string& filename);
  ~McapRecordingSink() override;

  void Start(const RecordingDescription& description) override;
  void WriteFrame(int group, double time, const double* values) override;
  void WriteText(int signal, double time, std::string_view json) override;
  void WriteEvent(double time, std::string_view level,
                  std::string_view text) override;
  void Flush() override;
  void Close(const std::map<std::string, std::string>& statistics) override;
  void Discard() override;
  const std::string& filename() const override { return output_.filename(); }

 private:
  struct Channel {
    // Records that describe the channel.
    std::string schema_record;
    std::string channel_record;
    // `,"name":` for each number.
    std::vector<std::string> keys;
    std::uint32_t count{0};
    // Index of the present chunk: time and place of each message.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> index;
  };
  struct ChunkPlace {
    std::uint64_t first_time{}, last_time{}, start{}, length{};
    std::map<std::uint16_t, std::uint64_t> indices;
    std::uint64_t index_length{}, size{};
  };
  struct AttachmentPlace {
    std::string name;
    std::uint64_t start{}, length{}, size{};
  };
  struct MetadataPlace {
    std::string name;
    std::uint64_t start{}, length{};
  };

  void AddChannel(const std::string& topic, const std::string& schema,
                  std::vector<std::string> keys,
                  const std::map<std::string, std::string>& metadata);
  // Adds message_ to the chunk.
  void AddMessage(int channel, double time);
  void EndChunk();
  void WriteMetadata(const std::string& name,
                     const std::map<std::string, std::string>& values);
  void WriteAttachment(const RecordingDescription::File& given);
  // The index at the end, from where it starts, and two kinds of its records.
  std::string Summary(std::uint64_t start) const;
  std::string Statistics() const;
  static std::string ChunkIndex(const ChunkPlace& chunk);
  void Put(std::string_view bytes);

  wyvern::internal::OutputFile output_;
  wyvern::internal::UniqueFile file_;
  std::uint64_t position_{0};
  RecordingDescription description_;
  // One a signal, and the last of events.
  std::vector<Channel> channels_;
  std::string message_;
  std::string chunk_;
  std::uint64_t chunk_first_{}, chunk_last_{};
  std::vector<ChunkPlace> chunks_;
  std::vector<AttachmentPlace> attachments_;
  std::vector<MetadataPlace> metadata_;
};

}  // namespace wyvern::systems
