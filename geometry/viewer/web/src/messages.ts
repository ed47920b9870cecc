import type { BlockItem } from "./diagram_layout";
import type { SimulationItem } from "./transport";

// What a program says to its pages: lists of these, as JSON. An item replaces
// the one of the same type and path.

export type Pose = [number, number, number, number, number, number, number];
export type Color = [number, number, number, number];

export interface ModelPart {
  color: Color;
  linear: boolean; // The colour is, as glTF has it.
  image: number;
  vertices: string;
  normals?: string;
  uv?: string;
  faces?: string;
}

export interface ModelData {
  shape: "model";
  parts: ModelPart[];
  images: [string, string][]; // Type and bytes.
}

export interface LabelData {
  shape: "label";
  text: string;
  height: number;
}

export type ObjectData =
  | { shape: "box"; size: [number, number, number] }
  | { shape: "capsule" | "cylinder"; radius: number; length: number }
  | { shape: "ellipsoid"; radii: [number, number, number] }
  | { shape: "cone"; height: number; radii: [number, number] }
  | { shape: "half_space" }
  | { shape: "triad"; length: number }
  | { shape: "triangles"; vertices: string; faces: string; colors?: string }
  | { shape: "segments"; ends: string; width: number }
  | { shape: "arrows"; start: string; arrows: string; width: number }
  | ModelData
  | LabelData;

export interface Recording {
  type: "recording";
  rate: number;
  frames: number;
  start: number; // Of the first frame [s].
  marks: [number, string][]; // When [s] what happened, in the order of time.
  units: [number, number];
  tracks: [string, number][];
  deflated: string;
  objects: [string, number[]][];
  items: string;
}

export interface SliderItem {
  type: "slider";
  path: string;
  min: number;
  max: number;
  step: number;
  value: number;
  keys: [string, string];
  /** Controls are shown in this order. */
  order: number;
}

/** A body: number of its frame, name, model, mass [kg], true if it is anchored. */
export type BodyEntry = [number, string, string, number | null, boolean];

/** A joint: name, type, positions, velocities, names of the positions. */
export type JointEntry = [string, string, (number | null)[], (number | null)[], string[]];

export interface BodyItem {
  type: "body";
  path: string; // The number of its frame.
  mass: number | null;
  v: number[]; // Velocity of its origin in the world [m/s].
  w: number[]; // Angular velocity in the world [rad/s].
  joints: JointEntry[];
}

/** A contact: bodies A and B, 1 for a surface, its point [m], the force on B [N],
the normal from A to B, friction, slip [m/s], depth [m] or area [m²]. */
export type ContactRow = [string, string, number, number[], number[], number[], number, number, number];

export interface ContactsItem {
  type: "contacts";
  total: number;
  rows: ContactRow[];
}

export interface ButtonItem {
  type: "button";
  path: string;
  key: string;
  order: number;
}

/** A system whose ports can be wired; type and fields of blocks of a scenario. */
export interface PortsEntry {
  name: string;
  type: string;
  fields: string;
  in: string[];
  out: string[];
}

/** The draft of a scenario that pages edit. */
export interface EditorItem {
  type: "editor";
  file: string;
  text: string;
  refused: string; // The text that the error is about, if that is not the draft.
  error: string;
  note: string;
  undo: number; // Edits that can be taken back.
  unsaved: boolean;
  unrun: boolean; // The draft is not what runs.
  blocks: PortsEntry[];
  others: PortsEntry[]; // The plant and sensors.
  wires: [string, string][];
}

/** A type of blocks, with its default fields as YAML. */
export interface BlockTypeEntry {
  name: string;
  summary: string;
  defaults: string;
  schema: { properties?: Record<string, { description?: string }> };
}

export type Item =
  | { type: "clear" }
  | { type: "delete"; path: string }
  | { type: "gone"; kind: string; path: string }
  | { type: "object"; path: string; color: Color; wireframe: boolean; object: ObjectData }
  | { type: "pose"; path: string; x: Pose }
  | { type: "property"; path: string; name: string; value: boolean | number | number[] }
  | { type: "camera"; position: [number, number, number]; target: [number, number, number] }
  | { type: "mode"; flat: boolean; x?: Pose; window?: [number, number, number, number] }
  | { type: "rate"; value: number }
  | { type: "time"; value: number }
  | { type: "stats"; visible: boolean }
  | { type: "signal"; path: string; names: string[]; unit: string }
  | { type: "samples"; path: string; fresh: boolean; rows: number[][] }
  | { type: "diagram"; root: BlockItem }
  | { type: "fault"; path: string; message: string }
  | { type: "active"; path: string; name: string }
  | { type: "bodies"; list: BodyEntry[] }
  | { type: "dragger"; bodies: number[] }
  | { type: "block_types"; list: BlockTypeEntry[] }
  | EditorItem
  | BodyItem
  | ContactsItem
  | SimulationItem
  | SliderItem
  | ButtonItem
  | Recording;

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}
