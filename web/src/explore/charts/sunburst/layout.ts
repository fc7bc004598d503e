import { homeCamera } from '../../model/camera.ts';
import { type Layout, type LayoutOptions, turnOf } from '../layout/layout.ts';
import { createLevelCount, type Lines, Partition, ReadableLevels } from '../layout/partition.ts';

/** Margin around the outermost ring at zoom 1, in CSS pixels. */
const margin = 10;
/** Radius of the disc in the centre: a share of the whole, within limits in CSS pixels. */
const centreShare = 0.24;
const minCentrePx = 34;
const maxCentrePx = 96;
/** Minimum width of a ring, in CSS pixels; deeper levels appear after zooming or diving. */
const narrowestRing = 26;
/** With automatic depth, as many rings of this width, in CSS pixels, as fit, because names are radial. */
const autoRing = 66;
/**
 * For small letters, in CSS pixels: the height of a line, the approximate width of one byte, and the padding at both
 * ends.
 */
const [lineHeight, bytePx, namePadding] = [15, 6, 10];
/** From this zoom on there are more rings than those that fit at zoom 1. */
const beyondZoom = 2;

/**
 * A sunburst: the focus is a disc, each level a ring around the previous one, every arc as long as its share of its
 * parent's. It begins at the top and runs clockwise.
 *
 * Cost: see {@link Partition}.
 * Source: Stasko and Zhang, "Focus+Context Display and Navigation Techniques for Enhancing Radial, Space-Filling
 * Hierarchy Visualizations", InfoVis 2000.
 */
export function createSunburst(): Layout {
  const partition = new Partition();
  const loadedLevels = createLevelCount();
  const readable = new ReadableLevels();
  return (tree, options) => {
    const { width, height, autoLevels } = options;
    const atOne = { ...options, camera: homeCamera };
    const levels =
      autoLevels === undefined
        ? loadedLevels(tree, options)
        : readable.of(tree, options, fittingRings(wholeRadius(options), autoRing), (count) =>
            linesOf(atOne, ringRadii(count, atOne), ringRadii(count, atOne)),
          );
    const radii = ringRadii(levels, options);
    const { marks, from, to } = partition.divide(tree, options, linesOf(options, radii, ringRadii(levels, atOne)));
    const { x, y } = centreOf(options);
    for (let mark = 0; mark < marks.count; mark++) {
      const level = marks.level[mark]!;
      const box = boxAround(from[mark]!, to[mark]!, radii[level]!, radii[level + 1]!);
      marks.x0[mark] = x + box.x0;
      marks.y0[mark] = y + box.y0;
      marks.x1[mark] = x + box.x1;
      marks.y1[mark] = y + box.y1;
    }
    return marks.marks({ form: 'arcs', arcs: { x, y, from, to, radii } }, { width, height });
  };
}

const centreOf = ({ width, height, camera }: LayoutOptions) => ({
  x: (width / 2 - camera.x) * camera.k,
  y: (height / 2 - camera.y) * camera.k,
});

/** @param atOne the radii at zoom 1, of at least as many rings as can be shown there */
function linesOf(options: LayoutOptions, radii: readonly number[], atOne: readonly number[]): Lines {
  const { width, height, camera } = options;
  const { x, y } = centreOf(options);
  const furthest = Math.hypot(Math.max(x, width - x), Math.max(y, height - y));
  const around = (edges: readonly number[], level: number) => Math.PI * (edges[level]! + edges[level + 1]!);
  return {
    lastLevel: radii.findLastIndex((radius, i) => i < radii.length - 1 && radius < furthest),
    lengthOf: (level) => around(radii, level),
    // Rings that appear only above some zoom are measured at that zoom.
    lengthAtOne: (level) => (level + 1 < atOne.length ? around(atOne, level) : around(radii, level) / camera.k),
    breadthOf: (level) => radii[level + 1]! - radii[level]!,
    namedLength: (nameBytes, level) => {
      const isAtOne = level + 1 < atOne.length;
      const breadth = isAtOne ? atOne[level + 1]! - atOne[level]! : (radii[level + 1]! - radii[level]!) / camera.k;
      // In two lines where one is too short, if that helps.
      const isTwoLined =
        nameBytes * bytePx > breadth - namePadding && nameBytes * bytePx <= 2 * (breadth - namePadding);
      return isTwoLined ? 2 * lineHeight + 2 : lineHeight + 2;
    },
    hasRoomFor: (nameBytes, length, level) => hasRoomFor(nameBytes, length, radii[level + 1]! - radii[level]!),
    windows: windowsAround(x, y, width, height),
  };
}

/** A name has one or two lines, along an arc or radially, often without the words that its siblings share. */
function hasRoomFor(nameBytes: number, length: number, breadth: number): boolean {
  const lines = Math.min(length, breadth) >= 2 * lineHeight ? 2 : 1;
  return nameBytes * bytePx <= lines * (Math.max(length, breadth) - namePadding);
}

const wholeRadius = ({ width, height }: LayoutOptions) => Math.max(0, Math.min(width, height) / 2 - margin);
const centreRadius = (whole: number) => Math.min(maxCentrePx, Math.max(minCentrePx, whole * centreShare));
const fittingRings = (whole: number, narrowest: number) =>
  Math.max(1, Math.floor((whole - centreRadius(whole)) / narrowest));

/** Edges of the disc and of the rings, in CSS pixels at the camera's zoom. */
function ringRadii(levels: number, options: LayoutOptions): number[] {
  const { k } = options.camera;
  const whole = wholeRadius(options);
  if (levels === 0) return [0, whole * 0.6 * k];
  const centre = centreRadius(whole);
  const fitting = Math.min(levels, fittingRings(whole, narrowestRing));
  const ring = (whole - centre) / fitting;
  const shown = k >= beyondZoom ? levels : fitting;
  return [0, ...Array.from({ length: shown + 1 }, (_, i) => (centre + i * ring) * k)];
}

/** The part of a turn that a viewport covers, seen from a centre; two parts if it crosses the top. */
function windowsAround(x: number, y: number, width: number, height: number): readonly (readonly [number, number])[] {
  if (x >= 0 && y >= 0 && x <= width && y <= height) return [[0, 1]];
  const middle = turnOf(width / 2 - x, height / 2 - y);
  const offsets = [
    [-x, -y],
    [width - x, -y],
    [-x, height - y],
    [width - x, height - y],
  ].map(([dx, dy]) => ((turnOf(dx!, dy!) - middle + 1.5) % 1) - 0.5);
  const start = (middle + Math.min(...offsets) + 1) % 1;
  const end = start + Math.max(...offsets) - Math.min(...offsets);
  return end > 1
    ? [
        [0, end - 1],
        [start, 1],
      ]
    : [[start, end]];
}

/** The bounding box of a part of a ring, relative to the centre. */
function boxAround(from: number, to: number, inner: number, outer: number) {
  const box = {
    x0: Number.POSITIVE_INFINITY,
    y0: Number.POSITIVE_INFINITY,
    x1: -Number.MAX_VALUE,
    y1: -Number.MAX_VALUE,
  };
  const include = (turn: number, radius: number) => {
    const [px, py] = [Math.sin(turn * 2 * Math.PI) * radius, -Math.cos(turn * 2 * Math.PI) * radius];
    box.x0 = Math.min(box.x0, px);
    box.y0 = Math.min(box.y0, py);
    box.x1 = Math.max(box.x1, px);
    box.y1 = Math.max(box.y1, py);
  };
  for (const turn of [from, to]) {
    include(turn, inner);
    include(turn, outer);
  }
  for (let quarter = Math.ceil(from * 4); quarter <= to * 4; quarter++) include(quarter / 4, outer);
  return box;
}
