import { noFilter } from '@kc/pack/filter/filter';
import { hasCoveredCondition, readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import type { ExplorerState } from './explorer-state.ts';

/** A change of any of these may change what a filter keeps. */
export const seenFields = [
  'vs',
  'thresholds',
  'planStamp',
  'plannedStamp',
  'warningStamp',
] as const satisfies readonly (keyof ExplorerState)[];

/** The upload, the plan and the judgements that parts of a filter can be about, as they are now. */
export type Seen = Pick<ExplorerState, (typeof seenFields)[number]>;

/** Whether the text of a filter has parts about the plan, changes or warnings. */
export const mentionsMarks = (text: string): boolean =>
  /(?:^|\*)(?:plan|owner|content|tag|due|change|warn|seen|(?:cluster|pillar)-covered)-/.test(text);

/**
 * The text of a filter that also says what its parts are about. Everything that is loaded or cached by the text of a
 * filter is then loaded again when that changes.
 *
 * Parts that nothing can be said about are left out: changes without another upload, and in a draft all of them.
 */
export function withSeen(text: string, seen: Seen, isDraft = false): string {
  const filter = mentionsMarks(text) ? readFilter(text) : undefined;
  if (!filter) return text;
  const { vs, thresholds, planStamp, plannedStamp, warningStamp } = seen;
  const stamps = new URLSearchParams();
  const changes = vs === undefined || isDraft ? [] : filter.changes;
  if (vs !== undefined && changes.length > 0) {
    stamps.set('vs', vs);
    if (thresholds !== '') stamps.set('ct', thresholds);
  }
  const { plan, planned, warnings } = isDraft ? noFilter : filter;
  const branches = isDraft ? filter.branches.filter(({ of }) => of !== 'covered') : filter.branches;
  if ((plan.length > 0 || hasCoveredCondition({ branches })) && planStamp !== undefined) stamps.set('plan', planStamp);
  if (planned.length > 0 && plannedStamp !== undefined) stamps.set('planned', plannedStamp);
  if (warnings.length > 0 && warningStamp > 0) stamps.set('warnings', String(warningStamp));
  return writeFilter({ ...filter, plan, planned, changes, warnings, branches, seen: stamps.toString() });
}

/** The text as in links, which are about whatever is there when they are opened. */
export function withoutSeen(text: string): string {
  const filter = mentionsMarks(text) ? readFilter(text) : undefined;
  return filter ? writeFilter({ ...filter, seen: '' }) : text;
}
