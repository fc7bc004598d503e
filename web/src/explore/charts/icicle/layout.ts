import { homeCamera } from '../../model/camera.ts';
import type { Layout, LayoutOptions } from '../layout/layout.ts';
import { createLevelCount, type Lines, Partition, ReadableLevels } from '../layout/partition.ts';

/** Widths of columns in CSS pixels: the minimum for names, and the maximum for the focus, which is a single name. */
const narrowest = 104;
const focusNarrowest = 64;
const focusWidest = 132;

/** With automatic depth, as many columns of this width, in CSS pixels, as fit. */
const autoWidth = 128;

/**
 * An icicle chart that grows to the right: one column per level, every bar beside its parent and as tall as its share
 * of it. Bars are horizontal, so a name has the width of a column; zooming makes them taller and never wider.
 *
 * Cost: see {@link Partition}.
 * Source: Kruskal and Landwehr, "Icicle Plots", The American Statistician 37(2), 1983.
 */
export function createIcicle(): Layout {
  const partition = new Partition();
  const loadedLevels = createLevelCount();
  const readable = new ReadableLevels();

  return (tree, options) => {
    const { width, height, camera, autoLevels } = options;
    const levels =
      autoLevels === undefined
        ? loadedLevels(tree, options)
        : readable.of(tree, options, fittingColumns(width), (count) =>
            linesOf({ ...options, camera: homeCamera }, columnEdges(count, width)),
          );
    const edges = columnEdges(levels, width);
    const { marks, from, to } = partition.divide(tree, options, linesOf(options, edges));
    for (let mark = 0; mark < marks.count; mark++) {
      const level = marks.level[mark]!;
      marks.x0[mark] = edges[level]! - camera.x;
      marks.x1[mark] = edges[level + 1]! - camera.x;
      marks.y0[mark] = (from[mark]! * height - camera.y) * camera.k;
      marks.y1[mark] = (to[mark]! * height - camera.y) * camera.k;
    }
    return marks.marks({ form: 'bars' }, { width: edges.at(-1)!, height }, 'upright');
  };
}

const fittingColumns = (width: number) => Math.max(1, Math.floor((width - firstWidth(width)) / autoWidth));

function linesOf({ width, height, camera }: LayoutOptions, edges: readonly number[]): Lines {
  return {
    lastLevel: edges.findLastIndex((left, i) => i < edges.length - 1 && left - camera.x < width),
    lengthOf: () => height * camera.k,
    lengthAtOne: () => height,
    breadthOf: (level) => edges[level + 1]! - edges[level]!,
    windows: [[camera.y / height, (camera.y + height / camera.k) / height]],
  };
}

const firstWidth = (width: number) => Math.min(focusWidest, Math.max(focusNarrowest, width * 0.17));

/**
 * Left edges of the columns and the right edge of the last one: they fill the view, or are as narrow as is readable.
 */
function columnEdges(levels: number, width: number): number[] {
  if (levels === 0) return [0, width];
  const first = firstWidth(width);
  const each = Math.max(narrowest, (width - first) / levels);
  return [0, ...Array.from({ length: levels + 1 }, (_, i) => first + i * each)];
}
