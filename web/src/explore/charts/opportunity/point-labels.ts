import type { Edges } from '../layout/layout.ts';

type PointPlace = { readonly x: number; readonly y: number; readonly radius: number; readonly name: string };
export type PointLabel = { readonly index: number; readonly text: string; readonly x: number; readonly y: number };

const maxLabels = 40;
/** How many of the points in view are tried, from the first one on. */
const maxTried = 400;
const maxLetters = 26;
const linePx = 15;
const gapPx = 4;
/** Height of the bands that points are sorted into, so that a label is compared with those near it only. */
const bandPx = 16;
/** The width of a letter at 12 px, rather too much. */
const letterPx = 6.7;

/**
 * Names beside points where there is room: the first points come first, and no label covers another one or a point, or
 * leaves the area.
 *
 * @param first numbers of points that come before all others
 * @param isSeen whether a point is in the plot
 * @param occupied what no label may cover
 */
export function labelPoints(
  points: readonly PointPlace[],
  area: Edges,
  first: readonly number[],
  isSeen: (i: number) => boolean = () => true,
  occupied: readonly Edges[] = [],
): PointLabel[] {
  const labels: PointLabel[] = [];
  const boxes: Edges[] = [...occupied];
  const isFree = markFinder(points, isSeen);
  const visible = [...points.keys()].filter(isSeen);
  const order = [...new Set([...first, ...visible.slice(0, maxTried)])];
  for (const i of order) {
    if (labels.length >= maxLabels) break;
    const point = points[i];
    if (!point || !isSeen(i)) continue;
    const text = point.name.length > maxLetters ? `${point.name.slice(0, maxLetters - 1)}…` : point.name;
    const box = placesFor(point, text.length * letterPx).find(
      (one) => isInside(one, area) && boxes.every((other) => !overlap(one, other)) && isFree(one, i),
    );
    if (!box) continue;
    boxes.push(box);
    labels.push({ index: i, text, x: box.x0, y: (box.y0 + box.y1) / 2 });
  }
  return labels;
}

/** @returns whether a box covers no point except one */
function markFinder(points: readonly PointPlace[], isSeen: (i: number) => boolean) {
  const bands = new Map<number, { readonly i: number; readonly box: Edges }[]>();
  const bandsOf = ({ y0, y1 }: Edges) => {
    const first = Math.floor(y0 / bandPx);
    return Array.from({ length: Math.floor(y1 / bandPx) - first + 1 }, (_, at) => first + at);
  };
  for (const [i, point] of points.entries()) {
    if (!isSeen(i)) continue;
    const box = boxOf(point);
    for (const band of bandsOf(box)) {
      const marks = bands.get(band) ?? [];
      bands.set(band, marks);
      marks.push({ i, box });
    }
  }
  return (one: Edges, except: number): boolean =>
    bandsOf(one).every((band) => (bands.get(band) ?? []).every(({ i, box }) => i === except || !overlap(one, box)));
}

/** The middle part of a point, which a label must leave visible. */
function boxOf({ x, y, radius }: PointPlace): Edges {
  const half = radius * 0.8;
  return { x0: x - half, y0: y - half, x1: x + half, y1: y + half };
}

/** To the right, to the left, above and below. */
function placesFor({ x, y, radius }: PointPlace, width: number): Edges[] {
  const beside = radius + gapPx;
  const box = (x0: number, middle: number): Edges => ({
    x0,
    y0: middle - linePx / 2,
    x1: x0 + width,
    y1: middle + linePx / 2,
  });
  const upright = radius + linePx / 2 + 1;
  return [
    box(x + beside, y),
    box(x - beside - width, y),
    box(x - width / 2, y - upright),
    box(x - width / 2, y + upright),
  ];
}

const isInside = (box: Edges, area: Edges) =>
  box.x0 >= area.x0 && box.x1 <= area.x1 && box.y0 >= area.y0 && box.y1 <= area.y1;
const overlap = (one: Edges, other: Edges) =>
  one.x0 < other.x1 && other.x0 < one.x1 && one.y0 < other.y1 && other.y0 < one.y1;
