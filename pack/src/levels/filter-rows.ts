import type { Filter } from '../filter/filter.ts';
import { isInArea, writeFilter } from '../filter/filter-text.ts';
import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { scoreFieldName } from '../score/score-name.ts';
import { type FilteredPack, type FilterInput, filterPack, keepRows } from '../sums/filtered-pack.ts';

import type { Level } from './level.ts';
import { levelRows } from './level-rows.ts';
import { valuesOf } from './row-values.ts';
import { topicsOf } from './topics.ts';

/** The order in which areas and scores are judged. */
const order: readonly Level[] = ['keywords', 'subtopics', 'clusters', 'pillars'];

/**
 * The filtered view of a pack for any filter: first `filterPack`, then the areas and scores of each level, by the
 * figures that are left. A figure that the file lacks is unknown for every row.
 *
 * Cost: that of `filterPack`, and for each level with such a part the values of its figures, a pass over its rows and
 * one over the keywords, and the tree once more.
 */
export async function filterRows(pack: PackReader, filter: Filter, input: FilterInput = {}): Promise<FilteredPack> {
  const { pause = noPause } = input;
  const text = writeFilter(filter);
  let kept: FilteredPack | undefined;
  for (const level of order) {
    const tests = testsOf(filter, level);
    if (tests.length === 0) continue;
    kept ??= await filterPack(pack, filter, input);
    const rows = await levelRows(kept, level, 0, pause);
    const passes = new Uint8Array(pack.metadata.nodes);
    for (const row of rows) passes[row] = 1;
    for (const test of tests) {
      const isIn = await test(kept, rows, pause);
      await eachPiece(rows.length, pause, (from, end) => {
        for (let at = from; at < end; at++) if (passes[rows[at]!] === 1 && !isIn(at)) passes[rows[at]!] = 0;
      });
    }
    kept = await keepRows(pack, await keywordsIn(kept, level, passes, pause), text, pause);
  }
  return kept ?? filterPack(pack, filter, input);
}

/** Prepares a condition on rows, which are asked about by their index. */
type RowTest = (pack: FilteredPack, rows: Uint32Array, pause: Pause) => Promise<(at: number) => boolean>;

function testsOf({ areas, scores }: Filter, level: Level): RowTest[] {
  const ofAreas = areas
    .filter((area) => area.level === level)
    .map(
      (area): RowTest =>
        async (pack, rows, pause) => {
          const [x, y] = [await knownIn(pack, area.x, rows, pause), await knownIn(pack, area.y, rows, pause)];
          return (at) => !Number.isNaN(x[at]! + y[at]!) && isInArea(area, x[at]!, y[at]!);
        },
    );
  const ofScores = scores
    .filter((part) => part.level === level)
    .map(({ score, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }): RowTest => {
      return async (pack, rows, pause) => {
        const values = await knownIn(pack, `field:${scoreFieldName(score)}`, rows, pause);
        return (at) => values[at]! >= from && values[at]! <= to;
      };
    });
  return [...ofAreas, ...ofScores];
}

/** A figure that the file lacks is unknown. */
async function knownIn(pack: FilteredPack, by: string, rows: Uint32Array, pause: Pause): Promise<Float64Array> {
  try {
    return await valuesOf(pack, by, rows, pause);
  } catch (error) {
    if (error instanceof RangeError) return new Float64Array(rows.length).fill(Number.NaN);
    throw error;
  }
}

/** 1 for each kept keyword that is, or is in, a row that passes. */
async function keywordsIn(pack: FilteredPack, level: Level, passes: Uint8Array, pause: Pause): Promise<Uint8Array> {
  if (level === 'keywords') return passes;
  const { whole } = pack;
  const homeOf = level === 'pillars' ? await pillarsOf(whole, pause) : (await topicsOf(whole, level, pause)).of;
  const keywords = await levelRows(pack, 'keywords', 0, pause);
  const matches = new Uint8Array(passes.length);
  await eachPiece(keywords.length, pause, (from, end) => {
    for (let at = from; at < end; at++) {
      const home = homeOf(keywords[at]!);
      if (home !== noRow) matches[keywords[at]!] = passes[home]!;
    }
  });
  return matches;
}

/** The pillar of every node; {@link noRow} for the root. */
async function pillarsOf(whole: PackReader, pause: Pause): Promise<(row: number) => number> {
  const parent = await whole.column('parent');
  const pillar = new Uint32Array(whole.metadata.nodes).fill(noRow);
  // A row has a higher number than its parent.
  await eachPiece(pillar.length, pause, (from, end) => {
    for (let row = Math.max(1, from); row < end; row++) pillar[row] = parent[row] === 0 ? row : pillar[parent[row]!]!;
  });
  return (row) => pillar[row]!;
}
