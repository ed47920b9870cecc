"""The mesh of a bar, for oracles and benchmarks of deformable bodies."""

import itertools

SIZE = (0.4, 0.2, 0.2)  # [m]


def write_mesh(path, parts=(4, 2, 2)):
    grid = [range(n + 1) for n in parts]
    points = list(itertools.product(*grid))
    number = {p: i for i, p in enumerate(points)}
    cells = []
    for corner in itertools.product(*[range(n) for n in parts]):
        for order in itertools.permutations(range(3)):
            at, cell = list(corner), [number[corner]]
            for axis in order:
                at[axis] += 1
                cell.append(number[tuple(at)])
            if order in ((0, 2, 1), (1, 0, 2), (2, 1, 0)):
                cell[1], cell[2] = cell[2], cell[1]
            cells.append(cell)
    with open(path, "w") as file:
        print("# vtk DataFile Version 3.0\nbar\nASCII\n"
              "DATASET UNSTRUCTURED_GRID", file=file)
        print(f"POINTS {len(points)} double", file=file)
        for p in points:
            print(*(p[k] * SIZE[k] / parts[k] - SIZE[k] / 2
                    for k in range(3)), file=file)
        print(f"CELLS {len(cells)} {5 * len(cells)}", file=file)
        for cell in cells:
            print(4, *cell, file=file)
        print(f"CELL_TYPES {len(cells)}", file=file)
        print("10\n" * len(cells), file=file)
