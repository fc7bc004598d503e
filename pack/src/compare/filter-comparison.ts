import { hasMarks, readFilter } from '../filter/filter-text.ts';
import type { SearchInput } from '../find/find-names.ts';
import { eachPiece, noPause } from '../format/in-pieces.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { filterPack } from '../levels/filter-pack.ts';
import { type FilteredPack, keepRows } from '../sums/filtered-pack.ts';
import { fates } from '../sums/kept-tree.ts';
import type { Compared, MatchedPacks } from './match-packs.ts';

/**
 * Applies a filter to a comparison. It keeps the keywords that pass in `after`, and the gone ones that pass in `before`. The figures
 * of `before` cover the same keywords at their earlier places.
 *
 * Cost: that of a filter on `before`, and a pass over its nodes.
 */
export async function filterComparison(
  match: MatchedPacks,
  after: FilteredPack,
  before: PackReader,
  { find, pause = noPause }: SearchInput = {},
): Promise<Compared> {
  const filter = readFilter(after.filter);
  if (!filter) throw new RangeError(`No filter: ${after.filter}`);
  // Gone keywords are in no plan and have no warnings.
  const withoutMarks = { plan: [], planned: [], changes: [], warnings: [], seen: '' } as const;
  const branches = filter.branches.filter(({ of }) => of !== 'covered');
  const passed = await filterPack(before, { ...filter, ...withoutMarks, branches }, { find, pause });
  const keepsGone =
    !hasMarks({ ...filter, changes: [] }) && (filter.changes.length === 0 || filter.changes.includes('gone'));
  const isKeyword = await before.column('is_keyword');
  const starts = await before.column('branch');
  /** Branches that are no keywords are kept by what is in them. */
  const isOwn = (row: number) => isKeyword[row] === 1 || starts[row] === starts[row + 1];
  const isMatch = (fate: number) => fate !== fates.gone && fate !== fates.branch;
  const matches = new Uint8Array(before.metadata.nodes);
  await eachPiece(matches.length, pause, (from, end) => {
    for (let row = from; row < end; row++) {
      const now = match.after[row]!;
      const fateIfGone = keepsGone ? passed.kept.fate[row]! : fates.gone;
      const fate = now === noRow ? fateIfGone : after.kept.fate[now]!;
      matches[row] = Number(isOwn(row) && isMatch(fate));
    }
  });
  return { match, after, before: await keepRows(before, matches, after.filter, pause) };
}
