// Plays a recording: its poses at any time, forwards, backwards, at any speed.
import * as THREE from "three";
import { bytesOf, type Item, type Pose, type Recording } from "./messages";

interface Track {
  path: string;
  frames: Int32Array;
  poses: Float32Array; // 7 a key.
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function readTracks(recording: Recording): Promise<Track[]> {
  const bytes = await inflate(bytesOf(recording.deflated));
  let at = 0;
  const next = (): number => {
    let value = 0, factor = 1, byte = 0;
    do {
      byte = bytes[at++]!;
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte & 128);
    return value % 2 ? -(value + 1) / 2 : value / 2;
  };
  return recording.tracks.map(([path, count]) => {
    const frames = new Int32Array(count), poses = new Float32Array(7 * count);
    const last = new Array<number>(8).fill(0);
    for (let key = 0; key < count; ++key) {
      for (let i = 0; i < 8; ++i) last[i]! += next();
      frames[key] = last[0]!;
      for (let i = 0; i < 7; ++i) {
        poses[7 * key + i] = last[i + 1]! * recording.units[i < 3 ? 0 : 1];
      }
    }
    return { path, frames, poses };
  });
}

/** What is at a path, from frame to frame; null is nothing. */
interface ObjectTrack {
  path: string;
  frames: number[];
  items: (Item | null)[];
  shown: number; // The one that is shown; -1: what is before the first.
}

export async function readObjects(recording: Recording): Promise<ObjectTrack[]> {
  const items = JSON.parse(new TextDecoder().decode(await inflate(bytesOf(recording.items)))) as (Item | null)[][];
  return recording.objects.map(([path, frames], i) => ({ path, frames, items: items[i]!, shown: -2 }));
}

/** Shows what happened in a recording: a tick each, and a list to choose from. */
export function showMarks(marks: [number, string][], start: number, duration: number,
                          ticks: HTMLElement, list: HTMLSelectElement): void {
  list.hidden = marks.length === 0;
  list.replaceChildren(
    new Option(`Events (${marks.length})…`, ""),
    ...marks.map(([time, text]) => new Option(`${time.toFixed(3)} s ${text}`, `${time - start}`)),
  );
  ticks.replaceChildren(...marks.map(([time, text]) => {
    const tick = document.createElement("i");
    tick.title = text;
    tick.style.left = `${100 * Math.min(Math.max((time - start) / (duration || 1), 0), 1)}%`;
    return tick;
  }));
}

export class Player {
  time = 0; // Since the start.
  isPlaying = true;
  speed = 1;
  loops = true;
  readonly duration: number;

  constructor(
    private readonly tracks: Track[], private readonly rate: number, frames: number, readonly start: number,
    private readonly setPose: (path: string, pose: Pose) => void,
    private readonly objects: ObjectTrack[],
    private readonly setObject: (path: string, item: Item | null) => void,
  ) {
    this.duration = Math.max(0, (frames - 1) / rate);
  }

  /** Whether the recording says what is at a path. */
  hasObject(path: string): boolean {
    return this.objects.some((track) => track.path === path);
  }

  /** The simulation's time [s]. */
  get now(): number {
    return this.start + this.time;
  }

  advance(seconds: number): void {
    if (!this.isPlaying || this.duration === 0) return;
    let time = this.time + seconds * this.speed;
    if (time > this.duration) {
      time = this.loops ? time % this.duration : this.duration;
      if (!this.loops) this.isPlaying = false;
    }
    this.seek(time);
  }

  seek(time: number): void {
    this.time = Math.min(Math.max(time, 0), this.duration);
    const frame = this.time * this.rate;
    for (const track of this.objects) {
      let current = track.frames.length - 1;
      while (current >= 0 && track.frames[current]! > frame + 1e-6) --current;
      if (current === track.shown) continue;
      track.shown = current;
      this.setObject(track.path, current < 0 ? null : track.items[current]!);
    }
    const a = new THREE.Quaternion(), b = new THREE.Quaternion();
    for (const { path, frames, poses } of this.tracks) {
      let low = 0, high = frames.length - 1; // The last key not after `frame`.
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (frames[middle]! <= frame) low = middle;
        else high = middle - 1;
      }
      const next = Math.min(low + 1, frames.length - 1);
      const span = frames[next]! - frames[low]!;
      const part = span > 0 ? Math.min(Math.max((frame - frames[low]!) / span, 0), 1) : 0;
      const p = poses.subarray(7 * low, 7 * low + 7), q = poses.subarray(7 * next, 7 * next + 7);
      a.set(p[4]!, p[5]!, p[6]!, p[3]!).normalize();
      b.set(q[4]!, q[5]!, q[6]!, q[3]!).normalize();
      a.slerp(b, part);
      const mix = (i: number) => p[i]! + part * (q[i]! - p[i]!);
      this.setPose(path, [mix(0), mix(1), mix(2), a.w, a.x, a.y, a.z]);
    }
  }
}
