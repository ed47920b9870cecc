"""Prints what an MCAP file has, by the reader of the package `mcap`: by its
index, and going through it from the front. Arguments: file; `--cut` if it was
not closed."""
import json
import sys

from mcap.exceptions import EndOfFile
from mcap.reader import NonSeekingReader, SeekingReader

reader_of = {"front": NonSeekingReader, "index": SeekingReader}
ways = ["front"] if "--cut" in sys.argv else ["front", "index"]
for way in ways:
    with open(sys.argv[1], "rb") as stream:
        reader = reader_of[way](stream, validate_crcs=True)
        counts, last, metadata = {}, {}, {}
        try:
            for schema, channel, message in reader.iter_messages(
                    log_time_order=False):
                assert schema.encoding == "jsonschema", schema.encoding
                properties = json.loads(schema.data).get("properties")
                value = json.loads(message.data)
                assert channel.message_encoding == "json"
                assert properties is None or set(value) == set(properties)
                if "time" in value:
                    assert round(value["time"] * 1e9) == message.log_time
                counts[channel.topic] = counts.get(channel.topic, 0) + 1
                last[channel.topic] = value
                metadata[channel.topic] = channel.metadata
        except EndOfFile:
            pass
        for topic in sorted(counts):
            print(way, topic, counts[topic], json.dumps(last[topic]),
                  metadata[topic].get("unit", ""))
if "--cut" not in sys.argv:
    with open(sys.argv[1], "rb") as stream:
        reader = SeekingReader(stream)
        for record in reader.iter_metadata():
            print("metadata", record.name, json.dumps(record.metadata))
        for record in reader.iter_attachments():
            print("attachment", record.name, record.data)
        statistics = reader.get_summary().statistics
        print("statistics", statistics.message_count, statistics.channel_count,
              statistics.message_start_time, statistics.message_end_time)
