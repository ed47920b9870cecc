// Joins stills in WebP to one animated WebP that loops: the container of RFC 9649,
// sections 2.3 to 2.7. Each frame shows the whole canvas.

function chunk(name, data) {
  const head = Buffer.alloc(8);
  head.write(name, 0, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

function uint24(...values) {
  const bytes = Buffer.alloc(3 * values.length);
  values.forEach((value, i) => bytes.writeUIntLE(value, 3 * i, 3));
  return bytes;
}

/** The chunk with the picture of a still. */
function bitstream(still) {
  for (let at = 12; at < still.length; ) {
    const name = still.toString("latin1", at, at + 4);
    const size = still.readUInt32LE(at + 4);
    if (name === "VP8 " || name === "VP8L") return chunk(name, still.subarray(at + 8, at + 8 + size));
    at += 8 + size + (size % 2);
  }
  throw new Error("A still has no picture in it.");
}

/** Stills of one size; how long each is shown, in ms. */
export function animate(stills, width, height, duration) {
  const frames = stills.map((still) =>
    chunk("ANMF", Buffer.concat([
      uint24(0, 0, width - 1, height - 1, duration), Buffer.from([2]), bitstream(still),
    ])));
  const body = Buffer.concat([
    Buffer.from("WEBP", "latin1"),
    chunk("VP8X", Buffer.concat([Buffer.from([2, 0, 0, 0]), uint24(width - 1, height - 1)])),
    chunk("ANIM", Buffer.from([255, 255, 255, 255, 0, 0])),
    ...frames,
  ]);
  const head = Buffer.alloc(8);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}
