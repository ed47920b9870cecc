// Sliders and buttons that the program asked for.
import { isForPage, keyName } from "./keys";
import type { ButtonItem, SliderItem } from "./messages";

type Send = (message: object) => void;

// A number may be typed exactly; the slider moves in steps.
const stepOf = (input: HTMLInputElement, item: SliderItem): string => (input.type === "range" ? `${item.step}` : "any");

export class Controls {
  private readonly rows = new Map<string, HTMLElement>();
  private readonly keys = new Map<string, Map<string, () => void>>();

  constructor(private readonly place: HTMLElement, private readonly send: Send) {
    addEventListener("keydown", (event) => {
      if (!isForPage(event)) return;
      for (const actions of this.keys.values()) actions.get(event.code)?.();
    });
  }

  clear(): void {
    for (const name of [...this.rows.keys()]) this.remove(name);
  }

  remove(name: string): void {
    this.rows.get(name)?.remove();
    this.rows.delete(name);
    this.keys.delete(name);
    this.place.hidden = this.rows.size === 0;
  }

  button(item: ButtonItem): void {
    const name = `button:${item.path}`;
    this.remove(name);
    const button = document.createElement("button");
    button.textContent = item.path + (item.key ? ` (${keyName(item.key)})` : "");
    const press = () => this.send({ type: "button", path: item.path });
    button.onclick = press;
    this.add(name, button, item.order, item.key ? [[item.key, press]] : []);
  }

  slider(item: SliderItem): void {
    const name = `slider:${item.path}`;
    const row = this.rows.get(name);
    if (row) {
      // The same control with another value: it may be under someone's finger.
      for (const input of row.querySelectorAll("input")) {
        Object.assign(input, { min: `${item.min}`, max: `${item.max}`, step: stepOf(input, item) });
        if (document.activeElement !== input || input.type === "range") input.value = `${item.value}`;
      }
      return;
    }
    const label = document.createElement("label");
    label.className = "slider";
    const title = document.createElement("span");
    title.textContent = item.path;
    title.title = item.path;
    const range = document.createElement("input");
    const number = document.createElement("input");
    range.type = "range";
    number.type = "number";
    for (const input of [range, number]) {
      Object.assign(input, {
        min: `${item.min}`, max: `${item.max}`, step: stepOf(input, item), value: `${item.value}`,
      });
      input.setAttribute("aria-label", item.path);
    }
    const set = (value: number) => {
      if (!Number.isFinite(value)) return;
      const within = Math.min(Math.max(value, item.min), item.max);
      range.value = number.value = `${within}`;
      this.send({ type: "slider", path: item.path, value: within });
    };
    range.oninput = () => set(range.valueAsNumber);
    number.onchange = () => set(number.valueAsNumber);
    label.append(title, range, number);
    const [less, more] = item.keys;
    const actions: [string, () => void][] = [];
    if (less) actions.push([less, () => set(range.valueAsNumber - item.step)]);
    if (more) actions.push([more, () => set(range.valueAsNumber + item.step)]);
    this.add(name, label, item.order, actions);
  }

  /** The keys that press what, for a list of them. */
  keyList(): [string, string][] {
    return [...this.keys].flatMap(([name, actions]) =>
      [...actions.keys()].map((key): [string, string] => [keyName(key), name.slice(name.indexOf(":") + 1)]));
  }

  private add(name: string, row: HTMLElement, order: number, actions: [string, () => void][]): void {
    this.rows.set(name, row);
    this.keys.set(name, new Map(actions));
    row.dataset["order"] = `${order}`;
    // A page that is loaded again gets the controls in the order of their last changes.
    const next = [...this.rows.values()]
      .filter((one) => Number(one.dataset["order"]) > order)
      .sort((a, b) => Number(a.dataset["order"]) - Number(b.dataset["order"]))[0];
    this.place.insertBefore(row, next ?? null);
    this.place.hidden = false;
  }
}
