import type { AskedHandover } from '../../model/source.ts';

export type HandoverWhat = 'plan' | 'view' | 'branch';
export type HandoverPart = 'all' | 'filter' | 'selection';
export type HandoverFormat = 'xlsx' | 'csv' | 'md';

/** What is on the screen; nodes are pack rows. */
export type HandoverScene = {
  readonly focus: number;
  /** The selected branch, or the focus; 0 for the root. */
  readonly branch: number;
  /** The selected nodes; empty if there are none, or more than an address can name. */
  readonly selection: readonly number[];
  readonly filter: string;
  readonly score: string | undefined;
};

/** Nodes that an address can name. */
export const mostSelected = 500;

/** The parts that can be chosen of this. The current view is what it is. */
export function partsOf(what: HandoverWhat, scene: HandoverScene): HandoverPart[] {
  if (what === 'view') return [];
  const parts: HandoverPart[] = ['all'];
  if (scene.filter !== '') parts.push('filter');
  if (what === 'plan' && scene.selection.length > 0) parts.push('selection');
  return parts;
}

/** What the server is asked for. */
export function askedFor(what: HandoverWhat, part: HandoverPart, scene: HandoverScene): AskedHandover {
  const { focus, branch, selection, filter, score } = scene;
  const chosen = partsOf(what, scene).includes(part) ? part : 'all';
  return {
    of: what === 'plan' ? 'plan' : 'clusters',
    node: what === 'plan' ? 0 : what === 'view' ? focus : branch,
    rows: chosen === 'selection' ? selection : undefined,
    filter: what === 'view' || chosen === 'filter' ? filter : '',
    score,
  };
}
