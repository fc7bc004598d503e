import type { Pause } from '../format/in-pieces.ts';
import { levelRows } from '../levels/level-rows.ts';
import { boundsOf, type CoveredRows, figuresOfLeaves, figuresUnder, isShare } from './branch-figures.ts';
import { type BranchFigure, type BranchLevel, type BranchPart, branchFigures, branchLevels } from './filter.ts';
import type { FilteredPack } from './filtered-pack.ts';
import type { Numbers } from './narrow.ts';

type Asked = { readonly level: BranchLevel; readonly of: BranchFigure };

/** The conditions of a filter on clusters and pillars, and what is covered if one of them is about that. */
export type BranchConditions = { readonly parts: readonly BranchPart[]; readonly covered?: CoveredRows };

/** Reads `cluster-volume` and the like. What is covered has no distribution. */
export function branchFigureOf(text: string): Asked | undefined {
  const at = text.indexOf('-');
  const level = branchLevels.find((name) => name === text.slice(0, Math.max(0, at)));
  const of = branchFigures.find((name) => name === text.slice(at + 1));
  return level && of && of !== 'covered' ? { level, of } : undefined;
}

/**
 * A figure of each cluster or pillar that holds a kept keyword and satisfies the other conditions on its level. Shares
 * are in percent.
 *
 * @param pack under the filter that precedes the conditions on this level
 */
export async function figuresOfBranches(
  pack: FilteredPack,
  { level, of }: Asked,
  { parts, covered }: BranchConditions,
  pause: Pause,
): Promise<Float64Array> {
  const { starts } = pack.kept.branches;
  const isHeld = (row: number) =>
    starts[row] === starts[row + 1] ? pack.counts(row) : pack.kept.keywords[starts[row]!]! > 0;
  const rows = (await levelRows(pack, `${level}s`, 0, pause)).filter(isHeld);
  const isIn = new Uint8Array(rows.length).fill(1);
  for (const part of parts) {
    if (part.level !== level || part.of === of) continue;
    const { values, low, high } = await boundedFigures(pack, part, { rows, covered }, pause);
    for (let at = 0; at < rows.length; at++) isIn[at]! &= Number(values[at]! >= low) & Number(values[at]! <= high);
  }
  const { values } = await boundedFigures(
    pack,
    { level, of, from: undefined, to: undefined },
    { rows, covered },
    pause,
  );
  return Float64Array.from(values.filter((_, at) => isIn[at] === 1)).map((value) =>
    isShare(of) ? 100 * value : value,
  );
}

/** A figure of some rows, with the bounds of a condition on it. */
async function boundedFigures(
  pack: FilteredPack,
  { of, from, to }: BranchPart,
  { rows, covered }: { readonly rows: Uint32Array; readonly covered: CoveredRows },
  pause: Pause,
): Promise<{ readonly values: Numbers; readonly low: number; readonly high: number }> {
  const { starts } = pack.kept.branches;
  const ofBranches = await figuresUnder(pack.whole, pack.kept, covered, pause)(of);
  const own = await figuresOfLeaves(pack.whole, of, covered);
  const values = new (ofBranches.constructor as Float64ArrayConstructor)(rows.length);
  for (const [at, row] of rows.entries()) {
    values[at] = starts[row] === starts[row + 1] ? own(row) : ofBranches[starts[row]!]!;
  }
  const [low, high] = boundsOf(values, of, from, to);
  return { values, low, high };
}
