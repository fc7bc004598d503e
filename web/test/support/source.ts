import type { ExplorerSource } from '../../src/explore/model/source.ts';

const unasked = () => Promise.reject(new Error('Not asked for here'));
const noCalls = new Proxy({}, { get: () => unasked }) as never;

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
