import { levelRank, mayBeLevel } from './names.ts';
import { hasLetter, isAddress, shareOf } from './values.ts';

/** A column whose values may be groups. */
export type LevelCandidate = {
  readonly name: string;
  /** By row; −1 for an empty cell. */
  readonly codes: Int32Array;
  /** The number of different codes. */
  readonly values: number;
};

/** Deeper levels are not used. */
export const maxLevels = 4;
/** More columns are not compared, because each pair takes a look at all rows. */
const maxCompared = 16;
/** A level stands above another if at least this share of the other's values occur with one of its values. */
const nestedShare = 0.98;

/**
 * The levels of a grouping that a table already has, from the top down: columns with the name of a level, or else the
 * text columns that nest, down to the one with the most values.
 *
 * @returns candidates, at most {@link maxLevels}; none if the table has no grouping
 */
export function levelsAmong<Candidate extends LevelCandidate>(
  candidates: readonly Candidate[],
  usesUnnamed: boolean,
): Candidate[] {
  const useful = candidates.filter(({ values, codes, name }) => {
    return values >= 2 && mayBeLevel(name) && (levelRank(name) !== undefined || values <= codes.length / 2);
  });
  const named = useful.filter(({ name }) => levelRank(name) !== undefined);
  if (named.length > 0) return inOrder(named.sort(byName).slice(0, maxCompared)).slice(0, maxLevels);
  const finest = usesUnnamed && useful.reduce((one, other) => (other.values > one.values ? other : one), useful[0]!);
  if (!finest) return [];
  const others = useful.filter((one) => one !== finest).slice(0, maxCompared);
  return inOrder([...others.filter((one) => isAbove(one, finest)), finest]).slice(-maxLevels);
}

/** Whether texts may be groups: words, and not addresses. */
export const areNames = (texts: readonly string[]): boolean =>
  shareOf(texts, hasLetter) >= 0.5 && (texts.length === 0 || shareOf(texts, isAddress) < 0.8);

/** Each level after all that stand above it. */
function inOrder<Candidate extends LevelCandidate>(candidates: readonly Candidate[]): Candidate[] {
  const left = [...candidates];
  const ordered: Candidate[] = [];
  const isStrictlyAbove = new Map(
    left.map((one) => [
      one,
      new Set(left.filter((other) => other !== one && isAbove(one, other) && !isAbove(other, one))),
    ]),
  );
  const above = (one: Candidate) => left.filter((other) => isStrictlyAbove.get(other)!.has(one)).length;
  while (left.length > 0) {
    const counts = new Map(left.map((one) => [one, above(one)]));
    left.sort((one, other) => counts.get(one)! - counts.get(other)! || byName(one, other));
    ordered.push(left.shift()!);
  }
  return ordered;
}

/** Where the values do not tell: by the names of the columns, then fewer values first. Equal ones stay in file order. */
const byName = (one: LevelCandidate, other: LevelCandidate): number => {
  const [rank, otherRank] = [levelRank(one.name) ?? 100, levelRank(other.name) ?? 100];
  return rank - otherRank || one.values - other.values;
};

/** Whether nearly every value of `lower` occurs with one value of `upper` only. */
function isAbove(upper: LevelCandidate, lower: LevelCandidate): boolean {
  const upperOf = new Map<number, number>();
  for (let row = 0; row < lower.codes.length; row++) {
    const [value, over] = [lower.codes[row]!, upper.codes[row]!];
    if (value < 0 || over < 0) continue;
    const seen = upperOf.get(value);
    if (seen === undefined) upperOf.set(value, over);
    else if (seen !== over) upperOf.set(value, several);
  }
  let single = 0;
  for (const over of upperOf.values()) if (over !== several) single++;
  return upperOf.size > 0 && single >= nestedShare * upperOf.size;
}

const several = -2;
