// Units of a vector's elements, as people read them.

/** One unit for all elements, or a list of one for each. */
export type Units = string | readonly string[];

/** The unit of each element. */
export function elementUnits(units: Units, size: number): readonly string[] {
  return typeof units === "string" ? Array<string>(Math.max(size, 0)).fill(units) : units;
}

/** The first three elements, each unit after the last that has it: "1, 2 rad, 3 m, …". */
export function vectorText(values: readonly number[], units: readonly string[]): string {
  const shown = values.slice(0, 3).map((value, i) => {
    const text = value === 0 ? "0" : Number(value.toPrecision(3)).toString();
    const unit = units[i] ?? "";
    const isLast = i === Math.min(values.length, 3) - 1 || units[i + 1] !== unit;
    return unit !== "" && isLast ? `${text} ${unit}` : text;
  });
  return shown.join(", ") + (values.length > 3 ? ", …" : "");
}
