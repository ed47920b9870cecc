// The lines along which chosen points have moved, as far as the page saw it.
import * as THREE from "three";
import type { SceneTree } from "./scene_tree";

const maxPoints = 4000;
const colors = [0x0f8b8d, 0xd9632b, 0x6a5acd, 0x2e8b57, 0xc2255c, 0xb8860b];

interface Trail {
  line: THREE.Line<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  places: THREE.BufferAttribute;
  count: number;
  last: THREE.Vector3;
}

export class Trails {
  readonly root = new THREE.Group();
  private readonly trails = new Map<string, Trail>();
  private numMade = 0;

  constructor(private readonly tree: SceneTree) {}

  has(path: string): boolean {
    return this.trails.has(path);
  }

  paths(): string[] {
    return [...this.trails.keys()];
  }

  length(path: string): number {
    return this.trails.get(path)?.count ?? 0;
  }

  clear(): void {
    for (const path of this.paths()) this.set(path, false);
  }

  set(path: string, isOn: boolean): void {
    ++this.tree.changes;
    const trail = this.trails.get(path);
    if (isOn === !!trail) return;
    if (trail) {
      trail.line.geometry.dispose();
      trail.line.material.dispose();
      trail.line.removeFromParent();
      this.trails.delete(path);
      return;
    }
    const geometry = new THREE.BufferGeometry();
    const places = new THREE.BufferAttribute(new Float32Array(3 * maxPoints), 3);
    geometry.setAttribute("position", places);
    geometry.setDrawRange(0, 0);
    const material = new THREE.LineBasicMaterial({ color: colors[this.numMade++ % colors.length]! });
    const line = new THREE.Line(geometry, material);
    line.frustumCulled = false;
    this.root.add(line);
    this.trails.set(path, { line, places, count: 0, last: new THREE.Vector3(NaN) });
  }

  /** Once a frame. */
  update(): void {
    for (const [path, trail] of this.trails) {
      const group = this.tree.group(path);
      if (!group) continue;
      const now = group.getWorldPosition(new THREE.Vector3());
      if (trail.last.distanceTo(now) < 1e-4) continue;
      trail.last.copy(now);
      ++this.tree.changes;
      const array = trail.places.array as Float32Array;
      if (trail.count === maxPoints) {
        // The older half is forgotten.
        array.copyWithin(0, (3 * maxPoints) / 2);
        trail.count /= 2;
      }
      now.toArray(array, 3 * trail.count++);
      trail.places.needsUpdate = true;
      trail.line.geometry.setDrawRange(0, trail.count);
    }
  }
}
