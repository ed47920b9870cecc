// Where the blocks of a diagram are, and how its wires run. A sub-diagram that
// is open is laid out first, and then is one box of the diagram around it. Ranks,
// orders and places of boxes come from dagre; ports and feedback are ours.
import dagre from "@dagrejs/dagre";
import type { Units } from "./units";

/** Name, type ("" for a vector), size, units, names of elements. */
export type PortItem = [string, string, number, Units?, string[]?];

export interface BlockItem {
  name: string;
  type: string;
  in: PortItem[];
  out: PortItem[];
  rates: string[];
  period: number;
  parts: BlockItem[];
  wires: [number, number, number, number][];
  through?: [number, number][]; // Pairs of an input and an output that depends on it directly.
}

export interface Point {
  x: number;
  y: number;
}

/** A port that is drawn: its place, in its box. */
export interface PortBox extends Point {
  id: string;
  item: PortItem;
  isOutput: boolean;
}

export interface Wire {
  /** The id of the port that it comes from, if that is drawn. */
  source: string;
  points: Point[];
  isFeedback: boolean;
}

export interface Box extends Point {
  id: string;
  block: BlockItem;
  width: number;
  height: number;
  isOpen: boolean;
  ports: PortBox[];
  hidden: number; // Ports that are left out.
  children: Box[];
  wires: Wire[];
}

export const headHeight = 40;
const rowHeight = 18;
const manyPorts = 10;
const laneHeight = 9;

const brush = document.createElement("canvas").getContext("2d")!;

export function textWidth(text: string, font: string): number {
  brush.font = font;
  return brush.measureText(text).width;
}

const longestName = 60;

/** A name as it is drawn: the start of a long one. */
export function drawnName(name: string): string {
  const letters = [...name];
  return letters.length > longestName ? `${letters.slice(0, longestName - 1).join("")}…` : name;
}

export const family = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif";
export const fonts = { name: `600 13px ${family}`, small: `11px ${family}` };

export function partId(id: string, part: number): string {
  return id === "" ? `${part}` : `${id}.${part}`;
}

function portId(id: string, isOutput: boolean, index: number): string {
  return `${id}:${isOutput ? "y" : "u"}${index}`;
}

function isDrawn(port: PortItem): boolean {
  return port[1] !== "" || port[2] > 0;
}

/** Boxes that are open, and those that show all of their ports. */
export interface Wishes {
  open: Set<string>;
  allPorts: Set<string>;
  gap: number; // Between ranks of boxes.
}

function closedBox(block: BlockItem, id: string, wired: Set<string>, wishes: Wishes): Box {
  const ids = (isOutput: boolean) =>
    (isOutput ? block.out : block.in)
      .map((item, i) => ({ item, isOutput, id: portId(id, isOutput, i), x: 0, y: 0 }))
      .filter(({ item }) => isDrawn(item));
  let sides = [ids(false), ids(true)];
  const count = sides[0]!.length + sides[1]!.length;
  if (count > manyPorts && !wishes.allPorts.has(id)) {
    sides = sides.map((side) => side.filter((port) => wired.has(port.id)));
  }
  const [left, right] = sides as [PortBox[], PortBox[]];
  const hidden = count - left.length - right.length;
  const widest = (side: PortBox[]) => Math.max(0, ...side.map(({ item }) => textWidth(drawnName(item[0]), fonts.small)));
  const head = headHeight + (block.rates.length > 0 ? 15 : 0);
  const rows = Math.max(left.length, right.length);
  const width = Math.max(
    96,
    textWidth(drawnName(block.name), fonts.name) + (block.parts.length > 0 ? 44 : 26),
    textWidth(block.type, fonts.small) + 26,
    textWidth(block.rates[0] ?? "", fonts.small) + 38,
    widest(left) + widest(right) + 40,
  );
  left.forEach((port, i) => Object.assign(port, { x: 0, y: head + rowHeight * (i + 0.5) }));
  right.forEach((port, i) => Object.assign(port, { x: width, y: head + rowHeight * (i + 0.5) }));
  const more = count > manyPorts ? 18 : 0;
  return {
    id, block, x: 0, y: 0, width, height: head + rowHeight * rows + 8 + more,
    isOpen: false, ports: [...left, ...right], hidden, children: [], wires: [],
  };
}

/** The box of a block, at (0, 0); those in it are placed in it. */
export function layOut(block: BlockItem, id: string, wired: Set<string>, wishes: Wishes): Box {
  if (block.parts.length === 0 || !wishes.open.has(id)) return closedBox(block, id, wired, wishes);

  const inside = new Set<string>();
  for (const [from, fromPort, to, toPort] of block.wires) {
    if (from >= 0) inside.add(portId(partId(id, from), true, fromPort));
    if (to >= 0) inside.add(portId(partId(id, to), false, toPort));
  }
  const children = block.parts.map((part, i) => layOut(part, partId(id, i), inside, wishes));

  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "LR", nodesep: 26, ranksep: wishes.gap, edgesep: 12, marginx: 26, marginy: 14 });
  children.forEach((child, i) => graph.setNode(`${i}`, { width: child.width, height: child.height }));
  block.in.forEach((item, i) => isDrawn(item) && graph.setNode(`u${i}`, { width: 8, height: 20 }));
  block.out.forEach((item, i) => isDrawn(item) && graph.setNode(`y${i}`, { width: 8, height: 20 }));
  const ends = block.wires.map(([from, fromPort, to, toPort]) => [
    from < 0 ? `u${fromPort}` : `${from}`, to < 0 ? `y${toPort}` : `${to}`,
  ] as [string, string]);
  ends.forEach(([from, to], k) => {
    if (from !== to && graph.hasNode(from) && graph.hasNode(to)) graph.setEdge(from, to, {}, `${k}`);
  });
  dagre.layout(graph);

  children.forEach((child, i) => {
    const node = graph.node(`${i}`);
    child.x = node.x - child.width / 2;
    child.y = node.y - child.height / 2 + headHeight;
  });
  const size = graph.graph();
  const bottom = headHeight + (size.height ?? 0);
  const title = Math.max(textWidth(drawnName(block.name), fonts.name), textWidth(block.type, fonts.small)) + 50;
  const width = Math.max(size.width ?? 0, title, 120);

  const ports: PortBox[] = [];
  const place = (item: PortItem, isOutput: boolean, i: number) => {
    const node = graph.node(`${isOutput ? "y" : "u"}${i}`);
    if (!node) return;
    ports.push({ id: portId(id, isOutput, i), item, isOutput, x: isOutput ? width : 0, y: node.y + headHeight });
  };
  block.in.forEach((item, i) => place(item, false, i));
  block.out.forEach((item, i) => place(item, true, i));

  // Wires back share a lane below the boxes if they come from one port.
  const lanes = new Map<string, number>();
  const at = (system: number, isOutput: boolean, port: number): Point | null => {
    const box = system < 0 ? null : children[system]!;
    const key = portId(box ? box.id : id, box ? isOutput : !isOutput, port);
    const found = (box ? box.ports : ports).find((one) => one.id === key);
    return found ? { x: (box?.x ?? 0) + found.x, y: (box?.y ?? 0) + found.y } : null;
  };
  const wires: Wire[] = [];
  block.wires.forEach(([from, fromPort, to, toPort], k) => {
    const start = at(from, true, fromPort), end = at(to, false, toPort);
    if (!start || !end) return;
    const source = from < 0 ? portId(id, false, fromPort) : portId(partId(id, from), true, fromPort);
    if (end.x > start.x + 8) {
      const [a, b] = ends[k]!;
      const middle = (graph.edge(a, b, `${k}`)?.points ?? []).slice(2, -2)
        .map(({ x, y }: Point) => ({ x, y: y + headHeight }))
        .filter(({ x }: Point) => x > start.x + 20 && x < end.x - 20);
      wires.push({ source, points: [start, ...middle, end], isFeedback: false });
      return;
    }
    if (!lanes.has(source)) lanes.set(source, lanes.size);
    const lane = bottom + laneHeight * lanes.get(source)!;
    const out = start.x + 12 + 3 * (lanes.get(source)! % 6), back = end.x - 12 - 3 * (toPort % 6);
    wires.push({
      source, isFeedback: true,
      points: [start, { x: out, y: start.y }, { x: out, y: lane }, { x: back, y: lane }, { x: back, y: end.y }, end],
    });
  });
  return {
    id, block, x: 0, y: 0, width, height: bottom + laneHeight * lanes.size + 8,
    isOpen: true, ports, hidden: 0, children, wires,
  };
}

/** The path of a wire: level where it leaves and where it ends. */
export function wirePath({ points, isFeedback }: Wire): string {
  const [first, ...rest] = points as [Point, ...Point[]];
  let path = `M${first.x} ${first.y}`;
  if (!isFeedback) {
    let last = first;
    for (const point of rest) {
      const reach = Math.max(16, (point.x - last.x) / 2);
      path += `C${last.x + reach} ${last.y} ${point.x - reach} ${point.y} ${point.x} ${point.y}`;
      last = point;
    }
    return path;
  }
  // Corners are round.
  for (let i = 1; i < points.length; ++i) {
    const a = points[i - 1]!, b = points[i]!, c = points[i + 1];
    if (!c) {
      path += `L${b.x} ${b.y}`;
      break;
    }
    const cut = (p: Point) => {
      const length = Math.hypot(p.x - b.x, p.y - b.y);
      const part = length > 0 ? Math.min(6, length / 2) / length : 0;
      return { x: b.x + (p.x - b.x) * part, y: b.y + (p.y - b.y) * part };
    };
    const before = cut(a), after = cut(c);
    path += `L${before.x} ${before.y}Q${b.x} ${b.y} ${after.x} ${after.y}`;
  }
  return path;
}
