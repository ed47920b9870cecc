// Two panels: the selected body, and the table of contacts with its friction
// cones and the scale of arrows. They tell the program every second what is
// open, and it sends nothing else.
import * as THREE from "three";
import type { BodyEntry, BodyItem, ContactRow, ContactsItem } from "./messages";
import type { SceneTree } from "./scene_tree";
import type { Stage } from "./stage";
import type { Touch } from "./touch";

const period = 1000;
const angleUnits: Record<string, [string, string]> = {
  revolute: ["rad", "rad/s"], prismatic: ["m", "m/s"], universal: ["rad", "rad/s"], screw: ["rad", "rad/s"],
};

export function short(value: number | null | undefined, digits = 3): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size < 0.5 * 10 ** -digits || size >= 1e6) return value.toExponential(2);
  return value.toFixed(digits);
}

function list(values: readonly (number | null)[], digits = 3): string {
  return values.map((value) => short(value, digits)).join("  ");
}

function line(name: string, value: string): HTMLElement[] {
  const term = document.createElement("dt"), text = document.createElement("dd");
  term.textContent = name;
  text.textContent = value;
  return [term, text];
}

export class Inspector {
  private readonly bodies = new Map<number, BodyEntry>();
  private readonly states = new Map<string, BodyItem>();
  private contacts: ContactsItem | null = null;
  private lastAsked = -Infinity;
  private isStale = true;
  private drawnAt = -Infinity;
  private readonly cones = new THREE.Group();
  private readonly title = document.createElement("strong");
  private readonly facts = document.createElement("dl");
  private readonly hint = document.createElement("p");
  private readonly rows = document.createElement("tbody");
  private readonly count = document.createElement("span");
  private readonly showsCones = document.createElement("input");
  private readonly scale = document.createElement("input");
  /** Called when the program said which bodies there are. */
  onBodies: () => void = () => {};

  constructor(
    private readonly place: HTMLElement, private readonly table: HTMLElement, private readonly tree: SceneTree,
    private readonly stage: Stage, private readonly touch: Touch, private readonly send: (message: object) => void,
    private readonly isSaved: boolean,
  ) {
    stage.add(this.cones);
    touch.knows = (frame) => this.bodies.size === 0 || (frame !== null && this.bodies.has(frame));
    touch.onSelect = () => {
      place.hidden = !touch.selected;
      this.isStale = true;
      this.ask(true);
    };
    this.makePanel();
    this.makeTable();
  }

  private button(text: string, title: string, act: () => void): HTMLButtonElement {
    return Object.assign(document.createElement("button"), { textContent: text, title, onclick: act });
  }

  private makePanel(): void {
    const head = document.createElement("div");
    head.className = "scope-head";
    head.append(
      this.title, this.button("Centre", "Turn the camera to it (C)", () => this.touch.centerSelected()),
      this.button("Hide", "Hide it (H); Shift+H shows all", () => this.touch.hideSelected()),
      this.button("×", "Select nothing (Escape)", () => this.touch.select(null)),
    );
    this.hint.className = "hint";
    this.place.append(head, this.facts, this.hint);
  }

  private makeTable(): void {
    const head = document.createElement("div"), tools = document.createElement("div");
    head.className = "scope-head";
    const title = document.createElement("strong");
    title.textContent = "Contacts";
    head.append(title, this.count, this.button("×", "Close the table (K)", () => (this.table.hidden = true)));
    tools.className = "tools";
    Object.assign(this.scale, { type: "range", min: "-1.5", max: "1.5", step: "0.05", value: "0" });
    this.scale.setAttribute("aria-label", "Length of arrows");
    this.scale.oninput = () => {
      this.tree.setArrowScale(10 ** this.scale.valueAsNumber);
      this.isStale = true;
    };
    this.showsCones.type = "checkbox";
    this.showsCones.setAttribute("aria-label", "Friction cones");
    this.showsCones.onchange = () => (this.isStale = true);
    const label = (text: string, input: HTMLElement, isFirst: boolean) => {
      const made = document.createElement("label");
      made.append(...(isFirst ? [input, text] : [text, input]));
      return made;
    };
    tools.append(label("Arrows", this.scale, false));
    if (!this.isSaved) tools.append(label("Friction cones", this.showsCones, true));
    const table = document.createElement("table");
    const names = table.createTHead().insertRow();
    const columns: [string, string][] = [
      ["Bodies", "Click a row to select the body that moves"], ["N", "Normal force [N]"], ["F", "Friction force [N]"],
      ["F/μN", "Part of the friction that there can be"], ["slip", "Speed along the surface [m/s]"],
      ["depth", "Depth of a point [mm], or area of a surface [cm²]"],
    ];
    for (const [text, title] of columns) {
      const cell = document.createElement("th");
      cell.textContent = text;
      cell.title = title;
      names.append(cell);
    }
    table.append(this.rows);
    this.table.append(head, tools);
    if (!this.isSaved) this.table.append(table);
  }

  clear(): void {
    this.bodies.clear();
    this.states.clear();
    this.contacts = null;
    this.isStale = true;
    this.setBodies([]);
  }

  setBodies(bodies: readonly BodyEntry[]): void {
    this.bodies.clear();
    for (const body of bodies) this.bodies.set(body[0], body);
    this.tree.movable = bodies.length > 0 ? new Set(bodies.filter((body) => !body[4]).map((body) => body[0])) : null;
    this.isStale = true;
    this.onBodies();
  }

  get hasBodies(): boolean {
    return this.bodies.size > 0;
  }

  setState(item: BodyItem): void {
    this.states.set(item.path, item);
    this.isStale = true;
  }

  setContacts(item: ContactsItem | null): void {
    this.contacts = item;
    this.isStale = true;
  }

  forget(kind: string, path: string): void {
    if (kind === "body") this.states.delete(path);
    if (kind === "contacts") this.contacts = null;
    this.isStale = true;
  }

  /** Names of the selected body and of its model, for the diagram. */
  get selectedBody(): BodyEntry | null {
    const frame = this.touch.selected?.frame;
    return frame === null || frame === undefined ? null : this.bodies.get(frame) ?? null;
  }

  /** Tells the program what is looked at; once a second, or `now`. */
  ask(now = false): void {
    const time = performance.now();
    if (this.isSaved || (!now && time - this.lastAsked < period)) return;
    this.lastAsked = time;
    const paths: string[] = [];
    const frame = this.touch.selected?.frame;
    if (frame !== null && frame !== undefined) paths.push(`${frame}`);
    if (paths.length > 0 || !this.table.hidden) paths.push("contacts");
    if (paths.length > 0) this.send({ type: "inspect", paths });
  }

  /** Once a frame. */
  update(): void {
    this.ask();
    const now = performance.now();
    // Numbers that change more often than that cannot be read.
    const isMoving = !this.place.hidden && now - this.drawnAt > 100;
    if (!this.isStale && !isMoving) return;
    if (now - this.drawnAt < 100) return;
    this.drawnAt = now;
    this.isStale = false;
    if (!this.place.hidden) this.fillPanel();
    if (!this.table.hidden) this.fillTable();
    this.placeCones();
  }

  private fillPanel(): void {
    const { selected } = this.touch;
    if (!selected) return;
    const body = this.selectedBody;
    const state = selected.frame === null ? undefined : this.states.get(`${selected.frame}`);
    const group = this.tree.group(selected.path);
    const name = body?.[1] ?? selected.path.slice(selected.path.lastIndexOf("/") + 1);
    this.title.textContent = name;
    this.title.title = selected.path;
    const lines: HTMLElement[] = [];
    if (body) {
      lines.push(...line("model", body[2]));
      lines.push(...line("mass", `${short(state?.mass ?? body[3], 4)} kg`));
    }
    if (group) {
      group.updateWorldMatrix(true, false);
      const at = new THREE.Vector3(), turn = new THREE.Quaternion(), size = new THREE.Vector3();
      group.matrixWorld.decompose(at, turn, size);
      // Roll, pitch and yaw about fixed axes.
      const { x, y, z } = new THREE.Euler().setFromQuaternion(turn, "ZYX");
      lines.push(...line("position", `${list(at.toArray())} m`));
      lines.push(...line("roll pitch yaw", `${list([x, y, z].map(THREE.MathUtils.radToDeg), 1)} °`));
    }
    if (state) {
      lines.push(...line("velocity", `${list(state.v)} m/s`), ...line("turning", `${list(state.w)} rad/s`));
      for (const [joint, type, q, v, suffixes] of state.joints) {
        if (v.length === 6) continue; // The pose and the velocity say it.
        const [unit, rate] = angleUnits[type] ?? ["", ""];
        const names = q.length > 1 ? suffixes.join(" ") : "";
        lines.push(...line(joint, [type, names].filter(Boolean).join(": ")));
        lines.push(...line("", `${list(q)} ${unit}`), ...line("", `${list(v)} ${rate}`));
      }
      const own = this.contacts?.rows.filter((row) => row[0] === name || row[1] === name) ?? [];
      const sum = new THREE.Vector3();
      for (const [, b, , , f] of own) sum.addScaledVector(new THREE.Vector3(...(f as [number, number, number])), b === name ? 1 : -1);
      lines.push(...line("contacts", own.length === 0 ? "none" : `${own.length}, together ${short(sum.length())} N`));
    }
    this.facts.replaceChildren(...lines);
    this.hint.textContent = this.touch.canDrag(selected) ? "Drag it to pull it." : "";
  }

  private fillTable(): void {
    const rows = this.contacts?.rows ?? [];
    const total = this.contacts?.total ?? 0;
    this.count.textContent = total > rows.length ? `${rows.length} of ${total}` : `${total}`;
    const name = this.selectedBody?.[1];
    while (this.rows.rows.length > rows.length) this.rows.deleteRow(-1);
    rows.forEach((row, i) => {
      // Rows stay, as a person may be about to click one.
      const made = this.rows.rows[i] ?? this.addRow();
      const [a, b, isSurface, , , , friction, slip, extent] = row;
      const { normal, tangent } = parts(row);
      const part = friction * normal > 0 ? tangent / (friction * normal) : 0;
      const size = isSurface ? `${short(1e4 * extent, 2)} cm²` : `${short(1e3 * extent, 3)} mm`;
      const texts = [`${b} on ${a}`, short(normal, 2), short(tangent, 2), `${Math.round(100 * part)} %`, isSurface ? "–" : short(slip), size];
      texts.forEach((text, k) => {
        const cell = made.cells[k]!;
        if (cell.textContent !== text) cell.textContent = text;
      });
      made.classList.toggle("chosen", name !== undefined && (a === name || b === name));
    });
  }

  private addRow(): HTMLTableRowElement {
    const made = this.rows.insertRow();
    for (let k = 0; k < 6; ++k) made.insertCell();
    made.onclick = () => {
      const row = this.contacts?.rows[made.sectionRowIndex];
      if (row) this.selectByName(row[1]);
    };
    return made;
  }

  private selectByName(name: string): void {
    const body = [...this.bodies.values()].find((one) => one[1] === name);
    const path = body ? this.tree.pathOfFrame(body[0]) : null;
    if (body && path) this.touch.select({ path, frame: body[0] });
  }

  // Cones of the forces that do not slip: their tip at the contact, about the
  // normal, atan(μ) wide.
  private placeCones(): void {
    const wanted = this.showsCones.checked && !this.table.hidden ? this.contacts?.rows ?? [] : [];
    if (wanted.length === 0 && this.cones.children.length === 0) return;
    for (const cone of this.cones.children) (cone as THREE.Mesh).geometry.dispose();
    this.cones.clear();
    const { from, at } = this.stage.eye;
    const height = 0.06 * from.distanceTo(at) * 10 ** this.scale.valueAsNumber;
    const down = new THREE.Vector3(0, -1, 0);
    for (const [, , , p, , n, friction] of wanted) {
      if (!(friction > 0)) continue;
      const geometry = new THREE.ConeGeometry(height * friction, height, 32, 1, true).translate(0, -height / 2, 0);
      const cone = new THREE.Mesh(geometry, coneMaterial);
      cone.position.fromArray(p);
      cone.quaternion.setFromUnitVectors(down, new THREE.Vector3().fromArray(n));
      this.cones.add(cone);
    }
    ++this.tree.changes;
  }

  /** For tests: cones that are drawn. */
  get numCones(): number {
    return this.cones.children.length;
  }
}

const coneMaterial = new THREE.MeshBasicMaterial({
  color: 0x2e8b57, transparent: true, opacity: 0.25, side: THREE.DoubleSide, depthWrite: false,
});

// The normal and the tangential force of a row [N].
function parts([, , , , f, n]: ContactRow): { normal: number; tangent: number } {
  const force = new THREE.Vector3().fromArray(f), normal = new THREE.Vector3().fromArray(n);
  const along = force.dot(normal);
  return { normal: along, tangent: force.addScaledVector(normal, -along).length() };
}
