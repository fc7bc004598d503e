import type { Visualization } from '@kc/rules/shapes';
import { sampleId } from '@kc/rules/visualization';

/** The visualization to open: the one that is named, else the active one, else the newest of one's own. */
export function chosenFrom(all: readonly Visualization[], wanted: string | undefined): Visualization | undefined {
  if (wanted === sampleId) return all.find((one) => one.isSample);
  if (wanted !== undefined) return all.find((one) => one.id === wanted);
  const own = all.filter((one) => !one.isSample);
  return own.find((one) => one.isActive) ?? own[0];
}

/** What a page that shows the usual visualization shows from now on because it came in meanwhile; else `undefined`. */
export function newerOf(
  before: readonly Visualization[] | undefined,
  now: readonly Visualization[] | undefined,
): Visualization | undefined {
  if (!before || !now) return undefined;
  const shown = chosenFrom(now, undefined);
  const isNew = shown !== undefined && !before.some(({ id }) => id === shown.id);
  return isNew && chosenFrom(before, undefined) !== undefined ? shown : undefined;
}

/** Whether a person may make it the one that opens by itself: one of their own, and not the active one already. */
export function canActivate(one: Visualization, own: readonly Visualization[]): boolean {
  return !one.isSample && !one.isActive && isOwn(one, own);
}

/** Whether it is in the list of what a person has; admins may open others too. */
export function isOwn(one: Visualization, own: readonly Visualization[]): boolean {
  return own.some(({ id }) => id === one.id);
}

/** How links name it: the sample has a name of its own on every server. */
export function linkId(visualization: Visualization): string {
  return visualization.isSample ? sampleId : visualization.id;
}
