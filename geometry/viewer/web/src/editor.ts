// The panel that edits the blocks and wires of a scenario. It says what a
// person wants; the program makes the edit, checks it, and sends the draft.
import type { BlockTypeEntry, EditorItem, PortsEntry } from "./messages";

function made<K extends keyof HTMLElementTagNameMap>(
  kind: K, attributes: Partial<HTMLElementTagNameMap[K]> = {}, ...parts: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(kind), attributes);
  element.append(...parts);
  return element;
}

// Lines of the draft that an error names, as in "arm.yaml:12:5: ...".
function linesOf(error: string): Set<number> {
  return new Set([...error.matchAll(/:(\d+):\d+:/g)].map((match) => Number(match[1])));
}

export class Editor {
  private item: EditorItem | null = null;
  private types: BlockTypeEntry[] = [];
  private changed: string | null = null; // The block whose fields are being changed.
  private isSubmitted = false; // The form, to the program.
  private readonly name = made("input", { type: "text", maxLength: 64, placeholder: "name", spellcheck: false });
  private readonly type = made("select");
  private readonly fields = made("textarea", { rows: 3, spellcheck: false });
  private readonly summary = made("p", { className: "hint" });
  private readonly submit = made("button", { type: "submit" });
  private readonly cancel = made("button", { type: "button", textContent: "Cancel" });
  private readonly from = made("select");
  private readonly to = made("select");
  private readonly heading = made("strong");
  private readonly blocks = made("ul");
  private readonly wires = made("ul");
  private readonly message = made("p");
  private readonly source = made("pre");
  private readonly sourceTitle = made("summary");
  private readonly actions = new Map<string, HTMLButtonElement>();
  /** Called when there is something to edit, or no more. */
  onChange: () => void = () => {};

  constructor(private readonly place: HTMLElement, private readonly send: (message: object) => void) {
    for (const [input, label] of [
      [this.name, "Name of the block"], [this.type, "Type of the block"], [this.fields, "Fields of the block"],
      [this.from, "Wire from"], [this.to, "Wire to"],
    ] as const) input.setAttribute("aria-label", label);
    this.message.setAttribute("role", "status");
    this.type.onchange = () => this.showType();
    this.cancel.onclick = () => this.startAdding();
    const form = made("form", { className: "block-form" }, this.name, this.type, this.summary, this.fields, this.submit, this.cancel);
    form.onsubmit = (event) => {
      event.preventDefault();
      this.isSubmitted = true;
      this.say(this.changed === null ? "add" : "change", this.name.value, this.type.value, this.fields.value);
    };
    const wiring = made(
      "form", { className: "wire-form" }, made("label", {}, "from", this.from), made("label", {}, "to", this.to), made("button", { type: "submit", textContent: "Add wire" }));
    wiring.onsubmit = (event) => {
      event.preventDefault();
      this.say("wire", this.from.value, this.to.value);
    };
    const bar = made("div", { className: "tools" });
    for (const [action, text, title] of [
      ["run", "Run edited", "Check the edits and start the run again with them"],
      ["save", "Save to file", "Check the edits and write them into the scenario's file"],
      ["undo", "Undo", "Take the last edit back"],
      ["discard", "Discard", "Forget all edits and read the file again"],
    ] as const) {
      const button = made("button", { textContent: text, title, onclick: () => this.say(action) });
      this.actions.set(action, button);
      bar.append(button);
    }
    place.append(
      this.heading, bar, this.message, made("details", {}, this.sourceTitle, this.source),
      made("h3", { textContent: "Blocks" }), this.blocks, form, made("h3", { textContent: "Wires" }), this.wires, wiring);
    this.startAdding();
  }

  get isThere(): boolean {
    return this.item !== null;
  }

  clear(): void {
    this.item = null;
    this.place.hidden = true;
    this.onChange();
  }

  setTypes(types: BlockTypeEntry[]): void {
    this.types = types;
    const chosen = this.type.value;
    this.type.replaceChildren(...types.map(({ name }) => new Option(name)));
    if (types.some(({ name }) => name === chosen)) this.type.value = chosen;
    else if (types.some(({ name }) => name === "Gain")) this.type.value = "Gain";
    this.showType();
  }

  set(item: EditorItem): void {
    const wasThere = this.isThere;
    this.item = item;
    this.heading.textContent = item.file.slice(item.file.lastIndexOf("/") + 1) + (item.unsaved ? " (edited)" : "");
    this.heading.title = item.file;
    this.actions.get("undo")!.disabled = item.undo === 0;
    this.actions.get("discard")!.disabled = !item.unsaved;
    this.actions.get("save")!.disabled = !item.unsaved;
    this.actions.get("run")!.disabled = !item.unrun;
    this.message.textContent = item.error || item.note;
    this.message.className = item.error ? "error" : "hint";
    this.blocks.replaceChildren(...item.blocks.map((block) => this.blockRow(block)));
    this.wires.replaceChildren(...item.wires.map((wire) => this.wireRow(wire)));
    this.showPorts();
    this.showSource();
    if (this.isSubmitted && item.error === "") this.startAdding();
    this.isSubmitted = false;
    if (!wasThere) this.onChange();
  }

  private say(action: string, ...texts: string[]): void {
    this.send({ type: "edit", path: action, paths: texts });
  }

  private blockRow(block: PortsEntry): HTMLElement {
    const ports = `${block.in.join(", ") || "no inputs"} → ${block.out.join(", ") || "no outputs"}`;
    const change = made("button", {
      textContent: "Change", title: `Change the fields of ${block.name}`, onclick: () => this.startChanging(block),
    });
    const remove = made("button", {
      textContent: "×", title: `Remove ${block.name} and its wires`, onclick: () => this.say("remove", block.name),
    });
    change.setAttribute("aria-label", change.title);
    remove.setAttribute("aria-label", remove.title);
    return made(
      "li", {}, made("span", { title: block.fields }, made("strong", { textContent: block.name }), ` ${block.type}`), change, remove,
      made("small", { textContent: ports }));
  }

  private wireRow([from, to]: [string, string]): HTMLElement {
    const remove = made("button", {
      textContent: "×", title: `Remove the wire to ${to}`, onclick: () => this.say("unwire", from, to),
    });
    remove.setAttribute("aria-label", remove.title);
    return made("li", {}, made("span", { textContent: `${from} → ${to}` }), remove);
  }

  // Inputs that have a wire are left out: an input takes one.
  private showPorts(): void {
    const { blocks, others, wires } = this.item!;
    const all = [...blocks, ...others];
    const wired = new Set(wires.map(([, to]) => to));
    const fill = (select: HTMLSelectElement, ports: string[]) => {
      const chosen = select.value;
      select.replaceChildren(...ports.map((port) => new Option(port)));
      if (ports.includes(chosen)) select.value = chosen;
    };
    fill(this.from, all.flatMap(({ name, out }) => out.map((port) => `${name}/${port}`)));
    fill(this.to, all.flatMap((one) => one.in.map((port) => `${one.name}/${port}`)).filter((port) => !wired.has(port)));
  }

  // The text that an error is about, with its lines marked.
  private showSource(): void {
    const { text, refused, error } = this.item!;
    const marked = linesOf(error);
    this.sourceTitle.textContent = refused ? "Refused text" : "Text of the scenario";
    const lines = (refused || text).replace(/\n$/, "").split("\n");
    this.source.replaceChildren(...lines.map((line, i) =>
      made("span", { className: marked.has(i + 1) ? "line marked" : "line", textContent: `${line}\n` })));
    const details = this.source.parentElement as HTMLDetailsElement;
    if (marked.size > 0) {
      details.open = true;
      const first = this.source.querySelector<HTMLElement>(".marked");
      if (first) this.source.scrollTop = first.offsetTop - this.source.offsetTop - 40;
    }
  }

  private startAdding(): void {
    this.changed = null;
    this.name.value = "";
    this.name.readOnly = this.type.disabled = false;
    this.submit.textContent = "Add block";
    this.cancel.hidden = true;
    this.showType();
  }

  private startChanging(block: PortsEntry): void {
    this.changed = block.name;
    this.name.value = block.name;
    this.name.readOnly = this.type.disabled = true;
    this.type.value = block.type;
    this.submit.textContent = "Change block";
    this.cancel.hidden = false;
    this.showType();
    this.fields.value = block.fields;
    this.fields.focus();
  }

  // What the chosen type does, and its fields with their defaults.
  private showType(): void {
    const type = this.types.find(({ name }) => name === this.type.value);
    if (!type) return;
    const fields = Object.entries(type.schema.properties ?? {});
    this.summary.textContent = type.summary;
    this.summary.title = fields.map(([name, { description }]) => `${name}: ${description ?? ""}`).join("\n");
    this.fields.value = type.defaults.trimEnd();
    this.fields.rows = Math.min(8, Math.max(2, this.fields.value.split("\n").length));
    this.fields.title = this.summary.title;
  }
}
