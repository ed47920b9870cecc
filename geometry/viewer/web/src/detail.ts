// How finely a mesh is drawn. Where frames are few, a mesh that covers few pixels
// is drawn by a coarser twin: vertices that share a cell of a grid are one vertex
// in their middle, and triangles that lose a side are left out (the vertex
// clustering of Rossignac and Borrel, 1993).
import * as THREE from "three";

const grids = [4, 8, 16, 32, 64]; // Cells along a mesh's longest side.
const fewest = 400; // Triangles of a mesh that is worth it.

function countOf(geometry: THREE.BufferGeometry): number {
  return (geometry.index ?? geometry.getAttribute("position")!).count / 3;
}

/** The twin of `full` with `cells` cells along the longest side of its box. */
export function coarsen(full: THREE.BufferGeometry, cells: number): THREE.BufferGeometry {
  full.computeBoundingBox();
  const { min, max } = full.boundingBox!;
  const step = Math.max(max.x - min.x, max.y - min.y, max.z - min.z) / cells || 1;
  const position = full.getAttribute("position")!;
  const normal = full.getAttribute("normal")!;
  const cell = (value: number, least: number) => Math.floor((value - least) / step);
  const clusterOf = new Map<number, number>();
  const clusters = new Uint32Array(position.count), members: number[] = [];
  for (let i = 0; i < position.count; ++i) {
    // What faces another way stays apart, so that a thin plate keeps both sides.
    const n = [normal.getX(i), normal.getY(i), normal.getZ(i)];
    const axis = [0, 1, 2].reduce((most, k) => (Math.abs(n[k]!) > Math.abs(n[most]!) ? k : most));
    const key = ((cell(position.getX(i), min.x) * 128 + cell(position.getY(i), min.y)) * 128 +
      cell(position.getZ(i), min.z)) * 6 + 2 * axis + (n[axis]! < 0 ? 1 : 0);
    let cluster = clusterOf.get(key);
    if (cluster === undefined) {
      cluster = members.length;
      clusterOf.set(key, cluster);
      members.push(0);
    }
    clusters[i] = cluster;
    ++members[cluster]!;
  }
  const coarse = new THREE.BufferGeometry();
  for (const [name, attribute] of Object.entries(full.attributes)) {
    const size = attribute.itemSize;
    const means = new Float32Array(size * members.length);
    for (let i = 0; i < position.count; ++i) {
      const cluster = clusters[i]!;
      for (let k = 0; k < size; ++k) means[size * cluster + k]! += attribute.getComponent(i, k) / members[cluster]!;
    }
    coarse.setAttribute(name, new THREE.BufferAttribute(means, size));
  }
  coarse.normalizeNormals();
  const corners: number[] = [];
  const corner = (i: number) => clusters[full.index ? full.index.getX(i) : i]!;
  for (let i = 0; i < 3 * countOf(full); i += 3) {
    const a = corner(i), b = corner(i + 1), c = corner(i + 2);
    if (a !== b && b !== c && c !== a) corners.push(a, b, c);
  }
  coarse.setIndex(corners);
  return coarse;
}

/** A geometry and its coarser twins, which are made when they are wanted first. */
export class Detail {
  private readonly twins = new Map<number, THREE.BufferGeometry>();
  private readonly radius: number;
  uses = 0; // By Details.

  constructor(readonly full: THREE.BufferGeometry, readonly key = "") {
    full.computeBoundingSphere();
    this.radius = full.boundingSphere!.radius;
  }

  /** What to draw where a metre is `pixelsPerMetre` pixels and vertices less than
  `tolerance` pixels apart may be one; 0: the mesh as it is. */
  at(pixelsPerMetre: number, tolerance: number): THREE.BufferGeometry {
    if (tolerance === 0 || countOf(this.full) < fewest) return this.full;
    const wanted = (2 * this.radius * pixelsPerMetre) / tolerance;
    const cells = grids.find((grid) => grid >= wanted);
    if (cells === undefined) return this.full;
    let twin = this.twins.get(cells);
    if (!twin) {
      twin = coarsen(this.full, cells);
      if (countOf(twin) > 0.7 * countOf(this.full)) {
        twin.dispose();
        twin = this.full;
      }
      this.twins.set(cells, twin);
    }
    return twin;
  }

  dispose(): void {
    for (const twin of this.twins.values()) twin.dispose();
    this.full.dispose();
  }
}

/** One Detail for all that have the same data, as long as one of them lives. */
export class Details {
  private readonly made = new Map<string, Detail>();

  take(key: string, make: () => THREE.BufferGeometry): Detail {
    let detail = this.made.get(key);
    if (!detail) {
      detail = new Detail(make(), key);
      this.made.set(key, detail);
    }
    ++detail.uses;
    return detail;
  }

  release(detail: Detail): void {
    if (--detail.uses > 0) return;
    this.made.delete(detail.key);
    detail.dispose();
  }
}
