// The plots of a report: in place of each picture a plot that zooms, from the
// data beside it. Plots of one section zoom together.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { axisLabels, verticalLabels } from "../axis_labels";
import "./report.css";

interface Series {
  label: string;
  color: number;
  band: boolean;
  dots: boolean;
  x: number[];
  y: (number | null)[];
}

interface Plot {
  title: string;
  x: string;
  y: string;
  width: number;
  height: number;
  limits: number[];
  series: Series[];
}

const colorOf = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Whether it is a function of x, as uPlot needs it. */
function isDrawable(plot: Plot): boolean {
  return plot.series.length > 0 &&
    plot.series.every(({ x }) => x.length > 1 && x.every((value, i) => i === 0 || value >= x[i - 1]!));
}

function tableOf(plot: Plot): uPlot.AlignedData {
  const first = plot.series[0]!.x;
  const same = plot.series.every(({ x }) => x.length === first.length && x.every((value, i) => value === first[i]));
  if (same) return [first, ...plot.series.map(({ y }) => y)] as uPlot.AlignedData;
  const tables = plot.series.map(({ x, y }) => [x, y] as uPlot.AlignedData);
  // A null is a gap (2); where a curve has no sample it goes on.
  return uPlot.join(tables, tables.map((table) => table.map(() => 2)));
}

function rangeOf(plot: Plot): uPlot.Scale.Range {
  return (_self, low, high) => {
    const values = [low, high, ...plot.limits].filter((value) => value !== null && Number.isFinite(value));
    if (values.length === 0) return [0, 1];
    const [least, largest] = [Math.min(...values), Math.max(...values)];
    const size = Math.max(Math.abs(least), Math.abs(largest));
    const span = Math.max(largest - least, size > 0 ? 1e-6 * size : 1);
    return [least - 0.06 * span, largest + 0.06 * span];
  };
}

function drawLimits(plot: Plot): (self: uPlot) => void {
  return (self) => {
    const { ctx, bbox } = self;
    ctx.save();
    ctx.strokeStyle = colorOf("limit");
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
    for (const limit of plot.limits) {
      const y = Math.round(self.valToPos(limit, "y", true));
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
    }
    ctx.restore();
  };
}

/** Two fingers zoom, one moves what is zoomed, two taps show the whole. */
function addTouch(self: uPlot, zoom: (low: number, high: number) => void): void {
  const fingers = new Map<number, number>();
  let lastTap = 0;
  const [first, last] = [self.data[0][0]!, self.data[0].at(-1)!];
  const place = (event: PointerEvent) => event.clientX - self.over.getBoundingClientRect().left;
  self.over.style.touchAction = "pan-y";
  self.over.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    fingers.set(event.pointerId, place(event));
    if (fingers.size === 1) {
      if (event.timeStamp - lastTap < 300) zoom(first, last);
      lastTap = event.timeStamp;
    }
  });
  self.over.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (before === undefined) return;
    const now = place(event);
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    const { min, max } = self.scales["x"]!;
    if (min == null || max == null) return;
    fingers.set(event.pointerId, now);
    const width = self.over.clientWidth;
    if (other === undefined) {
      const shift = Math.min(Math.max(((before - now) * (max - min)) / width, first - min), last - max);
      if (shift !== 0) zoom(min + shift, max + shift);
      return;
    }
    if (Math.abs(now - other) < 10) return;
    const factor = (before - other) / (now - other);
    const middle = min + ((max - min) * other) / width;
    if (factor > 0) zoom(Math.max(first, middle + (min - middle) * factor), Math.min(last, middle + (max - middle) * factor));
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"] as const) {
    self.over.addEventListener(end, (event) => fingers.delete(event.pointerId));
  }
}

const plots: uPlot[] = [];

function make(card: HTMLElement, plot: Plot, group: string): void {
  const ink = () => colorOf("soft");
  const axis = { stroke: ink, grid: { stroke: () => colorOf("grid"), width: 1 }, ticks: { show: false }, font: "11px system-ui, sans-serif", labelFont: "11px system-ui, sans-serif" };
  const height = Math.max(170, plot.height - 24);
  const head = document.createElement("div");
  head.className = "plot-head";
  const title = document.createElement("strong");
  title.textContent = plot.title;
  const unit = document.createElement("span");
  unit.textContent = plot.y;
  head.append(title, unit);
  card.replaceChildren(head);
  const chart = new uPlot(
    {
      width: card.clientWidth - 16,
      height,
      padding: [8, 12, 0, 0],
      scales: { x: { time: false }, y: { range: rangeOf(plot) } },
      axes: [{ ...axis, ...axisLabels, label: plot.x, labelSize: 16, size: 26 }, { ...axis, ...verticalLabels }],
      legend: { live: true },
      cursor: { sync: { key: group, setSeries: false }, points: { size: 6 } },
      series: [
        { label: plot.x, value: (_self, value) => (value == null ? "–" : value.toPrecision(5)) },
        ...plot.series.map(({ label, color, band, dots }): uPlot.Series => ({
          label,
          stroke: () => colorOf(`c${color}`),
          width: band ? 5 : 1.6,
          alpha: band ? 0.32 : 1,
          ...(dots ? { paths: () => null } : {}),
          points: { show: dots, size: 5, width: 0, fill: () => colorOf(`c${color}`) },
          spanGaps: false,
          value: (_self, value) => (value == null ? "–" : value.toPrecision(5)),
        })),
      ],
      hooks: { draw: [drawLimits(plot)] },
    },
    tableOf(plot),
    card,
  );
  addTouch(chart, (min, max) => {
    for (const other of plots) if (other.cursor.sync?.key === group) other.setScale("x", { min, max });
  });
  new ResizeObserver((_entries, observer) => {
    if (!plots.includes(chart)) return observer.disconnect();
    const width = card.clientWidth - 16;
    if (width > 50 && width !== chart.width) chart.setSize({ width, height });
  }).observe(card);
  plots.push(chart);
}

interface Columns {
  names: string[];
  x: number;
  y: number;
  columns: (number | null)[][];
}

/** One column over another, in the order of x; rows with a gap are left out. */
function scatterOf({ names, columns }: Columns, x: number, y: number, like: Plot): Plot {
  const [xs, ys] = [columns[x]!, columns[y]!];
  const rows = xs.map((_, i) => i).filter((i) => xs[i] != null && ys[i] != null);
  rows.sort((a, b) => xs[a]! - xs[b]!);
  const series = { label: names[y]!, color: 0, band: false, dots: true, x: rows.map((i) => xs[i]!), y: rows.map((i) => ys[i]!) };
  return { ...like, title: `${names[y]} over ${names[x]}`, x: names[x]!, series: [series] };
}

/** Menus that choose the two columns of a scatter plot. */
function addMenus(section: HTMLElement, card: HTMLElement, like: Plot, group: string): void {
  const data = JSON.parse(section.querySelector("script")?.textContent ?? "null") as Columns | null;
  if (!data) return;
  const menu = (label: string, chosen: number): HTMLSelectElement => {
    const select = document.createElement("select");
    data.names.forEach((name, i) => select.add(new Option(name, String(i), i === chosen, i === chosen)));
    const frame = document.createElement("label");
    frame.append(label, " ", select);
    menus.append(frame);
    return select;
  };
  const menus = document.createElement("div");
  menus.className = "menus";
  const [y, x] = [menu("Vertical", data.y), menu("Horizontal", data.x)];
  const update = () => {
    const plot = scatterOf(data, Number(x.value), Number(y.value), like);
    const before = plots.findIndex((chart) => chart.cursor.sync?.key === group);
    if (before >= 0) plots.splice(before, 1)[0]!.destroy();
    if (isDrawable(plot)) make(card, plot, group);
    else card.textContent = "There are not two runs with both values.";
  };
  x.addEventListener("change", update);
  y.addEventListener("change", update);
  section.prepend(menus);
}

document.querySelectorAll(".plots").forEach((section, i) => {
  section.querySelectorAll<HTMLElement>(".plot").forEach((card) => {
    const plot = JSON.parse(card.querySelector("script")?.textContent ?? "null") as Plot | null;
    if (!plot) return;
    const scatter = section.parentElement;
    if (scatter?.classList.contains("scatter")) addMenus(scatter, card, plot, `plots${i}`);
    if (isDrawable(plot)) make(card, plot, `plots${i}`);
  });
  // The legends below the plots say what the key above them does.
  if (section.querySelectorAll("svg").length === 0) {
    const key = section.previousElementSibling;
    if (key?.classList.contains("key")) key.remove();
  }
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  for (const chart of plots) chart.redraw(false, true);
});
// For tests: what is plotted.
Object.assign(window, { wyvernReport: { plots } });
