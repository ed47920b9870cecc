// Mouse and touch on bodies: a click selects, a drag of the selected body
// (or of any body, with Ctrl) pulls it by a spring that the program has, a double
// click centres the view. Dragging elsewhere turns the camera, as ever.
import * as THREE from "three";
import type { SceneTree } from "./scene_tree";
import type { Stage } from "./stage";

export interface Selection {
  path: string;
  frame: number | null;
}

interface Drag {
  selection: Selection;
  pointer: number;
  point: THREE.Vector3; // In the body's frame.
  target: THREE.Vector3; // In the world.
  plane: THREE.Plane;
  saidAt: number; // When the program was told last.
  isStale: boolean;
}

const clickReach = 5; // Pixels.
const repeat = 250; // Milliseconds after which a drag at rest is said again.
const glow = new THREE.Color(0x0f8b8d);

export class Touch {
  selected: Selection | null = null;
  private drag: Drag | null = null;
  private pressed: { x: number; y: number; time: number; pointer: number } | null = null;
  private draggable: ReadonlySet<number> = new Set();
  private readonly lit = new Set<THREE.MeshStandardMaterial>();
  private litAt = -1;
  private readonly rope = new THREE.Group();
  private readonly line: THREE.Line;
  private readonly knob: THREE.Mesh;
  /** Called when the selection changes. */
  onSelect: () => void = () => {};
  /** Returns true while a recording plays, whose bodies nobody can pull. */
  isReplay: () => boolean = () => false;
  /** Returns true for frames that can be selected; null: everything can. */
  knows: ((frame: number | null) => boolean) | null = null;

  constructor(
    place: HTMLElement, private readonly tree: SceneTree, private readonly stage: Stage,
    private readonly send: (message: object) => void,
  ) {
    const material = { color: 0xd9632b, depthTest: false, transparent: true };
    this.line = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial(material));
    this.knob = new THREE.Mesh(new THREE.SphereGeometry(1, 16, 12), new THREE.MeshBasicMaterial(material));
    this.line.frustumCulled = this.knob.frustumCulled = false;
    this.rope.add(this.line, this.knob);
    this.rope.renderOrder = 1;
    this.rope.visible = false;
    stage.add(this.rope);
    // Before the camera's controls, which are at the canvas within.
    place.addEventListener("pointerdown", (event) => this.press(event), { capture: true });
    addEventListener("pointermove", (event) => this.move(event));
    addEventListener("pointerup", (event) => this.lift(event));
    addEventListener("pointercancel", () => this.release());
    addEventListener("blur", () => this.release());
    document.addEventListener("visibilitychange", () => document.hidden && this.release());
    place.addEventListener("dblclick", (event) => this.center(event));
  }

  setDraggable(frames: readonly number[]): void {
    this.draggable = new Set(frames);
    if (this.drag && !this.canDrag(this.drag.selection)) this.release();
  }

  canDrag({ frame }: Selection): boolean {
    return frame !== null && this.draggable.has(frame) && !this.isReplay();
  }

  get isDragging(): boolean {
    return this.drag !== null;
  }

  clear(): void {
    this.release();
    this.draggable = new Set();
    this.select(null);
  }

  select(selection: Selection | null): void {
    if (selection?.path === this.selected?.path) return;
    this.selected = selection;
    this.litAt = -1;
    ++this.tree.changes;
    this.onSelect();
  }

  private hit(event: { clientX: number; clientY: number }): { selection: Selection; point: THREE.Vector3 } | null {
    const hit = this.tree.pick(this.stage.ray(event));
    if (!hit) return null;
    return { selection: this.tree.ownerOf(hit.object), point: hit.point };
  }

  // A click on the ground, which is no body, is a click on the background.
  private isSelectable({ path, frame }: Selection): boolean {
    return path !== "" && (this.knows?.(frame) ?? true);
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0 || this.drag) return;
    this.pressed = { x: event.clientX, y: event.clientY, time: event.timeStamp, pointer: event.pointerId };
    const takesAny = event.ctrlKey || event.metaKey;
    if (!takesAny && !this.selected) return;
    const hit = this.hit(event);
    if (!hit || !this.canDrag(hit.selection)) return;
    if (!takesAny && hit.selection.path !== this.selected?.path) return;
    const body = this.tree.group(hit.selection.path)!;
    event.stopPropagation();
    this.pressed = null;
    this.select(hit.selection);
    const view = this.stage.ray(event).ray.direction;
    this.drag = {
      selection: hit.selection, pointer: event.pointerId, point: body.worldToLocal(hit.point.clone()),
      target: hit.point.clone(), plane: new THREE.Plane().setFromNormalAndCoplanarPoint(view, hit.point),
      saidAt: -Infinity, isStale: true,
    };
  }

  private move(event: PointerEvent): void {
    const { drag } = this;
    if (!drag || drag.pointer !== event.pointerId) return;
    const target = this.stage.ray(event).ray.intersectPlane(drag.plane, new THREE.Vector3());
    if (!target) return;
    drag.target.copy(target);
    drag.isStale = true;
  }

  private lift(event: PointerEvent): void {
    if (this.drag?.pointer === event.pointerId) {
      this.tell(this.drag); // Where it was let go, which no frame may have told yet.
      return this.release();
    }
    const { pressed } = this;
    this.pressed = null;
    if (!pressed || pressed.pointer !== event.pointerId) return;
    if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > clickReach) return;
    if (event.timeStamp - pressed.time > 600) return;
    const hit = this.hit(event);
    this.select(hit && this.isSelectable(hit.selection) ? hit.selection : null);
  }

  /** Lets go of the body that is dragged. */
  release(): void {
    this.pressed = null;
    if (!this.drag) return;
    this.drag = null;
    this.rope.visible = false;
    ++this.tree.changes;
    this.send({ type: "drag" });
  }

  private center(event: MouseEvent): void {
    const hit = this.hit(event);
    if (hit) this.stage.center(hit.point);
  }

  centerSelected(): void {
    const body = this.selected && this.tree.group(this.selected.path);
    if (!body) return;
    const box = new THREE.Box3().setFromObject(body);
    this.stage.center(box.isEmpty() ? body.getWorldPosition(new THREE.Vector3()) : box.getCenter(new THREE.Vector3()));
  }

  hideSelected(): void {
    const { selected } = this;
    if (!selected) return;
    this.select(null);
    this.tree.show(selected.path, false);
    this.tree.onPaths();
  }

  // Tells the program where the body is pulled to, if it does not know.
  private tell(drag: Drag): void {
    const now = performance.now();
    if (!drag.isStale && now - drag.saidAt <= repeat) return;
    drag.isStale = false;
    drag.saidAt = now;
    this.send({ type: "drag", value: drag.selection.frame, values: [...drag.point.toArray(), ...drag.target.toArray()] });
  }

  /** Once a frame. */
  update(): void {
    if (this.selected && !this.tree.group(this.selected.path)) this.select(null);
    this.paint();
    const { drag } = this;
    if (!drag) return;
    const body = this.tree.group(drag.selection.path);
    if (!body || !this.canDrag(drag.selection)) return this.release();
    this.tell(drag);
    body.updateWorldMatrix(true, false);
    const from = body.localToWorld(drag.point.clone());
    this.line.geometry.setFromPoints([from, drag.target]);
    this.knob.position.copy(drag.target);
    this.knob.scale.setScalar(0.008 * this.stage.eye.from.distanceTo(drag.target));
    this.rope.visible = true;
    ++this.tree.changes;
  }

  // Meshes of the selected body glow; which they are may change as others come.
  private paint(): void {
    if (this.litAt === this.tree.changes) return;
    const wanted = new Set<THREE.MeshStandardMaterial>();
    const body = this.selected && this.tree.group(this.selected.path);
    body?.traverse((part) => {
      if (!(part instanceof THREE.Mesh)) return;
      for (const material of [part.material].flat()) {
        if (material instanceof THREE.MeshStandardMaterial) wanted.add(material);
      }
    });
    for (const material of this.lit) {
      if (!wanted.has(material)) material.emissive.set(0);
    }
    for (const material of wanted) material.emissive.copy(glow).multiplyScalar(0.55);
    this.lit.clear();
    for (const material of wanted) this.lit.add(material);
    this.litAt = this.tree.changes;
  }
}
