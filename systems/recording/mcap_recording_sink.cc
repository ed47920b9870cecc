#include "wyvern/systems/recording/mcap_recording_sink.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <concepts>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/json_text.h"

/* The format, https://mcap.dev/spec, version 0: eight bytes of magic, records,
and the magic again. A record is an opcode, the length of its content (8
bytes), and the content; numbers are little end first, a text is its length
(4 bytes) and its bytes, a map its length in bytes and pairs. Here:

  header; schemas, channels, metadata "attributes", attachments (files)
  chunk (messages), a message index a channel;  chunk, ...
  metadata "statistics"; data end
  summary: schemas, channels, statistics, indices of chunks, attachments and
  metadata
  summary offsets: where each kind of these begins; footer

Chunks and attachments have checksums, by CRC-32; the others may be 0, which
means that there is none. */

namespace wyvern::systems {

namespace {

constexpr std::string_view kMagic{"\x89MCAP0\r\n", 8};
constexpr std::string_view kAttachmentType = "application/octet-stream";
constexpr std::size_t kBytesOfAChunk = std::size_t{1} << 18;

enum Opcode : std::uint8_t {
  kHeader = 0x01,
  kFooter = 0x02,
  kSchema = 0x03,
  kChannel = 0x04,
  kMessage = 0x05,
  kChunk = 0x06,
  kMessageIndex = 0x07,
  kChunkIndex = 0x08,
  kAttachment = 0x09,
  kAttachmentIndex = 0x0a,
  kStatistics = 0x0b,
  kMetadata = 0x0c,
  kMetadataIndex = 0x0d,
  kSummaryOffset = 0x0e,
  kDataEnd = 0x0f,
};

template <std::unsigned_integral N>
void Add(N number, std::string* to) {
  for (std::size_t i = 0; i < sizeof(N); ++i) {
    *to += static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i));
  }
}
void AddText(std::string_view text, std::string* to) {
  Add(static_cast<std::uint32_t>(text.size()), to);
  *to += text;
}
void AddTexts(const std::map<std::string, std::string>& texts,
              std::string* to) {
  std::string pairs;
  for (const auto& pair : texts) {
    AddText(pair.first, &pairs);
    AddText(pair.second, &pairs);
  }
  AddText(pairs, to);
}
void AddRecord(Opcode opcode, std::string_view content, std::string* to) {
  *to += static_cast<char>(opcode);
  Add(static_cast<std::uint64_t>(content.size()), to);
  *to += content;
}

// The cyclic redundancy check of ISO 3309, reflected, byte by byte.
std::uint32_t Crc32(std::string_view bytes) {
  static const std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> result{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int k = 0; k < 8; ++k) {
        c = (c & 1) != 0 ? 0xedb88320u ^ (c >> 1) : c >> 1;
      }
      result[i] = c;
    }
    return result;
  }();
  std::uint32_t c = 0xffffffffu;
  for (const char byte : bytes) {
    c = table[(c ^ static_cast<unsigned char>(byte)) & 0xff] ^ (c >> 8);
  }
  return c ^ 0xffffffffu;
}

}  // namespace

McapRecordingSink::McapRecordingSink(const std::string& filename)
    : output_("McapRecordingSink", filename), file_(output_.OpenStream()) {}

McapRecordingSink::~McapRecordingSink() = default;

void McapRecordingSink::Discard() {
  file_.reset();
  output_.Discard();
}

void McapRecordingSink::Put(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) {
    output_.ThrowIoError("write", errno);
  }
  position_ += bytes.size();
}

void McapRecordingSink::Start(const RecordingDescription& description) {
  description_ = description;
  if (description.signals.size() >= 65535) {
    throw std::logic_error(fmt::format(
        "McapRecordingSink: '{}': there are {} signals; MCAP has channels for "
        "65534 and events.",
        filename(), description.signals.size()));
  }
  for (const auto& signal : description.signals) {
    const SignalDescription& about = signal.description;
    std::string schema =
        "{\"type\":\"object\",\"properties\":{\"time\":{\"type\":\"number\"}";
    std::vector<std::string> keys;
    for (const std::string& name : about.element_names) {
      // The time of the sample has that name.
      keys.push_back(
          ',' + wyvern::internal::JsonString(name == "time" ? "time_" : name) +
          ':');
      schema += keys.back() + "{\"type\":\"number\"}";
    }
    schema += "}}";
    if (signal.is_text()) schema = "{\"type\":\"object\"}";
    AddChannel(
        '/' + about.name, schema, std::move(keys),
        {{"unit", about.unit}, {"period", fmt::format("{}", about.period)}});
  }
  AddChannel("/events",
             "{\"type\":\"object\",\"properties\":{\"time\":{\"type\":"
             "\"number\"},\"level\":{\"type\":\"string\"},\"text\":{\"type\":"
             "\"string\"}}}",
             {}, {});
  std::string head(kMagic);
  std::string content;
  AddText("", &content);
  AddText("wyvern", &content);
  AddRecord(kHeader, content, &head);
  for (const Channel& channel : channels_) {
    head += channel.schema_record + channel.channel_record;
  }
  Put(head);
  WriteMetadata("attributes", description.attributes);
  for (const auto& one : description.files) WriteAttachment(one);
  // The file has them now.
  description_.files.clear();
  Flush();
}

void McapRecordingSink::AddChannel(
    const std::string& topic, const std::string& schema,
    std::vector<std::string> keys,
    const std::map<std::string, std::string>& metadata) {
  const std::uint16_t id = static_cast<std::uint16_t>(channels_.size());
  // No schema has the number 0.
  const std::uint16_t schema_id = static_cast<std::uint16_t>(id + 1);
  Channel channel;
  channel.keys = std::move(keys);
  std::string content;
  Add(schema_id, &content);
  AddText("wyvern" + topic, &content);
  AddText("jsonschema", &content);
  AddText(schema, &content);
  AddRecord(kSchema, content, &channel.schema_record);
  content.clear();
  Add(id, &content);
  Add(schema_id, &content);
  AddText(topic, &content);
  AddText("json", &content);
  AddTexts(metadata, &content);
  AddRecord(kChannel, content, &channel.channel_record);
  channels_.push_back(std::move(channel));
}

void McapRecordingSink::WriteFrame(int group, double time,
                                   const double* values) {
  for (const int index : description_.groups[group].signals) {
    message_ = "{\"time\":";
    wyvern::internal::AppendJsonNumber(time, &message_);
    for (const std::string& key : channels_[index].keys) {
      message_ += key;
      wyvern::internal::AppendJsonNumber(*values++, &message_);
    }
    message_ += '}';
    AddMessage(index, time);
  }
}

void McapRecordingSink::WriteText(int signal, double time,
                                  std::string_view json) {
  message_ = json;
  AddMessage(signal, time);
}

void McapRecordingSink::WriteEvent(double time, std::string_view level,
                                   std::string_view text) {
  message_ = "{\"time\":";
  wyvern::internal::AppendJsonNumber(time, &message_);
  message_ += ",\"level\":";
  wyvern::internal::AppendJsonString(level, &message_);
  message_ += ",\"text\":";
  wyvern::internal::AppendJsonString(text, &message_);
  message_ += '}';
  AddMessage(static_cast<int>(channels_.size()) - 1, time);
}

void McapRecordingSink::AddMessage(int channel_index, double time) {
  const double nanoseconds = std::round(1e9 * time);
  if (!(nanoseconds >= 0 && nanoseconds < 1.8e19)) {
    output_.ThrowIoError(
        "write", fmt::format("MCAP has no time {} s, only 0 to 1.8e10", time));
  }
  const std::uint64_t stamp = static_cast<std::uint64_t>(nanoseconds);
  Channel& channel = channels_[channel_index];
  if (chunk_.empty()) chunk_first_ = chunk_last_ = stamp;
  chunk_first_ = std::min(chunk_first_, stamp);
  chunk_last_ = std::max(chunk_last_, stamp);
  channel.index.emplace_back(stamp, chunk_.size());
  chunk_ += static_cast<char>(kMessage);
  Add(static_cast<std::uint64_t>(2 + 4 + 8 + 8 + message_.size()), &chunk_);
  Add(static_cast<std::uint16_t>(channel_index), &chunk_);
  Add(channel.count++, &chunk_);
  Add(stamp, &chunk_);
  Add(stamp, &chunk_);
  chunk_ += message_;
  if (chunk_.size() >= kBytesOfAChunk) EndChunk();
}

void McapRecordingSink::EndChunk() {
  if (chunk_.empty()) return;
  ChunkPlace place{.first_time = chunk_first_,
                   .last_time = chunk_last_,
                   .start = position_,
                   .indices = {},
                   .size = chunk_.size()};
  std::string content;
  Add(chunk_first_, &content);
  Add(chunk_last_, &content);
  Add(place.size, &content);
  Add(Crc32(chunk_), &content);
  AddText("", &content);
  Add(place.size, &content);
  content += chunk_;
  std::string records;
  AddRecord(kChunk, content, &records);
  place.length = records.size();
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    auto& index = channels_[i].index;
    if (index.empty()) continue;
    place.indices[static_cast<std::uint16_t>(i)] = position_ + records.size();
    content.clear();
    Add(static_cast<std::uint16_t>(i), &content);
    Add(static_cast<std::uint32_t>(16 * index.size()), &content);
    for (const auto& entry : index) {
      Add(entry.first, &content);
      Add(entry.second, &content);
    }
    AddRecord(kMessageIndex, content, &records);
    index.clear();
  }
  place.index_length = records.size() - place.length;
  Put(records);
  chunk_.clear();
  chunks_.push_back(std::move(place));
}

void McapRecordingSink::WriteMetadata(
    const std::string& name, const std::map<std::string, std::string>& values) {
  std::string content;
  AddText(name, &content);
  AddTexts(values, &content);
  std::string record;
  AddRecord(kMetadata, content, &record);
  metadata_.push_back({name, position_, record.size()});
  Put(record);
}

// The times of logging and of creation are 0: not known.
void McapRecordingSink::WriteAttachment(
    const RecordingDescription::File& given) {
  std::string content;
  Add(std::uint64_t{0}, &content);
  Add(std::uint64_t{0}, &content);
  AddText(given.name, &content);
  AddText(kAttachmentType, &content);
  Add(static_cast<std::uint64_t>(given.contents->size()), &content);
  content += *given.contents;
  Add(Crc32(content), &content);
  std::string record;
  AddRecord(kAttachment, content, &record);
  attachments_.push_back(
      {given.name, position_, record.size(), given.contents->size()});
  Put(record);
}

void McapRecordingSink::Flush() {
  EndChunk();
  if (std::fflush(file_.get()) != 0) output_.ThrowIoError("write", errno);
}

std::string McapRecordingSink::Statistics() const {
  std::uint64_t num_messages = 0;
  std::string counts;
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    num_messages += channels_[i].count;
    Add(static_cast<std::uint16_t>(i), &counts);
    Add(std::uint64_t{channels_[i].count}, &counts);
  }
  std::uint64_t first = chunks_.empty() ? 0 : chunks_.front().first_time;
  std::uint64_t last = 0;
  for (const ChunkPlace& chunk : chunks_) {
    first = std::min(first, chunk.first_time);
    last = std::max(last, chunk.last_time);
  }
  std::string content;
  Add(num_messages, &content);
  Add(static_cast<std::uint16_t>(channels_.size()), &content);
  Add(static_cast<std::uint32_t>(channels_.size()), &content);
  Add(static_cast<std::uint32_t>(attachments_.size()), &content);
  Add(static_cast<std::uint32_t>(metadata_.size()), &content);
  Add(static_cast<std::uint32_t>(chunks_.size()), &content);
  Add(first, &content);
  Add(last, &content);
  AddText(counts, &content);
  return content;
}

std::string McapRecordingSink::ChunkIndex(const ChunkPlace& chunk) {
  std::string content;
  Add(chunk.first_time, &content);
  Add(chunk.last_time, &content);
  Add(chunk.start, &content);
  Add(chunk.length, &content);
  std::string indices;
  for (const auto& index : chunk.indices) {
    Add(index.first, &indices);
    Add(index.second, &indices);
  }
  AddText(indices, &content);
  Add(chunk.index_length, &content);
  AddText("", &content);
  Add(chunk.size, &content);
  Add(chunk.size, &content);
  return content;
}

std::string McapRecordingSink::Summary(std::uint64_t start) const {
  std::string summary;
  std::string offsets;
  std::string content;
  std::uint64_t begin = start;
  const auto end_group = [&](Opcode opcode) {
    const std::uint64_t end = start + summary.size();
    if (end == begin) return;
    content = static_cast<char>(opcode);
    Add(begin, &content);
    Add(end - begin, &content);
    AddRecord(kSummaryOffset, content, &offsets);
    begin = end;
  };
  for (const Channel& channel : channels_) summary += channel.schema_record;
  end_group(kSchema);
  for (const Channel& channel : channels_) summary += channel.channel_record;
  end_group(kChannel);
  AddRecord(kStatistics, Statistics(), &summary);
  end_group(kStatistics);
  for (const ChunkPlace& chunk : chunks_) {
    AddRecord(kChunkIndex, ChunkIndex(chunk), &summary);
  }
  end_group(kChunkIndex);
  for (const AttachmentPlace& place : attachments_) {
    content.clear();
    Add(place.start, &content);
    Add(place.length, &content);
    Add(std::uint64_t{0}, &content);
    Add(std::uint64_t{0}, &content);
    Add(place.size, &content);
    AddText(place.name, &content);
    AddText(kAttachmentType, &content);
    AddRecord(kAttachmentIndex, content, &summary);
  }
  end_group(kAttachmentIndex);
  for (const MetadataPlace& place : metadata_) {
    content.clear();
    Add(place.start, &content);
    Add(place.length, &content);
    AddText(place.name, &content);
    AddRecord(kMetadataIndex, content, &summary);
  }
  end_group(kMetadataIndex);

  content.clear();
  Add(start, &content);
  Add(start + summary.size(), &content);
  Add(std::uint32_t{0}, &content);
  std::string result = summary + offsets;
  AddRecord(kFooter, content, &result);
  return result;
}

void McapRecordingSink::Close(
    const std::map<std::string, std::string>& statistics) {
  EndChunk();
  WriteMetadata("statistics", statistics);
  std::string content;
  Add(std::uint32_t{0}, &content);
  std::string tail;
  AddRecord(kDataEnd, content, &tail);
  Put(tail);
  Put(Summary(position_));
  Put(kMagic);
  if (std::fclose(file_.release()) != 0) {
    const int error_number = errno;
    output_.ThrowIoError("write", error_number);
  }
  output_.Finish();
}

}  // namespace wyvern::systems
