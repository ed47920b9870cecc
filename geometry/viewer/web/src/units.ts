// Units of a vector's elements, as people read them.

/** The unit of each element, by a port's text: one for all, or as in "rad, m, -" one for each. */
export function elementUnits(text: string, size: number): string[] {
  const each = text.split(", ");
  if (size > 1 && each.length === size) return each.map((unit) => (unit === "-" ? "" : unit));
  return Array<string>(Math.max(size, 0)).fill(text);
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
