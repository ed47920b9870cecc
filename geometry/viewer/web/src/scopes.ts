// Signals over time: plots with one signal or several each, as samples come;
// with the moment that a recording shows, and what is plotted as CSV.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { axisLabels, verticalLabels } from "./axis_labels";
import { save } from "./stage";
import { elementUnits, type Units } from "./units";

const maxSamples = 4096; // As the program keeps.
const colors = ["#0f8b8d", "#d9632b", "#6a5acd", "#2e8b57", "#c2255c", "#b8860b", "#4682b4", "#8b5a2b"];

interface Signal {
  names: string[];
  units: Units;
  columns: number[][]; // Time, then each element.
  close: (() => void) | null; // Of one that the person at the page opened.
}

interface Plot {
  paths: string[]; // Of its signals, at least one.
  place: HTMLElement;
  plot: uPlot | null;
  isStale: boolean;
}

export class Scopes {
  private readonly signals = new Map<string, Signal>();
  private plots: Plot[] = [];
  /** Called when signals came or went. */
  onSignals: () => void = () => {};

  constructor(private readonly place: HTMLElement) {}

  get size(): number {
    return this.signals.size;
  }

  clear(): void {
    for (const plot of this.plots) plot.plot?.destroy();
    this.plots = [];
    this.signals.clear();
    this.place.replaceChildren();
    this.onSignals();
  }

  describe(path: string, names: string[], units: Units): void {
    const signal = this.at(path);
    signal.names = names;
    signal.units = units;
    this.remake(this.plotOf(path));
  }

  has(path: string): boolean {
    return this.signals.has(path);
  }

  /** A scope that the person at the page opened, and can close. */
  open(path: string, names: string[], units: Units, close: () => void): void {
    this.at(path).close = close;
    this.describe(path, names, units);
  }

  remove(path: string): void {
    if (!this.signals.delete(path)) return;
    this.takeOut(path);
    for (const plot of this.plots) this.remake(plot); // They offer it no more.
    this.onSignals();
  }

  /** Plots the signal `path` where `other` is plotted. */
  join(path: string, other: string): void {
    if (path === other || !this.signals.has(path) || !this.signals.has(other)) return;
    this.takeOut(path);
    const plot = this.plotOf(other)!;
    plot.paths.push(path);
    this.remake(plot);
  }

  /** Gives each signal that is plotted with `path` a plot of its own. */
  split(path: string): void {
    const plot = this.plotOf(path);
    if (!plot) return;
    for (const other of plot.paths.splice(1)) this.addPlot(other, plot);
    this.remake(plot);
  }

  /** The signals that are plotted together, plot by plot. */
  together(): string[][] {
    return this.plots.map(({ paths }) => [...paths]);
  }

  add(path: string, rows: number[][], isFresh: boolean): void {
    const signal = this.at(path);
    const width = rows[0]?.length ?? 0;
    if (isFresh || signal.columns.length !== width) {
      const isAsWide = signal.columns.length === width;
      signal.columns = Array.from({ length: width }, () => []);
      if (!isAsWide) this.remake(this.plotOf(path));
    }
    for (const row of rows) row.forEach((number, i) => signal.columns[i]!.push(number));
    const excess = (signal.columns[0]?.length ?? 0) - maxSamples;
    if (excess > 0) for (const column of signal.columns) column.splice(0, excess);
    this.plotOf(path)!.isStale = true;
  }

  /** Once a frame; draws what is new, if the panel is open. */
  update(moment: number | null): void {
    if (this.place.hidden) return;
    for (const plot of this.plots) {
      if (!plot.plot) {
        if (this.shown(plot).length > 0) this.make(plot);
      } else if (plot.isStale) plot.plot.setData(this.data(plot));
      plot.isStale = false;
      if (moment !== null) plot.plot?.setCursor({ left: plot.plot.valToPos(moment, "x"), top: 0 }, false);
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

  /** The labels of a signal's vertical axis, for tests. */
  axisTexts(path: string): string[] {
    const plot = this.plotOf(path)?.plot;
    return (plot?.axes[1] as { _values?: string[] } | undefined)?._values ?? [];
  }

  /** The largest number of the vertical axis that a signal is plotted by. */
  axis(path: string): number {
    const [unit] = elementUnits(this.signals.get(path)?.units ?? "", 1);
    return this.plotOf(path)?.plot?.scales[`y${unit}`]?.max ?? NaN;
  }

  /** What is plotted where `path` is: a line of names, then one a time. */
  csv(path: string): string {
    const plot = this.plotOf(path)!;
    const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
    const lines = [["time", ...this.labels(plot)].map(quoted).join(",")];
    const columns = this.data(plot);
    for (let k = 0; k < columns[0]!.length; ++k) lines.push(columns.map((column) => column[k] ?? "").join(","));
    return lines.join("\n") + "\n";
  }

  private at(path: string): Signal {
    const found = this.signals.get(path);
    if (found) return found;
    const signal: Signal = { names: [], units: "", columns: [], close: null };
    this.signals.set(path, signal);
    this.addPlot(path);
    for (const plot of this.plots) this.remake(plot); // They offer it, too.
    this.onSignals();
    return signal;
  }

  private plotOf(path: string): Plot | undefined {
    return this.plots.find(({ paths }) => paths.includes(path));
  }

  private addPlot(path: string, after?: Plot): void {
    const place = document.createElement("section");
    const plot: Plot = { paths: [path], place, plot: null, isStale: false };
    const index = after ? this.plots.indexOf(after) + 1 : this.plots.length;
    this.plots.splice(index, 0, plot);
    if (after) after.place.after(place);
    else this.place.append(place);
  }

  private takeOut(path: string): void {
    const plot = this.plotOf(path);
    if (!plot) return;
    plot.paths = plot.paths.filter((other) => other !== path);
    this.remake(plot);
    if (plot.paths.length > 0) return;
    plot.place.remove();
    this.plots = this.plots.filter((other) => other !== plot);
  }

  private remake(plot: Plot | undefined): void {
    plot?.plot?.destroy();
    if (plot) plot.plot = null;
  }

  // The signals of a plot that have samples.
  private shown(plot: Plot): [string, Signal][] {
    return plot.paths.map((path): [string, Signal] => [path, this.signals.get(path)!])
      .filter(([, signal]) => signal.columns.length >= 2);
  }

  private labels(plot: Plot): string[] {
    const shown = this.shown(plot);
    return shown.flatMap(([path, signal]) => signal.columns.slice(1).map((_, i) => {
      const name = signal.names[i] ?? `${i}`;
      return shown.length > 1 ? `${path} ${name}` : name;
    }));
  }

  // Times of all signals, and what each has at them.
  private data(plot: Plot): uPlot.AlignedData {
    const tables = this.shown(plot).map(([, signal]) => signal.columns as uPlot.AlignedData);
    return tables.length === 1 ? tables[0]! : uPlot.join(tables);
  }

  private head(plot: Plot): HTMLElement {
    const head = document.createElement("div");
    head.className = "scope-head";
    const title = document.createElement("strong");
    const name = plot.paths.join(", ");
    title.textContent = name;
    head.append(title);
    const button = (text: string, title: string, action: () => void) => {
      const made = document.createElement("button");
      made.textContent = text;
      made.title = title;
      made.setAttribute("aria-label", `${title}: ${name}`);
      made.onclick = action;
      head.append(made);
    };
    const others = [...this.signals.keys()].filter((path) => !plot.paths.includes(path));
    if (others.length > 0) {
      const select = document.createElement("select");
      select.className = "join";
      select.title = "Plot another signal here, too";
      select.setAttribute("aria-label", `Add to ${name}`);
      select.append(new Option("+", ""), ...others.map((path) => new Option(path, path)));
      select.onchange = () => this.join(select.value, plot.paths[0]!);
      head.append(select);
    }
    if (plot.paths.length > 1) button("÷", "A plot for each signal", () => this.split(plot.paths[0]!));
    button("CSV", "Save what is plotted", () => {
      const file = `${name.replaceAll(/[^\w.-]+/g, "_")}.csv`;
      save(new Blob([this.csv(plot.paths[0]!)], { type: "text/csv" }), file);
    });
    const closes = plot.paths.map((path) => this.signals.get(path)!.close).filter((close) => close !== null);
    if (closes.length === plot.paths.length) {
      button("×", "Close this scope", () => closes.forEach((close) => close()));
    }
    return head;
  }

  private make(plot: Plot): void {
    const ink = () => getComputedStyle(document.body).getPropertyValue("color");
    const axis = { stroke: ink, grid: { stroke: "#8884", width: 1 }, ticks: { stroke: "#8884", width: 1 } };
    const shown = this.shown(plot);
    const unitOf = shown.flatMap(([, signal]) => elementUnits(signal.units, signal.columns.length - 1));
    const units = [...new Set(unitOf)];
    plot.place.replaceChildren(this.head(plot));
    plot.plot = new uPlot(
      {
        width: Math.max(240, this.place.clientWidth - 26),
        height: 190,
        scales: { x: { time: false } },
        axes: [
          { ...axis, ...axisLabels, label: "s", labelSize: 16, size: 34 },
          // An axis for each unit, the first on the left.
          ...units.map((unit, i) => ({
            ...axis, ...verticalLabels, scale: `y${unit}`, label: unit, labelSize: unit ? 16 : 0, side: i === 0 ? 3 : 1,
            grid: { ...axis.grid, show: i === 0 },
          })),
        ],
        series: [
          { label: "time" },
          ...this.labels(plot).map((label, i) => ({
            label, scale: `y${unitOf[i]!}`, stroke: colors[i % colors.length]!, width: 1.5, points: { show: false },
            spanGaps: true, // At times of another signal alone.
          })),
        ],
      },
      this.data(plot),
      plot.place,
    );
    plot.isStale = false;
  }
}
