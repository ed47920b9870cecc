// Signals over time, a plot each, as samples come; with the moment that a
// recording shows, and the samples as CSV.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { save } from "./stage";

const maxSamples = 4096; // As the program keeps.
const colors = ["#0f8b8d", "#d9632b", "#6a5acd", "#2e8b57", "#c2255c", "#b8860b", "#4682b4", "#8b5a2b"];

interface Signal {
  names: string[];
  unit: string;
  columns: number[][]; // Time, then each element.
  plot: uPlot | null;
  place: HTMLElement;
  isStale: boolean;
  close: (() => void) | null; // Of one that the person at the page opened.
}

export class Scopes {
  private readonly signals = new Map<string, Signal>();
  /** Called when signals came or went. */
  onSignals: () => void = () => {};

  constructor(private readonly place: HTMLElement) {}

  get size(): number {
    return this.signals.size;
  }

  clear(): void {
    for (const signal of this.signals.values()) signal.plot?.destroy();
    this.signals.clear();
    this.place.replaceChildren();
    this.onSignals();
  }

  describe(path: string, names: string[], unit: string): void {
    const signal = this.at(path);
    signal.names = names;
    signal.unit = unit;
    signal.plot?.destroy();
    signal.plot = null;
    signal.isStale = true;
  }

  has(path: string): boolean {
    return this.signals.has(path);
  }

  /** A scope that the person at the page opened, and can close. */
  open(path: string, unit: string, close: () => void): void {
    this.at(path).close = close;
    this.describe(path, [], unit);
  }

  remove(path: string): void {
    const signal = this.signals.get(path);
    signal?.plot?.destroy();
    signal?.place.remove();
    this.signals.delete(path);
    this.onSignals();
  }

  add(path: string, rows: number[][], isFresh: boolean): void {
    const signal = this.at(path);
    const width = rows[0]?.length ?? 0;
    if (isFresh || signal.columns.length !== width) {
      signal.columns = Array.from({ length: width }, () => []);
      signal.plot?.destroy();
      signal.plot = null;
    }
    for (const row of rows) row.forEach((number, i) => signal.columns[i]!.push(number));
    const excess = signal.columns[0]!.length - maxSamples;
    if (excess > 0) for (const column of signal.columns) column.splice(0, excess);
    signal.isStale = true;
  }

  /** Once a frame; draws what is new, if the panel is open. */
  update(moment: number | null): void {
    if (this.place.hidden) return;
    for (const [path, signal] of this.signals) {
      if (signal.columns.length < 2) continue;
      if (!signal.plot) signal.plot = this.make(path, signal);
      else if (signal.isStale) signal.plot.setData(signal.columns as uPlot.AlignedData);
      signal.isStale = false;
      if (moment !== null) signal.plot.setCursor({ left: signal.plot.valToPos(moment, "x"), top: 0 }, false);
    }
  }

  /** The last values of a signal. */
  last(path: string): number[] | null {
    const signal = this.signals.get(path);
    return signal && signal.columns.length > 0 ? signal.columns.map((column) => column.at(-1)!) : null;
  }

  largest(path: string, element: number): number {
    return Math.max(...(this.signals.get(path)?.columns[element + 1] ?? [NaN]));
  }

  /** The largest number of the plot's vertical axis. */
  axis(path: string): number {
    return this.signals.get(path)?.plot?.scales["y"]?.max ?? NaN;
  }

  private at(path: string): Signal {
    const found = this.signals.get(path);
    if (found) return found;
    const place = document.createElement("section");
    const signal: Signal = { names: [], unit: "", columns: [], plot: null, place, isStale: false, close: null };
    this.signals.set(path, signal);
    this.place.append(place);
    this.onSignals();
    return signal;
  }

  private make(path: string, signal: Signal): uPlot {
    const head = document.createElement("div");
    head.className = "scope-head";
    const title = document.createElement("strong");
    title.textContent = path;
    const button = document.createElement("button");
    button.textContent = "CSV";
    button.title = "Save what is plotted";
    const names = signal.columns.slice(1).map((_, i) => signal.names[i] ?? `${i}`);
    button.onclick = () => {
      const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
      const lines = [["time", ...names].map(quoted).join(",")];
      signal.columns[0]!.forEach((_, k) => lines.push(signal.columns.map((column) => column[k]).join(",")));
      save(new Blob([lines.join("\n") + "\n"], { type: "text/csv" }), `${path.replaceAll(/[^\w.-]+/g, "_")}.csv`);
    };
    head.append(title, button);
    if (signal.close) {
      const close = document.createElement("button");
      close.textContent = "×";
      close.title = "Close this scope";
      close.setAttribute("aria-label", `Close ${path}`);
      close.onclick = signal.close;
      head.append(close);
    }
    const ink = () => getComputedStyle(document.body).getPropertyValue("color");
    const axis = { stroke: ink, grid: { stroke: "#8884", width: 1 }, ticks: { stroke: "#8884", width: 1 } };
    signal.place.replaceChildren(head);
    return new uPlot(
      {
        width: Math.max(240, this.place.clientWidth - 26),
        height: 190,
        scales: { x: { time: false } },
        axes: [{ ...axis, label: "s", labelSize: 16, size: 34 }, { ...axis, label: signal.unit, labelSize: signal.unit ? 16 : 0, size: 56 }],
        series: [
          { label: "time" },
          ...names.map((label, i) => ({ label, stroke: colors[i % colors.length]!, width: 1.5, points: { show: false } })),
        ],
      },
      signal.columns as uPlot.AlignedData,
      signal.place,
    );
  }
}
