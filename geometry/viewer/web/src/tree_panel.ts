// The paths as a list that folds, with a box each to see or hide it.
import type { SceneTree } from "./scene_tree";

export class TreePanel {
  private isStale = true;

  constructor(
    private readonly place: HTMLElement, private readonly follow: HTMLSelectElement,
    private readonly tree: SceneTree, private readonly showGrid: (visible: boolean) => void,
  ) {
    tree.onPaths = () => (this.isStale = true);
  }

  /** Once a frame; does nothing unless something came or went. */
  update(): void {
    if (!this.isStale) return;
    this.isStale = false;
    const paths = this.tree.paths();
    const children = new Map<string, string[]>();
    for (const path of paths) {
      const parent = path.slice(0, path.lastIndexOf("/"));
      children.set(parent, [...(children.get(parent) ?? []), path]);
    }
    const list = document.createElement("ul");
    list.append(this.row("Grid", true, this.showGrid, []));
    for (const path of children.get("") ?? []) list.append(this.entry(path, children, 0));
    this.place.replaceChildren(list);

    const chosen = this.follow.value;
    const bodies = paths.filter((path) => children.has(path) && path.split("/").length > 2);
    this.follow.replaceChildren(
      new Option("Follow…", ""), ...bodies.map((path) => new Option(path.slice(1), path)),
    );
    this.follow.value = bodies.includes(chosen) ? chosen : "";
  }

  private entry(path: string, children: Map<string, string[]>, depth: number): HTMLElement {
    const below = (children.get(path) ?? []).map((child) => this.entry(child, children, depth + 1));
    return this.row(
      path.slice(path.lastIndexOf("/") + 1), this.tree.isShown(path),
      (visible) => this.tree.show(path, visible), below, depth < 2,
    );
  }

  private row(
    name: string, checked: boolean, show: (visible: boolean) => void,
    below: HTMLElement[], isOpen = false,
  ): HTMLElement {
    const item = document.createElement("li");
    const label = document.createElement("label");
    const box = document.createElement("input");
    box.type = "checkbox";
    box.checked = checked;
    box.onchange = () => show(box.checked);
    label.append(box, name);
    if (below.length === 0) {
      label.className = "leaf";
      item.append(label);
      return item;
    }
    const details = document.createElement("details");
    const summary = document.createElement("summary");
    const list = document.createElement("ul");
    details.open = isOpen;
    label.style.display = "inline-flex";
    summary.append(label);
    list.append(...below);
    details.append(summary, list);
    item.append(details);
    return item;
  }
}
