// The tree of paths, as groups of three.js: each has a pose, maybe an object of
// its own, and properties that hold for what is below it.
import * as THREE from "three";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { Detail, Details } from "./detail";
import { bytesOf, type Color, type Item, type ObjectData, type Pose } from "./messages";
import { makeLabel, makeModel, paintModel } from "./models";

interface Properties {
  visible?: boolean;
  live?: boolean; // In no recording, so it is hidden while one plays.
  wireframe?: boolean;
  opacity?: number;
  color?: Color;
  frame?: number; // By which the program knows the body whose pose this is.
}

interface Node {
  path: string;
  group: THREE.Group;
  object: THREE.Object3D | null;
  color: Color;
  wireframe: boolean;
  properties: Properties;
  hidden: boolean; // By the person at the page.
  hasPose: boolean;
  hasMoved: boolean; // Since it had its first pose.
}

const halfSpaceSize = 40;

function floats(base64: string): Float32Array {
  return new Float32Array(bytesOf(base64).buffer);
}

// Flat shading where faces meet at an edge, smooth where they are nearly one.
function trianglesGeometry(data: Extract<ObjectData, { shape: "triangles" }>): THREE.BufferGeometry {
  const vertices = floats(data.vertices);
  const faces = new Uint32Array(bytesOf(data.faces).buffer);
  const colors = data.colors ? floats(data.colors) : null;
  const count = faces.length;
  // Corners of one vertex that have one normal are one, so that it is drawn once.
  const positions: number[] = [], normals: number[] = [], cornerColors: number[] = [];
  const corners = new Uint32Array(count);
  const made: number[][] = Array.from({ length: vertices.length / 3 }, () => []);
  const same = (corner: number) =>
    Math.abs(normals[3 * corner]! - a.x) + Math.abs(normals[3 * corner + 1]! - a.y) +
      Math.abs(normals[3 * corner + 2]! - a.z) < 1e-3;
  const faceNormals = new Float32Array(count);
  const sums: number[][] = Array.from({ length: vertices.length / 3 }, () => []);
  const a = new THREE.Vector3(), b = new THREE.Vector3(), c = new THREE.Vector3();
  for (let f = 0; f < count; f += 3) {
    a.fromArray(vertices, 3 * faces[f]!);
    b.fromArray(vertices, 3 * faces[f + 1]!).sub(a);
    c.fromArray(vertices, 3 * faces[f + 2]!).sub(a);
    b.cross(c); // Twice the area long.
    b.toArray(faceNormals, f);
    for (let k = 0; k < 3; ++k) sums[faces[f + k]!]!.push(f);
  }
  const smooth = Math.cos(Math.PI / 6);
  for (let f = 0; f < count; f += 3) {
    b.fromArray(faceNormals, f).normalize();
    for (let k = 0; k < 3; ++k) {
      const vertex = faces[f + k]!;
      a.set(0, 0, 0);
      for (const other of sums[vertex]!) {
        c.fromArray(faceNormals, other);
        if (c.dot(b) >= smooth * c.length()) a.add(c);
      }
      a.normalize();
      let corner = made[vertex]!.find(same);
      if (corner === undefined) {
        corner = positions.length / 3;
        made[vertex]!.push(corner);
        for (let i = 3 * vertex; i < 3 * vertex + 3; ++i) {
          positions.push(vertices[i]!);
          if (colors) cornerColors.push(colors[i]!);
        }
        normals.push(a.x, a.y, a.z);
      }
      corners[f + k] = corner;
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new THREE.Float32BufferAttribute(normals, 3));
  if (colors) geometry.setAttribute("color", new THREE.Float32BufferAttribute(cornerColors, 3));
  geometry.setIndex(new THREE.BufferAttribute(corners, 1));
  return geometry;
}

// The axis of three.js's round bodies is y; ours is z.
function upright(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  return geometry.rotateX(Math.PI / 2);
}

function geometryOf(data: ObjectData): THREE.BufferGeometry | null {
  switch (data.shape) {
    case "box":
      return new THREE.BoxGeometry(...data.size);
    case "cylinder":
      return upright(new THREE.CylinderGeometry(data.radius, data.radius, data.length, 48));
    case "capsule":
      return upright(new THREE.CapsuleGeometry(data.radius, data.length, 16, 48));
    case "ellipsoid":
      return upright(new THREE.SphereGeometry(1, 48, 32)).scale(...data.radii);
    case "cone": // Its tip is at the origin, and it opens towards +z.
      return upright(new THREE.ConeGeometry(1, 1, 48))
        .rotateX(Math.PI)
        .translate(0, 0, 0.5)
        .scale(data.radii[0], data.radii[1], data.height);
    case "half_space":
      return new THREE.PlaneGeometry(halfSpaceSize, halfSpaceSize);
    case "triangles":
      return trianglesGeometry(data);
    default:
      return null;
  }
}

const details = new Details();
const lastPosition = new THREE.Vector3(), lastRotation = new THREE.Quaternion();

function dispose(object: THREE.Object3D): void {
  object.traverse((part) => {
    if (part instanceof THREE.Mesh) {
      const detail: unknown = part.userData["detail"];
      if (detail instanceof Detail) details.release(detail);
      else part.geometry.dispose();
      for (const material of [part.material].flat()) {
        (material as THREE.MeshStandardMaterial).map?.dispose();
        material.dispose();
      }
    }
    if (part instanceof THREE.Sprite) {
      part.material.map?.dispose();
      part.material.dispose();
    }
  });
}

export class SceneTree {
  readonly root = new THREE.Group();
  private readonly nodes = new Map<string, Node>();
  /** Called when paths came or went. */
  onPaths: () => void = () => {};
  private isReplay = false;
  /** Counts whatever may look different afterwards. */
  changes = 0;
  size = new THREE.Vector2(1, 1); // Of the canvas, for the width of lines.
  private arrowScale = 1;

  constructor() {
    this.clear();
  }

  clear(): void {
    ++this.changes;
    for (const node of this.nodes.values()) {
      if (node.object) dispose(node.object);
    }
    this.root.clear();
    this.nodes.clear();
    this.nodes.set("", {
      path: "", group: this.root, object: null, color: [1, 1, 1, 1],
      wireframe: false, properties: {}, hidden: false, hasPose: false, hasMoved: false,
    });
    this.onPaths();
  }

  apply(item: Item): boolean {
    switch (item.type) {
      case "object":
        this.setObject(item.path, item.object, item.color, item.wireframe);
        return true;
      case "pose":
        this.setPose(item.path, item.x);
        return true;
      case "property":
        this.setProperty(item.path, item.name, item.value);
        return true;
      case "delete":
        this.delete(item.path);
        return true;
      default:
        return false;
    }
  }

  private setProperty(path: string, name: string, value: boolean | number | number[]): void {
    const properties = this.at(path).properties;
    if (name === "visible" && typeof value === "boolean") properties.visible = value;
    else if (name === "live" && typeof value === "boolean") properties.live = value;
    else if (name === "wireframe" && typeof value === "boolean") properties.wireframe = value;
    else if (name === "opacity" && typeof value === "number") properties.opacity = Math.min(Math.max(value, 0), 1);
    else if (name === "frame" && typeof value === "number") properties.frame = value;
    else if (name === "color" && Array.isArray(value) && value.length >= 3) {
      properties.color = [value[0]!, value[1]!, value[2]!, value[3] ?? 1];
    } else return;
    this.refresh(path);
  }

  setPose(path: string, x: Pose): void {
    ++this.changes;
    const node = this.at(path), { group } = node;
    lastPosition.copy(group.position);
    lastRotation.copy(group.quaternion);
    group.position.set(x[0], x[1], x[2]);
    group.quaternion.set(x[4], x[5], x[6], x[3]).normalize();
    if (node.hasPose && !node.hasMoved) {
      node.hasMoved = lastPosition.distanceTo(group.position) > 1e-4 || lastRotation.angleTo(group.quaternion) > 1e-3;
    }
    node.hasPose = true;
  }

  /** The path at or above that of `part` that has a body's pose; or that of the object itself. */
  ownerOf(part: THREE.Object3D): { path: string; frame: number | null } {
    let own: string | null = null;
    for (let above: THREE.Object3D | null = part; above; above = above.parent) {
      const path: unknown = above.userData["path"];
      if (typeof path !== "string") continue;
      own ??= path;
      const frame = this.nodes.get(path)?.properties.frame;
      if (frame !== undefined) return { path, frame };
    }
    return { path: own ?? "", frame: null };
  }

  /** The path of a body that is seen, if there is one. */
  pathOfFrame(frame: number): string | null {
    const all = [...this.nodes.values()].filter((node) => node.properties.frame === frame);
    return (all.find((node) => this.isSeen(node.path)) ?? all[0])?.path ?? null;
  }

  private isSeen(path: string): boolean {
    for (let above: THREE.Object3D | null | undefined = this.group(path); above; above = above.parent) {
      if (!above.visible) return false;
    }
    return true;
  }

  /** Shows again what the person at the page hid. */
  showAll(): void {
    for (const node of this.nodes.values()) node.hidden = false;
    this.refresh("");
    this.onPaths();
  }

  /** How long arrows are drawn, of the length that the program gave them. */
  setArrowScale(scale: number): void {
    this.arrowScale = scale;
    ++this.changes;
    for (const node of this.nodes.values()) {
      if (node.object instanceof LineSegments2 && node.object.userData["arrows"]) this.placeArrows(node.object);
    }
  }

  // A shaft, and two strokes of a head that lie across the view from the side.
  private placeArrows(lines: LineSegments2): void {
    const { start, arrows } = lines.userData["arrows"] as { start: Float32Array; arrows: Float32Array };
    const ends = new Float32Array(6 * start.length);
    const from = new THREE.Vector3(), arrow = new THREE.Vector3(), tip = new THREE.Vector3();
    const across = new THREE.Vector3(), neck = new THREE.Vector3();
    for (let i = 0, at = 0; i < start.length; i += 3) {
      from.fromArray(start, i);
      arrow.fromArray(arrows, i).multiplyScalar(this.arrowScale);
      const length = arrow.length();
      tip.copy(from).add(arrow);
      across.set(0, 0, 1);
      if (Math.abs(arrow.z) > 0.9 * length) across.set(1, 0, 0);
      across.cross(arrow).normalize().multiplyScalar(0.1 * length);
      neck.copy(tip).addScaledVector(arrow, -0.2);
      for (const begin of [from, neck.clone().add(across), neck.clone().sub(across)]) {
        begin.toArray(ends, at);
        tip.toArray(ends, at + 3);
        at += 6;
      }
    }
    lines.geometry.dispose();
    lines.geometry = new LineSegmentsGeometry();
    lines.geometry.setPositions(ends);
  }

  /** How high the ground is [m]: the highest level half space, or else 0 if nothing is lower; null if there is none. */
  ground(): number | null {
    this.root.updateWorldMatrix(true, true);
    let highest: number | null = null;
    const up = new THREE.Vector3(), at = new THREE.Vector3();
    for (const { object } of this.nodes.values()) {
      if (!(object instanceof THREE.Mesh) || !(object.geometry instanceof THREE.PlaneGeometry)) continue;
      up.setFromMatrixColumn(object.matrixWorld, 2);
      if (up.z > 0.99) highest = Math.max(highest ?? -Infinity, at.setFromMatrixPosition(object.matrixWorld).z);
    }
    if (highest !== null) return highest;
    return this.box().min.z < -0.01 ? null : 0;
  }

  group(path: string): THREE.Group | undefined {
    return this.nodes.get(path)?.group;
  }

  paths(): string[] {
    return [...this.nodes.keys()].filter((path) => path !== "").sort();
  }

  hasObject(path: string): boolean {
    return this.nodes.get(path)?.object != null;
  }

  isShown(path: string): boolean {
    const node = this.nodes.get(path);
    return !!node && !node.hidden && node.properties.visible !== false && !(this.isReplay && node.properties.live);
  }

  /** Whether a recording says where things are. */
  setReplay(isReplay: boolean): void {
    this.isReplay = isReplay;
    this.refresh("");
    this.onPaths();
  }

  /** What the person at the page wants to see, which wins. */
  show(path: string, visible: boolean): void {
    const node = this.at(path);
    node.hidden = !visible;
    if (visible) node.properties.visible = true;
    this.refresh(path);
  }

  private at(path: string): Node {
    const found = this.nodes.get(path);
    if (found) return found;
    const parent = this.at(path.slice(0, Math.max(0, path.lastIndexOf("/"))));
    const node: Node = {
      path, group: Object.assign(new THREE.Group(), { userData: { path } }), object: null, color: [1, 1, 1, 1],
      wireframe: false, properties: {}, hidden: false, hasPose: false, hasMoved: false,
    };
    parent.group.add(node.group);
    this.nodes.set(path, node);
    this.onPaths();
    return node;
  }

  private delete(path: string): void {
    ++this.changes;
    for (const [key, node] of [...this.nodes]) {
      if (key !== path && !key.startsWith(path + "/")) continue;
      if (key === "") continue;
      if (node.object) dispose(node.object);
      node.group.removeFromParent();
      this.nodes.delete(key);
    }
    this.onPaths();
  }

  private setObject(path: string, data: ObjectData, color: Color, wireframe: boolean): void {
    const node = this.at(path);
    if (node.object) {
      dispose(node.object);
      node.object.removeFromParent();
    }
    node.color = color;
    node.wireframe = wireframe;
    node.object = this.make(data, color);
    node.group.add(node.object);
    this.refresh(path);
    this.onPaths();
  }

  private make(data: ObjectData, color: Color): THREE.Object3D {
    if (data.shape === "model") return makeModel(data, () => ++this.changes);
    if (data.shape === "label") return makeLabel(data, color);
    if (data.shape === "triad") return new THREE.AxesHelper(data.length);
    if (data.shape === "segments") {
      const geometry = new LineSegmentsGeometry();
      geometry.setPositions(floats(data.ends));
      const material = new LineMaterial({ linewidth: data.width });
      material.resolution.copy(this.size);
      return new LineSegments2(geometry, material);
    }
    if (data.shape === "arrows") {
      const material = new LineMaterial({ linewidth: data.width });
      material.resolution.copy(this.size);
      const lines = new LineSegments2(new LineSegmentsGeometry(), material);
      lines.userData["arrows"] = { start: floats(data.start), arrows: floats(data.arrows) };
      this.placeArrows(lines);
      return lines;
    }
    const hasColors = data.shape === "triangles" && !!data.colors;
    const material = new THREE.MeshStandardMaterial({
      roughness: 0.55, metalness: 0.05, vertexColors: hasColors,
      side: data.shape === "triangles" || data.shape === "half_space" ? THREE.DoubleSide : THREE.FrontSide,
    });
    // Objects of the same data, as the wheels of a car, share one geometry.
    const detail = details.take(JSON.stringify(data), () => geometryOf(data)!);
    const mesh = new THREE.Mesh(detail.full, material);
    mesh.userData["detail"] = detail;
    mesh.castShadow = data.shape !== "half_space";
    mesh.receiveShadow = true;
    return mesh;
  }

  // Brings what is at and below `path` in line with the properties above it.
  private refresh(path: string): void {
    ++this.changes;
    for (const node of this.nodes.values()) {
      if (node.path !== path && path !== "" && !node.path.startsWith(path + "/")) continue;
      node.group.visible = this.isShown(node.path);
      if (!node.object) continue;
      let { color, wireframe } = node;
      let opacity = color[3];
      let isRecolored = false;
      for (let above: string | null = node.path; above !== null; ) {
        const properties: Properties | undefined = this.nodes.get(above)?.properties;
        if (properties?.color) {
          color = properties.color;
          isRecolored = true;
          opacity = color[3] ?? 1;
        }
        if (properties?.opacity !== undefined) opacity *= properties.opacity;
        if (properties?.wireframe !== undefined) wireframe = properties.wireframe;
        above = above === "" ? null : above.slice(0, above.lastIndexOf("/"));
      }
      if (node.object instanceof THREE.Group) paintModel(node.object, isRecolored ? color : null, opacity, wireframe);
      if (!(node.object instanceof THREE.Mesh)) continue;
      const material = node.object.material as THREE.MeshStandardMaterial | LineMaterial;
      if (!(material as THREE.MeshStandardMaterial).vertexColors) {
        material.color.setRGB(color[0], color[1], color[2], THREE.SRGBColorSpace);
      }
      material.wireframe = wireframe;
      material.opacity = opacity;
      const seesThrough = opacity < 1;
      if (material.transparent !== seesThrough) material.needsUpdate = true;
      material.transparent = seesThrough;
      material.depthWrite = !seesThrough;
      node.object.castShadow = node.object.castShadow && opacity > 0.3;
    }
  }

  resize(width: number, height: number): void {
    ++this.changes;
    this.size.set(width, height);
    this.root.traverse((part) => {
      if (part instanceof LineSegments2) part.material.resolution.copy(this.size);
    });
  }

  /** Draws meshes at `camera`, which sees `height` pixels from top to bottom, by
  twins whose vertices are about `tolerance` pixels apart; 0: as they are. */
  setDetail(camera: THREE.Camera, height: number, tolerance: number): void {
    const eye = camera.getWorldPosition(new THREE.Vector3());
    const center = new THREE.Vector3();
    const scale = height * camera.projectionMatrix.elements[5]! / 2;
    this.root.updateWorldMatrix(false, true);
    this.root.traverseVisible((part) => {
      const detail: unknown = part.userData["detail"];
      if (!(part instanceof THREE.Mesh) || !(detail instanceof Detail)) return;
      const distance = camera instanceof THREE.OrthographicCamera
        ? 1 : center.setFromMatrixPosition(part.matrixWorld).distanceTo(eye);
      part.geometry = detail.at(scale / Math.max(distance, 1e-6), tolerance);
    });
  }

  /** A sphere around what moves, or around everything if nothing does. Half
  spaces and arrows are left out. */
  bounds(what: "moving" | "all"): THREE.Sphere {
    const moving = [...this.nodes.values()].filter((node) => this.moves(node)).map((node) => node.group);
    const groups = what === "moving" && !this.box(moving).isEmpty() ? moving : [this.root];
    const box = this.box(groups);
    if (box.isEmpty()) return new THREE.Sphere(new THREE.Vector3(), 1);
    // The balls around meshes often reach less far than the corners of the box.
    const ball = box.getBoundingSphere(new THREE.Sphere());
    let reach = 0;
    for (const mesh of this.meshes(groups)) {
      mesh.geometry.computeBoundingSphere();
      const around = mesh.geometry.boundingSphere!.clone().applyMatrix4(mesh.matrixWorld);
      reach = Math.max(reach, around.center.distanceTo(ball.center) + around.radius);
    }
    ball.radius = Math.min(ball.radius, reach);
    return ball;
  }

  /** The frames of bodies that can move, if the program says which. */
  movable: ReadonlySet<number> | null = null;

  private moves(node: Node): boolean {
    const { frame } = node.properties;
    if (!this.isSeen(node.path)) return false;
    return frame !== undefined && this.movable ? this.movable.has(frame) : node.hasMoved;
  }

  private box(groups: THREE.Object3D[] = [this.root]): THREE.Box3 {
    const box = new THREE.Box3();
    this.root.updateWorldMatrix(true, true);
    for (const mesh of this.meshes(groups)) box.expandByObject(mesh);
    return box;
  }

  // Those that are seen, but arrows and half spaces.
  private meshes(groups: THREE.Object3D[]): THREE.Mesh[] {
    const meshes: THREE.Mesh[] = [];
    for (const group of groups) {
      group.traverseVisible((part) => {
        if (!(part instanceof THREE.Mesh) || part.geometry instanceof THREE.PlaneGeometry) return;
        if (!part.userData["arrows"]) meshes.push(part);
      });
    }
    return meshes;
  }

  /** The nearest point of a mesh that is seen, along a ray. */
  pick(ray: THREE.Raycaster): THREE.Intersection | null {
    const meshes: THREE.Mesh[] = [];
    this.root.updateWorldMatrix(true, true);
    this.root.traverseVisible((part) => {
      if (part instanceof THREE.Mesh && !(part instanceof LineSegments2)) meshes.push(part);
    });
    return ray.intersectObjects(meshes, false)[0] ?? null;
  }
}
