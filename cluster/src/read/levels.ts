import { levelRank } from './names.ts';
import { hasLetter, isAddress, shareOf } from './values.ts';

/** A column whose values may be groups. */
export type LevelCandidate = {
  readonly name: string;
  /** By row; −1 for an empty cell. */
  readonly codes: Int32Array;
  /** The number of different codes. */
  readonly values: number;
  /** Whether each value is only written once, above the rows that it is valid for. */
  readonly isWrittenOnce?: boolean;
};

/** If fewer rows have a value, these may all differ although they are groups. */
const minToDiffer = 10;
/** The maximum number of levels; deeper ones are not used. */
const maxLevels = 4;
/** The maximum number of columns that are compared, because each pair takes a pass over all rows. */
const maxCompared = 16;
/** A level stands above another if at least this share of the other's values occur with one of its values. */
const nestedShare = 0.98;

/**
 * The levels of a grouping that a table already has, from the top down: the columns with the name of a level. Texts that
 * repeat are not enough: devices, SERP features and ratings do so, too. A person can choose any other column.
 *
 * @returns candidates, at most {@link maxLevels}; none if the table has no grouping
 */
export function levelsAmong<Candidate extends LevelCandidate>(candidates: readonly Candidate[]): Candidate[] {
  const named = candidates.filter(({ values, name }) => values >= 2 && levelRank(name) !== undefined);
  const levels = inOrder(named.sort(byName).slice(0, maxCompared));
  // The top level must be known for most rows, or most keywords would be strays; and must not differ in each row, or each would be alone.
  const top = levels.findIndex((level) => isForMost(level) && groupsRows(level));
  return top < 0 ? [] : levels.slice(top, top + maxLevels);
}

/** Whether a level is known for at least half of the rows. */
const isForMost = ({ codes, isWrittenOnce }: LevelCandidate): boolean =>
  isWrittenOnce === true || 2 * codes.reduce((known, code) => known + Number(code >= 0), 0) >= codes.length;

/** Whether a column groups rows, which it does not if the values of nearly all rows differ. A few rows do not tell. */
function groupsRows({ codes, values, isWrittenOnce }: LevelCandidate): boolean {
  const known = codes.reduce((rows, code) => rows + Number(code >= 0), 0);
  return isWrittenOnce === true || known < minToDiffer || values <= 0.9 * known;
}

/** Whether texts may be the names of groups: words, but neither addresses nor answers such as "yes". */
export const areNames = (texts: readonly string[]): boolean =>
  texts.length === 0 ||
  (shareOf(texts, hasLetter) >= 0.5 && shareOf(texts, isAddress) < 0.8 && !texts.every((text) => answer.test(text)));

const answer = /^(?:true|false|yes|no|y|n|ja|nein|oui|non|sí|si|не?т|да)$/iu;

/** Sorts levels so that each comes after all that are above it. */
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

/** The order of levels whose values do not tell it: by the names of their columns, then by ascending number of values. */
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
