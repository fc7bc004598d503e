import type { PlanAnswer } from '@kc/rules/plan-shapes';
import type { PlanWrite } from '../../src/explore/model/plan-state.ts';
import type { ExplorerSource, PlanCalls } from '../../src/explore/model/source.ts';

const unasked = () => Promise.reject(new Error('Not asked for here'));
const noCalls = new Proxy({}, { get: () => unasked }) as never;

/** The calls that write a plan, all answered by one function. */
export const writesBy = (
  answer: (write: PlanWrite) => Promise<PlanAnswer>,
): Pick<PlanCalls, 'change' | 'undo' | 'move'> => ({
  change: (asked) => answer({ kind: 'change', ...asked } as PlanWrite),
  undo: (asked) => answer({ kind: 'undo', ...asked }),
  move: (asked) => answer({ kind: 'move', ...asked }),
});

/** A source of the explorer that is asked for nothing. A test replaces the calls that it expects. */
export const unaskedSource: ExplorerSource = {
  slice: unasked,
  fields: unasked,
  node: unasked,
  keywords: unasked,
  members: unasked,
  notInHierarchy: unasked,
  notInHierarchyKeyword: unasked,
  notInHierarchyUrl: () => '',
  search: unasked,
  exportUrl: () => '',
  rows: unasked,
  histogram: unasked,
  checkScore: unasked,
  changes: unasked,
  change: unasked,
  selectionTotals: unasked,
  points: unasked,
  density: unasked,
  listUrl: () => '',
  table: unasked,
  locate: unasked,
  views: noCalls,
  filterPresets: noCalls,
  savedScores: noCalls,
  plan: noCalls,
  warnings: noCalls,
  handover: noCalls,
};
