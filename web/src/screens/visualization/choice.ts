import type { Visualization } from '@kc/rules/api';
import { sampleId } from '@kc/rules/visualization';

/** The visualization to open: the one that is named, else the active one, else the newest of one's own. */
export function chosenFrom(all: readonly Visualization[], wanted: string | undefined): Visualization | undefined {
  if (wanted === sampleId) return all.find((one) => one.isSample);
  if (wanted !== undefined) return all.find((one) => one.id === wanted);
  const own = all.filter((one) => !one.isSample);
  return own.find((one) => one.isActive) ?? own[0];
}

/** How links name it: the sample has a name of its own on every server. */
export function linkId(visualization: Visualization): string {
  return visualization.isSample ? sampleId : visualization.id;
}
