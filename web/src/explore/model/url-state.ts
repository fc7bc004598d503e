import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import { scoreFieldName } from '@kc/pack/score/score-name';
import {
  type ChangeLevel,
  type ChangeName,
  changeLevels,
  changeNames,
  defaultThresholds,
} from '@kc/pack/vocabulary/changes';
import { type MatchMode, matchModes } from '@kc/pack/vocabulary/choices';
import { readThresholds, writeThresholds } from '@kc/rules/changes';
import { type FieldKey, fieldKey, fieldName, isFieldKey, isScoreKey, type Metric } from '../tree-data/figures.ts';
import type { Camera } from './camera.ts';
import { type Axes, type ColourBy, defaultAxes, type SizeBy, type Steps } from './encodings.ts';
import { readColumns, writeColumns } from './list-columns.ts';
import { sortIn, type TableLevel, tableLevels } from './list-query.ts';
import { maxPickedInLinks } from './picked.ts';

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
  /** Undefined for the default of the data: see `defaultSizeOf`. */
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
  /** From where on a difference is a change, as `rules/changes` writes it; empty for the default thresholds. */
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
  /** The sort and the columns of flat lists as texts; empty for the default ones. */
  readonly rowSort: string;
  readonly cols: string;
  /** The IDs of the picked rows of flat lists, if they are few; empty if nothing or more is picked. */
  readonly picked: readonly string[];
  /** The order and the filter of the list of the plan, see `plan-list-look`; empty for the default ones. */
  readonly planList: string;
  readonly theme: 'light' | 'dark' | undefined;
  /** Undefined if the whole focus fits the view. */
  readonly camera: Camera | undefined;
};

/** The parameters of an address, and the values that other fields depend on. */
type AddressContext = {
  readonly get: (key: string) => string | null;
  /** The score, which the keys of colour, size and axes can stand for. */
  readonly score: string | undefined;
  /** The other upload. Without one, nothing about changes means anything. */
  readonly vs: string | undefined;
};

/** How a field is read from and written to the address. */
type UrlField<T> = {
  readonly key: string;
  /** Where the address says nothing, or nothing that can be read. It is not written. */
  readonly initial: T;
  readonly read: (text: string | null, context: AddressContext) => T | undefined;
  /** By default the value itself. Nothing is written for undefined and for an empty text. */
  readonly write?: (value: T, state: UrlState) => string | undefined;
  /** Whether a change is a step that Back undoes. */
  readonly isStep?: true;
};

const maxQueryLength = 200;
/** A saved view has to fit more than columns. */
const maxListLength = 2000;

/** Every field of the state, in the order in which the address has them. */
const fields: { readonly [Name in keyof UrlState]: UrlField<UrlState[Name]> } = {
  visualization: { key: 'v', initial: undefined, read: idIn, isStep: true },
  view: { key: 'view', initial: 'treemap', read: (text) => oneOf(views, text), isStep: true },
  focus: { key: 'n', initial: undefined, read: addressIn, isStep: true },
  selected: {
    key: 'sel',
    initial: undefined,
    read: (text) => addressIn(text?.split('.')[0]),
    write: (selected, { compared }) => [selected ?? '', ...compared].join('.'),
  },
  // Behind the selected one, which writes them.
  compared: {
    key: 'sel',
    initial: [],
    read: (text) => addressesIn(text?.split('.').slice(1), maxCompared),
    write: () => undefined,
  },
  depth: { key: 'd', initial: undefined, read: (text) => oneOf(depths, text) },
  score: { key: 'score', initial: undefined, read: scoreIn },
  colour: { key: 'color', initial: 'pillar', read: colourIn, write: keyText },
  size: {
    key: 'size',
    initial: undefined,
    read: (text, given) => oneOf(sizes, text) ?? fieldIn(text, given),
    write: (size) => size && keyText(size),
  },
  steps: { key: 'steps', initial: undefined, read: (text) => oneOf(stepKinds, text) },
  x: { key: 'x', initial: defaultAxes.x, read: (_, given) => axesIn(given).x, write: keyText },
  y: { key: 'y', initial: defaultAxes.y, read: (_, given) => axesIn(given).y, write: keyText },
  tx: { key: 'tx', initial: undefined, read: numberIn },
  ty: { key: 'ty', initial: undefined, read: numberIn },
  xs: { key: 'xs', initial: undefined, read: (text) => oneOf(stepKinds, text) },
  ys: { key: 'ys', initial: undefined, read: (text) => oneOf(stepKinds, text) },
  query: { key: 'q', initial: '', read: (text) => text?.slice(0, maxQueryLength) },
  match: { key: 'match', initial: 'all', read: (text) => oneOf(matchModes, text) },
  filter: { key: 'f', initial: '', read: filterIn, isStep: true },
  isFaint: {
    key: 'rest',
    initial: false,
    read: (text) => text === 'faint',
    write: (isFaint) => (isFaint ? 'faint' : undefined),
  },
  vs: { key: 'vs', initial: undefined, read: idIn, isStep: true },
  thresholds: {
    key: 'ct',
    initial: '',
    read: (text, { vs }) => vs && thresholdsIn(text),
    write: (thresholds, { vs }) => vs && thresholds,
  },
  showsGone: {
    key: 'gone',
    initial: true,
    read: (text, { vs }) => vs === undefined || text !== '0',
    write: (showsGone, { vs }) => (vs && !showsGone ? '0' : undefined),
  },
  changeLevel: {
    key: 'changes',
    initial: 'clusters',
    read: (text, { vs }) => (vs === undefined ? undefined : oneOf(changeLevels, text?.split('.')[0])),
    write: (level, { changeKind: kind, vs }) => vs && (kind === undefined ? level : `${level}.${kind}`),
  },
  // Behind the level, which writes it: "clusters.new".
  changeKind: {
    key: 'changes',
    initial: undefined,
    read: (text, { vs }) => (vs === undefined ? undefined : oneOf(changeNames, text?.split('.')[1])),
    write: () => undefined,
  },
  changesIn: {
    key: 'in',
    initial: undefined,
    read: (text, { vs }) => vs && addressIn(text),
    write: (place, { vs }) => vs && place,
  },
  panel: {
    key: 'panel',
    initial: 'details',
    read: (text, { vs }) => panelIn(oneOf(panels, text) ?? 'details', vs),
    write: (panel, { vs }) => panelIn(panel, vs),
  },
  level: { key: 'level', initial: undefined, read: (text) => oneOf(tableLevels, text), isStep: true },
  rowSort: { key: 'sort', initial: '', read: (text) => sortIn((text ?? '').slice(0, maxListLength)) },
  cols: { key: 'cols', initial: '', read: (text) => writeColumns(readColumns((text ?? '').slice(0, maxListLength))) },
  picked: {
    key: 'rows',
    initial: [],
    read: (text) => addressesIn(text?.split('.'), maxPickedInLinks),
    write: (picked) => picked.join('.'),
  },
  planList: { key: 'plan', initial: '', read: (text) => text?.slice(0, maxListLength) },
  theme: { key: 't', initial: undefined, read: (text) => oneOf(['light', 'dark'] as const, text) },
  camera: { key: 'cam', initial: undefined, read: cameraIn, write: (camera) => camera && cameraText(camera) },
};

type FieldName = keyof UrlState;
export const urlFields = Object.keys(fields) as readonly FieldName[];
export const isStepField = (name: FieldName): boolean => fields[name].isStep === true;

/** The fields that the explorer's state has as they are. It has rows instead of IDs, for example. */
export type PlainField = Exclude<FieldName, (typeof translatedFields)[number]>;
const translatedFields = [
  'visualization',
  'focus',
  'selected',
  'compared',
  'size',
  'filter',
  'picked',
  'camera',
] as const;
export const plainFields = urlFields.filter(
  (name): name is PlainField => !translatedFields.some((one) => one === name),
);

export const plainOf = (state: Pick<UrlState, PlainField>): Pick<UrlState, PlainField> =>
  Object.fromEntries(plainFields.map((name) => [name, state[name]])) as Pick<UrlState, PlainField>;

export const defaultUrlState = stateOf((name) => fields[name].initial);

const uploadFields = ['vs', 'thresholds', 'showsGone', 'changeLevel', 'changeKind', 'changesIn'] as const;
/** What an address says while nothing is compared with another upload. */
export const withoutUpload = Object.fromEntries(uploadFields.map((name) => [name, defaultUrlState[name]])) as Pick<
  UrlState,
  (typeof uploadFields)[number]
>;

/** @param search the query string with its question mark, as in `location.search` */
export function readUrlState(search: string): UrlState {
  const parameters = new URLSearchParams(search);
  const get = (key: string) => parameters.get(key);
  const context = { get, score: scoreIn(get('score')), vs: idIn(get('vs')) };
  return stateOf((name) => fields[name].read(get(fields[name].key), context) ?? fields[name].initial);
}

/** The query string with its question mark, or an empty string for the default state. */
export function writeUrlState(state: UrlState): string {
  const parameters = new URLSearchParams();
  for (const name of urlFields) {
    const text = textOf(name, state);
    if (text && text !== textOf(name, defaultUrlState)) parameters.set(fields[name].key, text);
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

function textOf<Name extends FieldName>(name: Name, state: UrlState): string | undefined {
  const { write = (value: UrlState[Name]) => value?.toString() }: UrlField<UrlState[Name]> = fields[name];
  return write(state[name], state);
}

function stateOf(fieldValue: (name: FieldName) => unknown): UrlState {
  return Object.fromEntries(urlFields.map((name) => [name, fieldValue(name)])) as UrlState;
}

/**
 * Whether the change between two states should be a history entry. Looking around (camera, selection, colours, typing)
 * is not one; a change of place, view, filter or visualization is.
 */
export const isStep = (from: UrlState, to: UrlState): boolean =>
  urlFields.some((name) => isStepField(name) && from[name] !== to[name]);

/** As many as a table beside the chart has room for. */
export const maxCompared = 4;
const maxFieldLength = 300;
const addressPattern = /^[0-9a-f]{16}$/;

function oneOf<T extends string>(allowed: readonly T[], value: string | null | undefined): T | undefined {
  return allowed.find((one) => one === value);
}

/** What stands for the key of the score, which would repeat its formula. */
const scoreKey = 'score';
function keyText(key: string): string {
  return isScoreKey(key) ? scoreKey : key;
}
/** A formula has at most 500 characters. */
const scorePattern = /^(?:branch|sum|mean|max)\..{1,520}$/su;

function scoreIn(value: string | null): string | undefined {
  return value !== null && scorePattern.test(value) ? value : undefined;
}

/** Whether the file has the field is only known later. */
function fieldIn(value: string | null, { score }: AddressContext): FieldKey | undefined {
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
function colourIn(value: string | null, context: AddressContext): ColourBy | undefined {
  const colour = oneOf(colours, value) ?? fieldIn(value, context);
  return colour === 'change' && context.vs === undefined ? undefined : colour;
}

/** Two equal metrics would draw a line. */
function axesIn(context: AddressContext): Axes {
  const metricIn = (value: string | null) => oneOf(metrics, value) ?? fieldIn(value, context);
  const axes = { x: metricIn(context.get('x')) ?? defaultAxes.x, y: metricIn(context.get('y')) ?? defaultAxes.y };
  return axes.x === axes.y ? defaultAxes : axes;
}

const numberPattern = /^-?\d{1,15}(?:\.\d{1,17})?(?:e[+-]?\d{1,3})?$/;

function numberIn(value: string | null): number | undefined {
  return value !== null && numberPattern.test(value) ? Number(value) : undefined;
}

function filterIn(value: string | null): string {
  const filter = readFilter(value ?? '');
  return filter ? writeFilter({ ...filter, seen: '' }) : '';
}

function thresholdsIn(value: string | null): string {
  const read = readThresholds(value ?? '');
  const text = read ? writeThresholds(read) : '';
  return text === writeThresholds(defaultThresholds) ? '' : text;
}

const panelIn = (panel: Panel, vs: string | undefined): Panel =>
  vs === undefined ? panelWithoutChanges(panel) : panel;

function idIn(value: string | null): string | undefined {
  return value !== null && value.length > 0 && value.length <= 64 ? value : undefined;
}

function addressIn(value: string | null | undefined): string | undefined {
  return value && addressPattern.test(value) ? value : undefined;
}

/** Without duplicates, and no more than can be compared. */
function addressesIn(values: readonly string[] = [], max: number): readonly string[] {
  return [...new Set(values.filter((value) => addressPattern.test(value)))].slice(0, max);
}

/** The position and the size of the view; older links lack the size. */
function cameraIn(value: string | null): Camera | undefined {
  const parts = (value ?? '').split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [x, y, k, width, height] = parts;
  if (x === undefined || y === undefined || k === undefined || !parts.every(Number.isFinite) || k <= 0)
    return undefined;
  if (parts.length === 3) return { x, y, k };
  if (width === undefined || height === undefined || width <= 0 || height <= 0 || parts.length > 5) return undefined;
  return { x, y, k, viewport: { width, height } };
}

/** Four decimals are a tenth of a pixel at every zoom, and short enough to mail. */
function cameraText({ x, y, k, viewport }: Camera): string {
  return [x, y, k, ...(viewport ? [viewport.width, viewport.height] : [])].map((n) => String(roundedTo4(n))).join(',');
}

export function roundedTo4(n: number): number {
  return Math.round(n * 1e4) / 1e4;
}
