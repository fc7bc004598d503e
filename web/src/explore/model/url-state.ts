import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import { type MatchMode, matchModes } from '@kc/pack/find/text-query';
import { scoreFieldName } from '@kc/pack/score/score-name';
import {
  type ChangeLevel,
  type ChangeName,
  changeLevels,
  changeNames,
  readThresholds,
  usualThresholds,
  writeThresholds,
} from '@kc/rules/changes';
import { type FieldKey, fieldKey, fieldName, isFieldKey, isScoreKey, type Metric } from '../tree-data/figures.ts';
import type { Camera } from './camera.ts';
import { type Axes, type ColourBy, type SizeBy, type Steps, usualAxes } from './encodings.ts';
import { readColumns, writeColumns } from './list-columns.ts';
import { sortIn, type TableLevel, tableLevels } from './list-query.ts';
import { mostPickedInLinks } from './picked.ts';

/**
 * Reads and writes the state of the explorer in the address bar.
 *
 * Only what differs from {@link defaultUrlState} is written, so the plain address is the default view. Whatever cannot
 * be read silently falls back to its default, because people type, cut and mail addresses.
 */
export const views = ['treemap', 'bubbles', 'sunburst', 'icicle', 'tree', 'opportunity', 'table'] as const;
export type View = (typeof views)[number];

/** The number of levels open below the focus; `auto` opens as many as are legible. */
export const depths = ['auto', '1', '2', '3', 'all'] as const;
export type Depth = (typeof depths)[number];

/** What every visualization can be coloured and sized by. Fields of the file are added as `field:NAME`. */
export const metrics = ['keywords', 'volume', 'difficulty', 'cpc'] as const;
export const colours = [
  'pillar',
  'depth',
  'type',
  'intent',
  'plan',
  'covered',
  'change',
  ...metrics,
] as const satisfies readonly ColourBy[];
export const sizes = [...metrics, 'equal'] as const satisfies readonly SizeBy[];
const stepKinds = ['even', 'log'] as const satisfies readonly Steps[];

/** The tabs of the right panel. `changes` exists while two uploads are compared. */
export const panels = ['details', 'plan', 'warnings', 'changes'] as const;
export type Panel = (typeof panels)[number];

/** The tab that remains when nothing is compared. */
export const panelWithoutChanges = (panel: Panel): Panel => (panel === 'changes' ? 'details' : panel);

export type UrlState = {
  /** The ID of the visualization; undefined for the active one. */
  readonly visualization: string | undefined;
  readonly view: View;
  /** The ID (16 hex digits) of the focused node; undefined for the root. */
  readonly focus: string | undefined;
  readonly selected: string | undefined;
  /** The IDs of compared nodes; in the address they follow the selected one, which may be missing. */
  readonly compared: readonly string[];
  /** The number of levels open below the focus; undefined if the settings decide. */
  readonly depth: Depth | undefined;
  /** How the score is computed: `pack/score`; undefined without one. It is known only later whether it can be read. */
  readonly score: string | undefined;
  readonly colour: ColourBy;
  /** Undefined for the default of the data: see `usualSizeOf`. */
  readonly size: SizeBy | undefined;
  /** Undefined if the values decide. */
  readonly steps: Steps | undefined;
  /** The axes of the Opportunity chart. */
  readonly x: Metric;
  readonly y: Metric;
  /** Thresholds of these axes; undefined for the medians. */
  readonly tx: number | undefined;
  readonly ty: number | undefined;
  /** Scales of these axes; undefined if the values decide. */
  readonly xs: Steps | undefined;
  readonly ys: Steps | undefined;
  readonly query: string;
  /** How the query is matched. */
  readonly match: MatchMode;
  /** The canonical text of the filter; empty if there is none. */
  readonly filter: string;
  /** Whether excluded nodes are shown faintly. */
  readonly isFaint: boolean;
  /** The ID of the upload that this one is compared with. */
  readonly vs: string | undefined;
  /** From where on a difference is a change, as `rules/changes` writes it; empty for the usual thresholds. */
  readonly thresholds: string;
  /** Whether charts show what is gone since that upload. */
  readonly showsGone: boolean;
  /** What the list of changes shows: a level, and a kind of change or all. */
  readonly changeLevel: ChangeLevel;
  readonly changeKind: ChangeName | undefined;
  /** The ID of the branch of which they are; undefined for everything. */
  readonly changesIn: string | undefined;
  /** The tab of the right panel. */
  readonly panel: Panel;
  /** What the table lists and Opportunity shows; undefined for the default of the view. */
  readonly level: TableLevel | undefined;
  /** The sort and the columns of flat lists as texts; empty for the usual ones. */
  readonly rowSort: string;
  readonly cols: string;
  /** The IDs of the picked rows of flat lists, if they are few; empty if nothing or more is picked. */
  readonly picked: readonly string[];
  /** The order and the filter of the list of the plan, see `plan-list-look`; empty for the usual ones. */
  readonly planList: string;
  readonly theme: 'light' | 'dark' | undefined;
  /** Undefined if the whole focus fits the view. */
  readonly camera: Camera | undefined;
};

export const defaultUrlState: UrlState = {
  visualization: undefined,
  view: 'treemap',
  focus: undefined,
  selected: undefined,
  compared: [],
  depth: undefined,
  score: undefined,
  colour: 'pillar',
  size: undefined,
  steps: undefined,
  ...usualAxes,
  tx: undefined,
  ty: undefined,
  xs: undefined,
  ys: undefined,
  query: '',
  match: 'all',
  filter: '',
  isFaint: false,
  vs: undefined,
  thresholds: '',
  showsGone: true,
  changeLevel: 'clusters',
  changeKind: undefined,
  changesIn: undefined,
  panel: 'details',
  level: undefined,
  rowSort: '',
  cols: '',
  picked: [],
  planList: '',
  theme: undefined,
  camera: undefined,
};

/** @param search the query string with its question mark, as in `location.search` */
export function readUrlState(search: string): UrlState {
  const given = new URLSearchParams(search);
  const chosen = (given.get('sel') ?? '').split('.');
  const score = scoreIn(given.get('score'));
  return {
    visualization: idIn(given.get('v')),
    view: oneOf(views, given.get('view')) ?? defaultUrlState.view,
    focus: addressIn(given.get('n')),
    selected: addressIn(chosen[0] ?? null),
    compared: addressesIn(chosen.slice(1), mostCompared),
    depth: oneOf(depths, given.get('d')),
    score,
    colour: colourIn(given.get('color'), score, given.get('vs')) ?? defaultUrlState.colour,
    size: oneOf(sizes, given.get('size')) ?? fieldIn(given.get('size'), score),
    steps: oneOf(stepKinds, given.get('steps')),
    ...axesIn(given.get('x'), given.get('y'), score),
    tx: numberIn(given.get('tx')),
    ty: numberIn(given.get('ty')),
    xs: oneOf(stepKinds, given.get('xs')),
    ys: oneOf(stepKinds, given.get('ys')),
    query: (given.get('q') ?? '').slice(0, maxQueryLength),
    match: oneOf(matchModes, given.get('match')) ?? defaultUrlState.match,
    filter: filterIn(given.get('f')),
    isFaint: given.get('rest') === 'faint',
    ...comparisonIn(given),
    level: oneOf(tableLevels, given.get('level')),
    rowSort: sortIn((given.get('sort') ?? '').slice(0, maxListLength)),
    cols: writeColumns(readColumns((given.get('cols') ?? '').slice(0, maxListLength))),
    picked: addressesIn((given.get('rows') ?? '').split('.'), mostPickedInLinks),
    planList: (given.get('plan') ?? '').slice(0, maxListLength),
    theme: oneOf(['light', 'dark'] as const, given.get('t')),
    camera: cameraIn(given.get('cam')),
  };
}

/** The query string with its question mark, or an empty string for the default state. */
export function writeUrlState(state: UrlState): string {
  const written = new URLSearchParams();
  const write = (name: string, value: string | undefined, usual?: string) => {
    if (value !== undefined && value !== usual) written.set(name, value);
  };
  write('v', state.visualization);
  write('view', state.view, defaultUrlState.view);
  write('n', state.focus);
  write('sel', [state.selected ?? '', ...state.compared].join('.'), '');
  write('d', state.depth);
  write('score', state.score);
  write('color', keyText(state.colour), defaultUrlState.colour);
  write('size', state.size && keyText(state.size));
  write('steps', state.steps);
  write('x', keyText(state.x), defaultUrlState.x);
  write('y', keyText(state.y), defaultUrlState.y);
  write('tx', state.tx?.toString());
  write('ty', state.ty?.toString());
  write('xs', state.xs);
  write('ys', state.ys);
  write('q', state.query, '');
  write('match', state.match, defaultUrlState.match);
  write('f', state.filter, '');
  write('rest', state.isFaint ? 'faint' : undefined);
  write('vs', state.vs);
  write('ct', state.vs && state.thresholds, '');
  write('gone', state.vs && !state.showsGone ? '0' : undefined);
  write('changes', state.vs && changesText(state), defaultUrlState.changeLevel);
  write('in', state.vs && state.changesIn);
  write('panel', state.vs ? state.panel : panelWithoutChanges(state.panel), defaultUrlState.panel);
  write('level', state.level);
  write('sort', state.rowSort, '');
  write('cols', state.cols, '');
  write('rows', state.picked.join('.'), '');
  write('plan', state.planList, '');
  write('t', state.theme);
  write('cam', state.camera && cameraText(state.camera));
  const text = written.toString();
  return text === '' ? '' : `?${text}`;
}

/**
 * Whether the change between two states should be a history entry. Looking around (camera, selection, colours, typing)
 * is not one; a change of place, view, filter or visualization is.
 */
export function isStep(from: UrlState, to: UrlState): boolean {
  return (
    from.visualization !== to.visualization ||
    from.view !== to.view ||
    from.focus !== to.focus ||
    from.vs !== to.vs ||
    from.filter !== to.filter ||
    from.level !== to.level
  );
}

const maxQueryLength = 200;
/** A saved view has to fit more than columns. */
const maxListLength = 2000;
/** As many as a table beside the chart has room for. */
export const mostCompared = 4;
const maxFieldLength = 300;
const addressPattern = /^[0-9a-f]{16}$/;

function oneOf<T extends string>(allowed: readonly T[], value: string | null): T | undefined {
  return allowed.find((a) => a === value);
}

/** What stands for the key of the score, which would repeat its formula. */
const scoreKey = 'score';
const keyText = (key: string): string => (isScoreKey(key) ? scoreKey : key);
/** A formula has at most 500 characters. */
const scorePattern = /^(?:branch|sum|mean|max)\..{1,520}$/su;

const scoreIn = (value: string | null): string | undefined =>
  value !== null && scorePattern.test(value) ? value : undefined;

/** Whether the file has the field is only known later. @param score the score of the same address */
function fieldIn(value: string | null, score: string | undefined): FieldKey | undefined {
  if (value === scoreKey) return score === undefined ? undefined : fieldKey(scoreFieldName(score));
  return value !== null &&
    isFieldKey(value) &&
    !isScoreKey(value) &&
    fieldName(value) !== '' &&
    value.length <= maxFieldLength
    ? value
    : undefined;
}

/** Without another upload, nothing has changed. */
function colourIn(value: string | null, score: string | undefined, vs: string | null): ColourBy | undefined {
  const colour = oneOf(colours, value) ?? fieldIn(value, score);
  return colour === 'change' && idIn(vs) === undefined ? undefined : colour;
}

/** Two equal metrics would draw a line. */
function axesIn(across: string | null, up: string | null, score: string | undefined): Axes {
  const metricIn = (value: string | null) => oneOf(metrics, value) ?? fieldIn(value, score);
  const axes = { x: metricIn(across) ?? usualAxes.x, y: metricIn(up) ?? usualAxes.y };
  return axes.x === axes.y ? usualAxes : axes;
}

const numberPattern = /^-?\d{1,15}(?:\.\d{1,17})?(?:e[+-]?\d{1,3})?$/;

function numberIn(value: string | null): number | undefined {
  return value !== null && numberPattern.test(value) ? Number(value) : undefined;
}

function filterIn(value: string | null): string {
  const filter = readFilter(value ?? '');
  return filter ? writeFilter({ ...filter, seen: '' }) : '';
}

/** Thresholds and the tab mean nothing without another upload. */
function comparisonIn(
  given: URLSearchParams,
): Pick<UrlState, 'vs' | 'thresholds' | 'showsGone' | 'panel' | 'changeLevel' | 'changeKind' | 'changesIn'> {
  const vs = idIn(given.get('vs'));
  const { thresholds, showsGone, changeLevel, changeKind, changesIn } = defaultUrlState;
  const panel = oneOf(panels, given.get('panel')) ?? defaultUrlState.panel;
  if (vs === undefined)
    return { vs, thresholds, showsGone, changeLevel, changeKind, changesIn, panel: panelWithoutChanges(panel) };
  const read = readThresholds(given.get('ct') ?? '');
  const text = read ? writeThresholds(read) : '';
  return {
    vs,
    thresholds: text === writeThresholds(usualThresholds) ? '' : text,
    showsGone: given.get('gone') !== '0',
    ...changesListIn(given.get('changes') ?? ''),
    changesIn: addressIn(given.get('in')),
    panel,
  };
}

/** "keywords", "clusters.new" */
const changesText = ({ changeLevel, changeKind }: Pick<UrlState, 'changeLevel' | 'changeKind'>): string =>
  changeKind === undefined ? changeLevel : `${changeLevel}.${changeKind}`;

function changesListIn(text: string): Pick<UrlState, 'changeLevel' | 'changeKind'> {
  const [level, kind] = text.split('.');
  const changeLevel = oneOf(changeLevels, level ?? null) ?? defaultUrlState.changeLevel;
  return { changeLevel, changeKind: oneOf(changeNames, kind ?? null) };
}

function idIn(value: string | null): string | undefined {
  return value !== null && value.length > 0 && value.length <= 64 ? value : undefined;
}

function addressIn(value: string | null): string | undefined {
  return value !== null && addressPattern.test(value) ? value : undefined;
}

/** Without duplicates, and no more than can be compared. */
function addressesIn(values: readonly string[], most: number): readonly string[] {
  return [...new Set(values.filter((value) => addressPattern.test(value)))].slice(0, most);
}

/** The position and the size of the view; older links lack the size. */
function cameraIn(value: string | null): Camera | undefined {
  const parts = (value ?? '').split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [x, y, k, width, height] = parts;
  if (x === undefined || y === undefined || k === undefined || !parts.every(Number.isFinite) || k <= 0)
    return undefined;
  if (parts.length === 3) return { x, y, k };
  if (width === undefined || height === undefined || width <= 0 || height <= 0 || parts.length > 5) return undefined;
  return { x, y, k, of: { width, height } };
}

/** Four decimals are a tenth of a pixel at every zoom, and short enough to mail. */
function cameraText({ x, y, k, of }: Camera): string {
  return [x, y, k, ...(of ? [of.width, of.height] : [])].map((n) => String(roundedTo4(n))).join(',');
}

export function roundedTo4(n: number): number {
  return Math.round(n * 1e4) / 1e4;
}
