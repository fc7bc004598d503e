import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import { readSort, writeSort } from '@kc/pack/levels/row-sort';
import { scoreFieldName } from '@kc/pack/score/score-name';
import { type FieldKey, fieldKey, isScoreKey, type Metric } from '../tree-data/figures.ts';
import { type Axes, defaultAxes, type ScoreUse } from './encodings.ts';
import type { ExplorerState } from './explorer-state.ts';
import { columnsOfScore } from './list-columns.ts';
import { sortBy } from './list-query.ts';
import type { Parts } from './parts.ts';
import { defaultUrlState } from './url-state.ts';

/** The key of a score among the metrics. @param text the canonical text of the score */
export const scoreKeyOf = (text: string): FieldKey => fieldKey(scoreFieldName(text));

type Look = Pick<ExplorerState, 'score' | 'colour' | 'size' | 'x' | 'y' | 'tableSort' | 'rowSort' | 'cols'>;

/** Thresholds mean nothing on an axis with another figure. */
const withoutThresholds = (before: Axes, after: Axes): Pick<Partial<ExplorerState>, 'tx' | 'ty' | 'xs' | 'ys'> => ({
  ...(before.x !== after.x && { tx: undefined, xs: undefined }),
  ...(before.y !== after.y && { ty: undefined, ys: undefined }),
});

/**
 * The state after a change of the score: whatever used the score before uses the new one, or its default without one.
 *
 * @param text the canonical text of the new score; undefined for none
 */
export function withOtherScore(
  state: Look & Pick<ExplorerState, 'defaultSize'>,
  text: string | undefined,
): Partial<ExplorerState> {
  const key = text === undefined ? undefined : scoreKeyOf(text);
  const { tableSort, colour, size } = state;
  const axis = (metric: Metric, fallback: Metric): Metric => (isScoreKey(metric) ? (key ?? fallback) : metric);
  const axes = { x: axis(state.x, defaultAxes.x), y: axis(state.y, defaultAxes.y) };
  return {
    score: text,
    colour: isScoreKey(colour) ? (key ?? defaultUrlState.colour) : colour,
    size: isScoreKey(size) ? (key ?? state.defaultSize) : size,
    ...(axes.x === axes.y ? defaultAxes : axes),
    ...withoutThresholds(state, axes.x === axes.y ? defaultAxes : axes),
    ...(tableSort && isScoreKey(tableSort.by) && { tableSort: key && { ...tableSort, by: key }, ranked: new Map() }),
    rowSort: sortByScore(state.rowSort, key),
    cols: columnsOfScore(state.cols, key, false),
  };
}

/** The state in which the score is used in some ways, and in no others. An axis is the vertical one of Opportunity. */
export function withScoreUses(
  state: Look & Pick<ExplorerState, 'defaultSize'>,
  text: string,
  uses: ReadonlySet<ScoreUse>,
): Partial<ExplorerState> {
  const key = scoreKeyOf(text);
  const cleared = withOtherScore({ ...state, score: undefined }, undefined) as Look;
  const [x, y] = [cleared.x ?? state.x, cleared.y ?? state.y];
  const isSorted = uses.has('sort');
  const sort = isSorted ? { by: key, descending: true } : withoutScore(state.tableSort);
  // The table shows the tree or a flat list, each with a sort of its own.
  const rowSort = sortByScore(state.rowSort, undefined);
  return {
    score: text,
    colour: uses.has('colour') ? key : cleared.colour,
    size: uses.has('size') ? key : cleared.size,
    ...(uses.has('axis') ? { x, y: key } : { x, y }),
    ...withoutThresholds(state, { x, y: uses.has('axis') ? key : y }),
    tableSort: sort,
    rowSort: isSorted ? sortBy(rowSort, key, true, false) : rowSort,
    cols: columnsOfScore(state.cols, key, isSorted),
    ranked: new Map(),
    ...(uses.has('colour') && !isScoreKey(state.colour) && { steps: undefined }),
  };
}

/** A sort of flat lists by another score, or by none. */
function sortByScore(text: string, key: FieldKey | undefined): string {
  const sort = readSort(text) ?? [];
  if (!sort.some(({ by }) => isScoreKey(by))) return text;
  return writeSort(
    sort.flatMap((sortKey) => (isScoreKey(sortKey.by) ? (key ? [{ ...sortKey, by: key }] : []) : [sortKey])),
  );
}

const withoutScore = (sort: ExplorerState['tableSort']): ExplorerState['tableSort'] =>
  sort && isScoreKey(sort.by) ? undefined : sort;

/** The ways in which the score is used now. */
export function usesOf({ colour, size, x, y, tableSort, rowSort }: Look): ReadonlySet<ScoreUse> {
  const uses = new Set<ScoreUse>();
  const isInLists = readSort(rowSort)?.some(({ by }) => isScoreKey(by));
  if (isInLists || (tableSort && isScoreKey(tableSort.by))) uses.add('sort');
  if (isScoreKey(colour)) uses.add('colour');
  if (isScoreKey(size)) uses.add('size');
  if (isScoreKey(x) || isScoreKey(y)) uses.add('axis');
  return uses;
}

/** A filter whose ranges of a score are those of another one; without a score it has none. */
export function filterWithScore(text: string, score: string | undefined): string {
  const filter = readFilter(text);
  if (!filter) return text;
  const isOfScore = (figure: string) => isScoreKey(figure);
  if (![...filter.ranges.map(({ of }) => of), ...filter.known].some(isOfScore)) return text;
  const key = score === undefined ? undefined : scoreKeyOf(score);
  return writeFilter({
    ...filter,
    ranges: filter.ranges.flatMap((range) => (isOfScore(range.of) ? (key ? [{ ...range, of: key }] : []) : [range])),
    known: filter.known.flatMap((of) => (isOfScore(of) ? (key ? [key] : []) : [of])),
  });
}

type ScoreParts = Pick<Parts, 'store' | 'setFilter'>;

/** Sets the score and what uses it. A filter by the score follows it. @param text the canonical text of a score */
export function applyScore(explorer: ScoreParts, text: string, uses: ReadonlySet<ScoreUse>): void {
  const { store } = explorer;
  store.setState(withScoreUses(store.getState(), text, uses));
  updateFilter(explorer, text);
}

/** Removes the score from everything that uses it. */
export function removeScore(explorer: ScoreParts): void {
  const { store } = explorer;
  store.setState(withOtherScore(store.getState(), undefined));
  updateFilter(explorer, undefined);
}

function updateFilter({ store, setFilter }: ScoreParts, score: string | undefined): void {
  const { filter, filtering } = store.getState();
  const before = filtering ?? filter;
  const after = filterWithScore(before, score);
  if (after !== before) void setFilter(after);
}

/**
 * The canonical texts of the presets, by which the name of a score is recognised: a link carries no names.
 * `pack/score/score-presets` says which files have them; a test compares both.
 */
export const presetNames: ReadonlyMap<string, string> = new Map([
  ['branch.volume*(1-difficulty/100)', 'Volume × ease'],
  ['max.trafficPotential', 'Traffic potential'],
  ['sum.max(0,volume*(ctrAt(3)-ctrAt(ifUnknown(position,100))))', 'Traffic potential'],
  ['sum.volume*cpc', 'CPC value'],
  ['sum.volume*intentWeight(0.5,0.1,1,1.5)', 'Intent weight'],
]);

/** The name of a score: that of an equal preset, otherwise "Score". @param text its canonical text */
export const scoreName = (text: string): string => presetNames.get(text) ?? 'Score';
