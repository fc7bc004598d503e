import type { AskedChange } from '@kc/rules/plan';
import type { PlanEntry, PlanFigures } from '@kc/rules/plan-shapes';
import { publishBy } from '@kc/rules/publish-by';
import type { PlanTarget } from './plan-state.ts';

/** When entries are due: all in one month, or each so many months before its next peak. */
export type DueValue =
  | { readonly kind: 'month'; readonly month: string }
  | { readonly kind: 'publish'; readonly lead: number };

/**
 * In which of the twelve months of the trends each target is searched most. Targets that are not in the plan yet, or have no
 * clear season, are left out.
 */
export function peaksOfTargets(
  targets: readonly PlanTarget[],
  entries: readonly Pick<PlanEntry, 'id' | 'node'>[],
  figures: PlanFigures['entries'],
): ReadonlyMap<PlanTarget, number> {
  const peakOf = new Map(figures.map(({ entry, peak }) => [entry, peak]));
  const idAt = new Map(entries.map(({ id, node }) => [node, id]));
  return new Map(
    targets.flatMap((target) => {
      const id = 'entry' in target ? target.entry : idAt.get(target.node);
      const peak = id === undefined ? undefined : peakOf.get(id);
      return peak === undefined ? [] : [[target, peak] as const];
    }),
  );
}

/**
 * A change of targets whose due months differ: a group for each month, and one for those that keep theirs.
 *
 * @param newest the last of the twelve months; months are as in `2026-04`
 * @param current the month of today
 */
export function dueGroups(
  targets: readonly PlanTarget[],
  wanted: AskedChange,
  peaks: ReadonlyMap<PlanTarget, number>,
  { newest, current, lead }: { readonly newest: string; readonly current: string; readonly lead: number },
): { readonly targets: readonly PlanTarget[]; readonly wanted: AskedChange }[] {
  const { due: _, ...set } = wanted.set;
  const byMonth = new Map<string, PlanTarget[]>();
  for (const target of targets) {
    const peak = peaks.get(target);
    const month = peak === undefined ? '' : publishBy(peak, newest, current, lead);
    const some = byMonth.get(month);
    if (some) some.push(target);
    else byMonth.set(month, [target]);
  }
  return [...byMonth]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([month, some]) => ({
      targets: some,
      wanted: { ...wanted, set: month === '' ? set : { ...set, due: month } },
    }));
}
