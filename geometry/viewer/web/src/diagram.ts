// The block diagram: boxes that open, ports that say what they carry, and a
// search. Which ports it wants to hear of it tells the program every second.
import {
  type BlockItem, type Box, drawnName, headHeight, layOut, partId, type PortBox, type PortItem, type Wishes, wirePath,
} from "./diagram_layout";
import type { Scopes } from "./scopes";
import { save } from "./stage";
import { elementUnits, vectorText } from "./units";

const svgNames = "http://www.w3.org/2000/svg";
const rateColors = ["#d9632b", "#6a5acd", "#2e8b57", "#c2255c", "#b8860b", "#4682b4"];

function svg<K extends keyof SVGElementTagNameMap>(
  kind: K, attributes: Record<string, string | number>, text?: string,
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(svgNames, kind);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, `${value}`);
  if (text !== undefined) element.textContent = text;
  return element;
}

function number(value: number): string {
  return value === 0 || (Math.abs(value) >= 1e-3 && Math.abs(value) < 1e5) ? value.toFixed(4) : value.toExponential(3);
}

// Characters that no XML file may have.
const noXml = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu;
const maxListed = 16; // Elements of a vector below the pointer.
const maxWatched = 64; // The program evaluates no more.
// Properties of the page's style that a file of its own needs.
const styles = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-weight", "font-family", "text-anchor", "opacity"];

interface Port {
  box: Box;
  port: PortBox;
  title: string;
  mark: SVGCircleElement;
}

export class Diagram {
  private root: BlockItem | null = null;
  private readonly wishes: Wishes = { open: new Set([""]), allPorts: new Set(), gap: 56 };
  private readonly ports = new Map<string, Port>();
  private readonly boxes = new Map<string, { box: Box; frame: SVGRectElement; group: SVGGElement }>();
  private readonly faults = new Map<string, string>();
  private readonly actives = new Map<string, string>(); // The active state of state machines.
  private readonly last = new Map<string, { time: number; values: number[] }>();
  private readonly pinned = new Set<string>();
  private readonly readings = new Map<string, SVGTextElement>(); // By the port that a wire comes from.
  private readonly toggles = { values: false, through: false };
  private readAt = 0;
  private hovered = "";
  private lastAsked = 0;
  private isStale = false;
  private periods: number[] = [];
  private view = { x: 0, y: 0, scale: 1 };
  private size = { width: 1, height: 1 };
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private readonly canvas = svg("svg", { role: "img", "aria-label": "Block diagram" });
  private readonly content = svg("g", {});
  private readonly tip = document.createElement("div");
  private readonly search: HTMLInputElement;
  private readonly legend: HTMLElement;
  private readonly alarm: HTMLElement;
  /** Called when a diagram or a fault came or went. */
  onChange: () => void = () => {};
  /** Called when a scope was opened here. */
  onPin: () => void = () => {};

  constructor(
    private readonly place: HTMLElement, private readonly scopes: Scopes,
    private readonly send: (message: object) => void, private readonly isSaved: boolean,
  ) {
    const bar = document.createElement("div");
    bar.className = "diagram-bar";
    this.search = Object.assign(document.createElement("input"), { type: "search", placeholder: "Find a block or port" });
    this.search.setAttribute("aria-label", "Find a block or port");
    this.search.oninput = () => this.find(false);
    this.search.onkeydown = (event) => event.key === "Enter" && this.find(true);
    this.legend = document.createElement("span");
    this.legend.className = "legend";
    const button = (text: string, title: string, act: () => void) => {
      const made = Object.assign(document.createElement("button"), { textContent: text, title, onclick: act });
      bar.append(made);
      return made;
    };
    const toggle = (text: string, title: string, key: "values" | "through") => {
      const made = button(text, title, () => {
        this.toggles[key] = !this.toggles[key];
        this.wishes.gap = this.toggles.values ? 130 : 56;
        made.setAttribute("aria-pressed", `${this.toggles[key]}`);
        this.draw();
        this.fit();
        this.ask(true);
      });
      made.setAttribute("aria-pressed", "false");
    };
    bar.append(this.search, this.legend);
    button("Open all", "Open all sub-diagrams", () => this.openAll(true));
    button("Close all", "Close all sub-diagrams", () => this.openAll(false));
    if (!isSaved) toggle("Values", "Show the values of wires", "values");
    toggle("Feedthrough", "Show which inputs each output depends on directly", "through");
    button("SVG", "Save the diagram as a picture", () => save(new Blob([this.svgText()], { type: "image/svg+xml" }), "wyvern_diagram.svg"));
    button("−", "Smaller", () => this.zoom(1 / 1.25));
    button("+", "Larger", () => this.zoom(1.25));
    button("Fit", "Fit the diagram", () => this.fit());
    button("⤢", "As large as the page, or not", () => {
      this.place.classList.toggle("large");
      this.fit();
    });
    this.alarm = document.createElement("div");
    this.alarm.className = "alarm";
    this.alarm.hidden = true;
    this.tip.className = "tip";
    this.tip.hidden = true;
    this.canvas.append(this.content);
    place.append(bar, this.alarm, this.canvas, this.tip);
    this.listen();
    new ResizeObserver(() => this.fit()).observe(this.canvas);
    setInterval(() => this.ask(), 1000);
  }

  get isThere(): boolean {
    return this.root !== null;
  }

  get hasFault(): boolean {
    return this.faults.size > 0;
  }

  clear(): void {
    this.root = null;
    this.faults.clear();
    this.actives.clear();
    this.last.clear();
    this.isStale = true;
    this.onChange();
  }

  set(root: BlockItem): void {
    this.root = root;
    const periods = new Set<number>();
    const look = (block: BlockItem) => {
      if (block.period > 0) periods.add(block.period);
      block.parts.forEach(look);
    };
    look(root);
    this.periods = [...periods].sort((a, b) => a - b);
    this.isStale = true;
    this.onChange();
  }

  setFault(id: string, message: string | null): void {
    if (message === null) this.faults.delete(id);
    else this.faults.set(id, message);
    this.isStale = true;
    this.onChange();
  }

  /** Lights the active state of a state machine; it may change with each frame. */
  setActive(id: string, name: string | null): void {
    if (name === null) this.actives.delete(id);
    else this.actives.set(id, name);
    const shown = this.boxes.get(id);
    if (shown) this.light(shown.group.querySelector<SVGTextElement>(":scope > .head > text.type")!, shown.box);
  }

  // Below a block's name: its active state, or else its type.
  private light(text: SVGTextElement, { id, block }: Box): void {
    const name = this.actives.get(id);
    text.textContent = name === undefined ? block.type : `● ${drawnName(name)}`;
    text.classList.toggle("active", name !== undefined);
  }

  /** Samples of a port; false if they are of another signal. */
  takes(path: string, rows: number[][], isFresh: boolean): boolean {
    if (!path.startsWith("port:")) return false;
    const id = path.slice(5);
    const row = rows.at(-1);
    if (row) this.last.set(id, { time: row[0]!, values: row.slice(1) });
    if (this.isSaved) this.pinned.add(id);
    if (this.pinned.has(id)) {
      this.openScope(id);
      this.scopes.add(this.title(id), rows, isFresh);
    }
    if (id === this.hovered) this.isTipStale = true;
    return true;
  }
  private isTipStale = false;

  /** Marks the plants, and their ports of a model; none if it is null. */
  choose(model: string | null): void {
    if (model === this.chosen) return;
    this.chosen = model;
    this.markChosen();
  }
  private chosen: string | null = null;

  private markChosen(): void {
    for (const { box, group } of this.boxes.values()) {
      group.classList.toggle("chosen", this.chosen !== null && box.block.type.includes("MultibodyPlant"));
    }
    for (const { box, port, mark } of this.ports.values()) {
      const isOfModel = this.chosen !== null && port.item[0].startsWith(`${this.chosen}_`);
      mark.parentElement?.classList.toggle("chosen", isOfModel && box.block.type.includes("MultibodyPlant"));
    }
  }

  /** Tells the program which ports are wanted; once a second, or `now`. */
  ask(now = false): void {
    const time = performance.now();
    if (!now && time - this.lastAsked < 900) return;
    const paths = [...this.pinned];
    if (this.hovered && !this.place.hidden && !this.pinned.has(this.hovered)) paths.push(this.hovered);
    if (this.toggles.values && !this.place.hidden) {
      for (const id of this.readings.keys()) if (paths.length < maxWatched && !paths.includes(id)) paths.push(id);
    }
    if (paths.length === 0) return;
    this.lastAsked = time;
    this.send({ type: "watch", paths });
  }

  /** Once a frame. */
  update(): void {
    this.ask();
    if (this.place.hidden) return;
    if (this.isStale) this.draw();
    if (this.toggles.values) this.showReadings();
    if (this.isTipStale) this.fillTip();
    this.isTipStale = false;
  }

  // Ten times a second, as faster ones cannot be read.
  private showReadings(): void {
    const now = performance.now();
    if (now - this.readAt < 100) return;
    this.readAt = now;
    for (const [id, text] of this.readings) {
      const last = this.last.get(id);
      const shown = last ? drawnName(vectorText(last.values, this.units(id))) : "";
      if (text.textContent !== shown) text.textContent = shown;
    }
  }

  /** The values that wires show, for tests. */
  readingTexts(): string[] {
    return [...this.readings.values()].map((text) => text.textContent ?? "");
  }

  /** The diagram as an SVG file. Names are texts of nodes, which the serializer escapes. */
  svgText(): string {
    if (this.isStale) this.draw();
    const { width, height } = this.size;
    const whole = svg("svg", { xmlns: svgNames, width, height, viewBox: `-8 -8 ${width + 16} ${height + 16}` });
    const copy = this.content.cloneNode(true) as SVGGElement;
    copy.removeAttribute("transform");
    const drawn = [...this.content.querySelectorAll("*")], copied = [...copy.querySelectorAll("*")];
    drawn.forEach((element, i) => {
      const style = getComputedStyle(element), to = copied[i]!;
      for (const name of styles) {
        const value = style.getPropertyValue(name);
        if (value !== "" && element instanceof SVGGraphicsElement && !(element instanceof SVGGElement)) to.setAttribute(name, value);
      }
      for (const name of ["class", "style", "tabindex", "role", "aria-label", "data-source"]) to.removeAttribute(name);
    });
    const paper = getComputedStyle(document.body).backgroundColor;
    whole.append(svg("rect", { x: -8, y: -8, width: width + 16, height: height + 16, fill: paper }), copy);
    return new XMLSerializer().serializeToString(whole).replaceAll(noXml, "\ufffd");
  }

  /** What is drawn, for tests: names of boxes, and how many wires. */
  summary(): { boxes: string[]; wires: number; chosen: string[]; faults: string[] } {
    return {
      boxes: [...this.boxes.values()].map(({ box }) => box.block.name),
      wires: this.content.querySelectorAll("path.wire").length,
      chosen: [...this.boxes.values()].filter(({ group }) => group.classList.contains("chosen")).map(({ box }) => box.block.name),
      faults: [...this.boxes.values()].filter(({ group }) => group.classList.contains("fault")).map(({ box }) => box.block.name),
    };
  }

  // From the root's parts down, as in "controller/pid · control".
  private title(id: string): string {
    const [place, port] = id.split(":") as [string, string];
    const block = this.block(place);
    const names: string[] = [];
    place.split(".").filter(Boolean).reduce((above, part) => {
      const here = partId(above, Number(part));
      names.push(this.block(here)?.name ?? part);
      return here;
    }, "");
    return `${names.join("/") || block?.name || ""} · ${this.item(id)?.[0] ?? port}`;
  }

  private item(id: string): PortItem | undefined {
    const [place, port] = id.split(":") as [string, string];
    const block = this.block(place);
    return (port[0] === "y" ? block?.out : block?.in)?.[Number(port.slice(1))];
  }

  private units(id: string): readonly string[] {
    const item = this.item(id);
    return elementUnits(item?.[3] ?? "", item?.[2] ?? 0);
  }

  private names(id: string): string[] {
    return this.item(id)?.[4] ?? [];
  }

  private block(id: string): BlockItem | null {
    return id.split(".").filter(Boolean).reduce<BlockItem | null>(
      (above, part) => above?.parts[Number(part)] ?? null, this.root);
  }

  private openAll(isOpen: boolean): void {
    this.wishes.open.clear();
    this.wishes.open.add("");
    const look = (block: BlockItem, id: string) => {
      if (block.parts.length > 0) this.wishes.open.add(id);
      block.parts.forEach((part, i) => look(part, partId(id, i)));
    };
    if (isOpen && this.root) look(this.root, "");
    this.draw();
    this.fit();
  }

  private pin(id: string): void {
    if (this.pinned.delete(id)) {
      this.scopes.remove(this.title(id));
    } else {
      this.pinned.add(id);
      this.openScope(id);
      // A simulation that rests sends a value once.
      const last = this.last.get(id);
      if (last) this.scopes.add(this.title(id), [[last.time, ...last.values]], true);
      this.onPin();
      this.ask(true);
    }
    this.ports.get(id)?.mark.classList.toggle("pinned", this.pinned.has(id));
  }

  private openScope(id: string): void {
    const title = this.title(id);
    if (!this.scopes.has(title)) this.scopes.open(title, this.names(id), this.item(id)?.[3] ?? "", () => this.pin(id));
  }

  private draw(): void {
    this.isStale = false;
    this.content.replaceChildren();
    this.ports.clear();
    this.boxes.clear();
    this.readings.clear();
    this.tip.hidden = true;
    this.paintLegend();
    if (!this.root) return;
    const box = layOut(this.root, "", new Set(), this.wishes);
    const isNew = this.size.width === 1;
    this.size = { width: box.width, height: box.height };
    this.content.append(this.paint(box));
    if (isNew) this.fit();
    else this.place_();
    this.find(false);
    this.markChosen();
  }

  private paintLegend(): void {
    const chip = (color: string, text: string) => {
      const made = document.createElement("span");
      const dot = document.createElement("i");
      dot.style.background = color;
      made.append(dot, text);
      return made;
    };
    const chips = this.periods.slice(0, 6).map((period, i) => chip(rateColors[i % rateColors.length]!, `${period} s`));
    this.legend.replaceChildren(...chips);
    this.alarm.hidden = this.faults.size === 0;
    const lines = [...this.faults].map(([id, message]) => {
      const line = document.createElement("div");
      const name = document.createElement("strong");
      name.textContent = id === "" ? "simulation" : this.block(id)?.name ?? id;
      line.append(name, ` ${message}`);
      return line;
    });
    this.alarm.replaceChildren(...lines);
  }

  private paint(box: Box): SVGGElement {
    const { block, id } = box;
    const group = svg("g", { transform: `translate(${box.x} ${box.y})`, class: box.isOpen ? "box open" : "box" });
    const isAt = (fault: string) => fault === id || (!box.isOpen && fault.startsWith(id === "" ? "" : `${id}.`));
    const faults = [...this.faults.keys()].filter(isAt);
    if (faults.length > 0) group.classList.add("fault");
    const frame = svg("rect", { width: box.width, height: box.height, rx: 8 });
    group.append(frame);
    if (block.period > 0) {
      const color = rateColors[this.periods.indexOf(block.period) % rateColors.length]!;
      group.append(svg("rect", { x: 12, y: headHeight, width: 8, height: 8, rx: 2, style: `fill:${color};stroke:none` }));
    }
    const head = svg("g", { class: block.parts.length > 0 ? "head folds" : "head" });
    head.append(svg("rect", { width: box.width, height: headHeight, rx: 8, class: "grip" }));
    if (block.parts.length > 0) {
      head.append(svg("text", { x: box.width - 20, y: 18, class: "fold" }, box.isOpen ? "▾" : "▸"));
      head.addEventListener("click", () => this.fold(id));
    }
    const type = svg("text", { x: 12, y: 32, class: "type" });
    this.light(type, box);
    head.append(
      svg("text", { x: 12, y: 18, class: "name" }, block.name === "_" ? "diagram" : drawnName(block.name)),
      type,
      svg("title", {}, [`${block.name} (${block.type})`, ...block.rates, ...faults.map((fault) => this.faults.get(fault)!)].join("\n")),
    );
    group.append(head);
    if (!box.isOpen && block.rates.length > 0) {
      const more = block.rates.length > 1 ? " …" : "";
      group.append(svg("text", { x: block.period > 0 ? 25 : 12, y: headHeight + 8, class: "rate" }, block.rates[0]! + more));
    }
    for (const wire of box.wires) {
      group.append(svg("path", { d: wirePath(wire), class: "wire", "data-source": wire.source }));
    }
    if (this.toggles.values) this.paintReadings(box, group);
    if (this.toggles.through && !box.isOpen) this.paintThrough(box, group);
    for (const child of box.children) group.append(this.paint(child));
    for (const port of box.ports) group.append(this.paintPort(box, port));
    if (box.hidden > 0 || this.wishes.allPorts.has(id)) {
      const text = box.hidden > 0 ? `${box.hidden} more ports` : "fewer ports";
      const more = svg("text", { x: box.width / 2, y: box.height - 9, class: "more" }, text);
      more.addEventListener("click", () => {
        if (!this.wishes.allPorts.delete(id)) this.wishes.allPorts.add(id);
        this.draw();
      });
      group.append(more);
    }
    this.boxes.set(id, { box, frame, group });
    return group;
  }

  // A place for the value at the start of each wire of numbers.
  private paintReadings(box: Box, group: SVGGElement): void {
    const ports = [...box.ports, ...box.children.flatMap((child) => child.ports)];
    for (const { source, points: [start] } of box.wires) {
      const port = ports.find(({ id }) => id === source);
      if (!start || this.readings.has(source) || port?.item[1] !== "") continue;
      const text = svg("text", { x: start.x + 9, y: start.y - 6, class: "reading" });
      this.readings.set(source, text);
      this.showTipAt(text, source);
      group.append(text);
    }
  }

  private paintThrough(box: Box, group: SVGGElement): void {
    for (const [input, output] of box.block.through ?? []) {
      const from = box.ports.find(({ id }) => id === `${box.id}:u${input}`);
      const to = box.ports.find(({ id }) => id === `${box.id}:y${output}`);
      if (!from || !to) continue;
      const middle = (from.x + to.x) / 2;
      group.append(svg("path", { d: `M${from.x} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`, class: "through" }));
    }
  }

  private paintPort(box: Box, port: PortBox): SVGGElement {
    const group = svg("g", { class: "port", tabindex: 0, role: "button", "aria-label": this.title(port.id) });
    const mark = svg("circle", { cx: port.x, cy: port.y, r: 4.5, class: port.item[1] === "" ? "vector" : "abstract" });
    if (this.pinned.has(port.id)) mark.classList.add("pinned");
    group.append(svg("circle", { cx: port.x, cy: port.y, r: 11, class: "reach" }), mark);
    if (!box.isOpen) {
      group.append(svg(
        "text", { x: port.x + (port.isOutput ? -10 : 10), y: port.y + 4, class: "label", "text-anchor": port.isOutput ? "end" : "start" },
        drawnName(port.item[0])));
    }
    this.ports.set(port.id, { box, port, title: this.title(port.id), mark });
    this.showTipAt(group, port.id);
    group.addEventListener("focus", () => this.enter(port.id));
    group.addEventListener("blur", () => this.leave());
    const act = () => port.item[1] === "" && this.pin(port.id);
    group.addEventListener("click", act);
    group.addEventListener("keydown", (event) => event.key === "Enter" && act());
    return group;
  }

  // Shows what a port carries while the pointer is at an element.
  private showTipAt(element: SVGElement, id: string): void {
    element.addEventListener("pointerenter", () => this.enter(id));
    element.addEventListener("pointerleave", () => this.leave());
  }

  private enter(id: string): void {
    this.hovered = id;
    for (const wire of this.content.querySelectorAll(".wire")) {
      wire.classList.toggle("lit", (wire as SVGElement).dataset["source"] === id);
    }
    this.fillTip();
    this.ask(true);
  }

  private leave(): void {
    this.hovered = "";
    this.tip.hidden = true;
    for (const wire of this.content.querySelectorAll(".wire.lit")) wire.classList.remove("lit");
  }

  private fillTip(): void {
    const found = this.ports.get(this.hovered);
    if (!found) return;
    const { item } = found.port;
    const isVector = item[1] === "";
    const title = document.createElement("strong");
    title.textContent = found.title;
    const kind = document.createElement("div");
    kind.className = "kind";
    const units = this.units(this.hovered), names = this.names(this.hovered);
    const commonUnit = new Set(units).size === 1 && units[0] ? `, ${units[0]}` : "";
    kind.textContent = isVector ? `vector of ${item[2]}${commonUnit}` : item[1];
    const lines: HTMLElement[] = [title, kind];
    const { block } = found.box;
    if (found.port.isOutput && block.through && block.parts.length === 0) {
      const index = Number(found.port.id.slice(found.port.id.lastIndexOf(":y") + 2));
      const inputs = block.through.filter(([, output]) => output === index).map(([input]) => block.in[input]?.[0] ?? "");
      const through = document.createElement("div");
      through.className = "kind";
      const more = inputs.length > 4 ? " …" : "";
      through.textContent = inputs.length === 0 ? "no feedthrough" : `feedthrough of ${inputs.slice(0, 4).join(", ")}${more}`;
      lines.push(through);
    }
    const now = this.last.get(this.hovered);
    if (isVector) {
      const value = document.createElement("div");
      value.className = "value";
      value.textContent = now
        ? now.values.slice(0, maxListed).map((one, i) =>
          `${names[i] ?? (item[2] > 1 ? `[${i}]` : "")} ${number(one)} ${units[i] ?? ""}`.trim()).join("\n") + (item[2] > maxListed ? "\n…" : "")
        : "no value yet";
      const hint = document.createElement("div");
      hint.className = "kind";
      hint.textContent = this.pinned.has(this.hovered) ? "Click to close its scope" : "Click for a scope";
      lines.push(value, hint);
    }
    this.tip.replaceChildren(...lines);
    this.tip.hidden = false;
    const at = found.mark.getBoundingClientRect(), around = this.place.getBoundingClientRect();
    const left = at.x - around.x + 16, top = at.y - around.y + 16;
    this.tip.style.left = `${Math.max(6, Math.min(left, around.width - this.tip.offsetWidth - 8))}px`;
    this.tip.style.top = `${Math.max(6, top + this.tip.offsetHeight > around.height ? top - this.tip.offsetHeight - 26 : top)}px`;
  }

  private fold(id: string): void {
    if (this.wasDragged) return;
    if (!this.wishes.open.delete(id)) this.wishes.open.add(id);
    this.draw();
    this.fit();
  }

  // Marks what is found; opens what it is in, and goes there.
  private find(goes: boolean): void {
    const wanted = this.search.value.trim().toLowerCase();
    const found: string[] = [];
    const look = (block: BlockItem, id: string) => {
      const names = [block.name, block.type, ...[...block.in, ...block.out].map((port) => port[0])];
      if (id !== "" && names.some((name) => name.toLowerCase().includes(wanted))) found.push(id);
      block.parts.forEach((part, i) => look(part, partId(id, i)));
    };
    if (wanted !== "" && this.root) look(this.root, "");
    if (goes && found.length > 0) {
      const parts = found[0]!.split(".");
      for (let k = 0; k < parts.length; ++k) this.wishes.open.add(parts.slice(0, k).join("."));
      this.search.blur();
      this.draw();
      this.goTo(found[0]!);
      return;
    }
    for (const [id, { group }] of this.boxes) {
      group.classList.toggle("found", found.includes(id) || (!this.wishes.open.has(id) && found.some((one) => one.startsWith(`${id}.`))));
      group.classList.toggle("dim", false);
    }
  }

  private goTo(id: string): void {
    const shown = this.boxes.get(id)?.frame.getBoundingClientRect();
    if (!shown) return;
    const around = this.canvas.getBoundingClientRect();
    this.view.x += around.x + around.width / 2 - (shown.x + shown.width / 2);
    this.view.y += around.y + around.height / 2 - (shown.y + shown.height / 2);
    this.place_();
  }

  private fit(): void {
    const { width, height } = this.canvas.getBoundingClientRect();
    if (width === 0 || this.size.width === 1) return;
    const scale = Math.min(1.25, (width - 24) / this.size.width, (height - 24) / this.size.height);
    this.view = { scale, x: (width - scale * this.size.width) / 2, y: (height - scale * this.size.height) / 2 };
    this.place_();
  }

  private place_(): void {
    const { x, y, scale } = this.view;
    this.content.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
  }

  private zoom(factor: number, at?: { x: number; y: number }): void {
    const { width, height } = this.canvas.getBoundingClientRect();
    const { x, y } = at ?? { x: width / 2, y: height / 2 };
    const scale = Math.min(4, Math.max(0.05, this.view.scale * factor));
    const real = scale / this.view.scale;
    this.view = { scale, x: x + (this.view.x - x) * real, y: y + (this.view.y - y) * real };
    this.place_();
  }

  private wasDragged = false;

  // Drag to move, the wheel or two fingers to zoom.
  private listen(): void {
    const { canvas, pointers } = this;
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const around = canvas.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY / 400), { x: event.clientX - around.x, y: event.clientY - around.y });
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      this.wasDragged = false;
    });
    addEventListener("pointermove", (event) => {
      const last = pointers.get(event.pointerId);
      if (!last) return;
      const now = { x: event.clientX, y: event.clientY };
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const around = canvas.getBoundingClientRect();
        const span = (p: { x: number; y: number }) => Math.hypot(p.x - other.x, p.y - other.y);
        if (span(last) > 0) this.zoom(span(now) / span(last), { x: other.x - around.x, y: other.y - around.y });
        this.wasDragged = true;
      } else {
        if (Math.hypot(now.x - last.x, now.y - last.y) < 3 && !this.wasDragged) return;
        this.wasDragged = true;
        this.view.x += now.x - last.x;
        this.view.y += now.y - last.y;
        this.place_();
      }
      pointers.set(event.pointerId, now);
    });
    for (const end of ["pointerup", "pointercancel"] as const) {
      addEventListener(end, (event) => pointers.delete(event.pointerId));
    }
  }
}
