import { columnTitles, type TitledColumn } from '@kc/pack/filter-words/column-titles';
import { figureName, isRate } from '@kc/pack/filter-words/figure-name';
import { type RowSort, splitAtStars, topicsOf } from '@kc/pack/levels/row-sort';
import { fieldOfTopic, stampedName } from '@kc/pack/slice/mark-fields';
import { fold } from '@kc/pack/upload/spelling';
import type { Level } from '@kc/pack/vocabulary/choices';
import type { Field } from '@kc/rules/shapes';
import { type FieldKey, fieldKey, fieldName, isFieldKey, isKnownAnywhere, isScoreKey } from '../tree-data/figures.ts';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';

/** A column that a flat list can have. The cells are in `panels/table/list-cells`. */
export type ListColumn = {
  readonly id: string;
  readonly title: string;
  /** In CSS pixels, unless changed. */
  readonly width: number;
  readonly isText: boolean;
  /** The order of a first sort by it, in words. All but that of texts begin with the largest. */
  readonly order: 'A to Z' | 'highest first' | 'furthest first' | 'most first';
  /** The key of a sort by it; undefined for a column that has no order. */
  readonly sortBy: string | undefined;
};

export type ShownColumn = ListColumn & { readonly shownWidth: number };

/** The data that the columns depend on. */
type ColumnSource = {
  readonly tree: LoadedTree;
  readonly fields: readonly Field[];
  readonly level: Level;
  /** Whether the file has monthly searches. */
  readonly hasTrends: boolean;
  /** Whether it says which nodes are similar. */
  readonly hasSimilar?: boolean;
  /** The upload that this one is compared with. */
  readonly vs: string | undefined;
  /** The state of the plan; undefined for data without one, and until it is loaded. */
  readonly planStamp: string | undefined;
};

type Definition = Omit<ListColumn, 'id' | 'title' | 'isText' | 'order' | 'sortBy'> & {
  readonly id: TitledColumn;
  readonly isText?: boolean;
  readonly order?: ListColumn['order'];
  /** The ID itself unless given. */
  readonly sortBy?: string | undefined;
  readonly isThere?: (source: ColumnSource) => boolean;
};

const isKnown =
  (figure: 'volume' | 'difficulty' | 'cpc' | 'intent') =>
  ({ tree }: ColumnSource) =>
    isKnownAnywhere(tree, figure);

const isCompared = ({ vs }: ColumnSource) => vs !== undefined;
const hasPlan = ({ planStamp }: ColumnSource) => planStamp !== undefined;

const isInCluster = ({ level }: ColumnSource) => level === 'keywords' || level === 'subtopics';

/** Every column but those of the file's fields, in the order in which they are offered. Add a column here. */
const definitions: readonly Definition[] = [
  { id: 'name', width: 240, isText: true },
  { id: 'cluster', width: 140, isText: true, isThere: isInCluster },
  { id: 'pillar', width: 140, isText: true, isThere: ({ level }) => level !== 'pillars' },
  { id: 'type', width: 104, isText: true },
  { id: 'depth', width: 76 },
  { id: 'keywords', width: 100 },
  { id: 'volume', width: 108, isThere: isKnown('volume') },
  { id: 'share', width: 132, sortBy: 'volume', isThere: isKnown('volume') },
  { id: 'trend', width: 96, sortBy: undefined, isThere: ({ hasTrends }) => hasTrends },
  { id: 'difficulty', width: 104, isThere: isKnown('difficulty') },
  { id: 'difficulty_weighted', width: 156, isThere: isKnown('difficulty') },
  { id: 'intent', width: 96, sortBy: undefined, isThere: isKnown('intent') },
  { id: 'cpc', width: 84, isThere: isKnown('cpc') },
  { id: 'known:difficulty', width: 132, isThere: isKnown('difficulty') },
  { id: 'known:cpc', width: 104, isThere: isKnown('cpc') },
  { id: 'known:intent', width: 112, isThere: isKnown('intent') },
  { id: 'change', width: 104, isText: true, isThere: isCompared },
  { id: 'volume_before', width: 124, isThere: isCompared },
  { id: 'volume_change', width: 140, isThere: isCompared },
  { id: 'volume_percent', width: 112, isThere: isCompared },
  { id: 'similar', width: 240, isText: true, sortBy: undefined, isThere: ({ hasSimilar }) => hasSimilar === true },
  { id: 'warnings', width: 108, isText: true, order: 'most first', isThere: hasPlan },
  { id: 'plan', width: 116, isText: true, order: 'furthest first', isThere: hasPlan },
  { id: 'covered', width: 92, isThere: hasPlan },
];

const defaultColumns: Readonly<Record<Level, readonly string[]>> = {
  pillars: ['name', 'keywords', 'volume', 'trend', 'difficulty', 'intent'],
  clusters: ['name', 'keywords', 'volume', 'trend', 'difficulty', 'intent'],
  subtopics: ['name', 'keywords', 'volume', 'trend', 'difficulty', 'intent'],
  keywords: ['name', 'cluster', 'volume', 'trend', 'difficulty', 'intent', 'cpc', 'field:position', 'field:URL'],
};

/** The fields that the rows of a list need for some columns and for its order, as slices name them. */
export function fieldsFor(
  columns: readonly Pick<ListColumn, 'id'>[],
  sort: RowSort,
  { vs, planStamp }: Pick<ColumnSource, 'vs' | 'planStamp'>,
): readonly string[] {
  const topics = topicsOf([...columns.map(({ id }) => ({ by: id, descending: false })), ...sort]);
  return [
    ...columns.flatMap(({ id }) => (isFieldKey(id) ? [fieldName(id)] : [])),
    ...(vs !== undefined && topics.has('change') ? [stampedName(fieldOfTopic.change, vs)] : []),
    ...(planStamp !== undefined && topics.has('plan') ? [stampedName(fieldOfTopic.plan, planStamp)] : []),
  ];
}

/** If no volume is known, as in maps of Search Console, the columns of clicks are shown instead. */
function clickColumns({ tree, fields }: ColumnSource): string[] {
  if (isKnownAnywhere(tree, 'volume')) return [];
  const names = ['clicks', 'impressions', 'ctr', 'position'];
  return names.flatMap((name) => {
    const match = fields.find((field) => (name === 'ctr' ? isRate(fieldKey(field.name)) : fold(field.name) === name));
    return match ? [fieldKey(match.name)] : [];
  });
}

const orderOf = (isText: boolean) => (isText ? 'A to Z' : 'highest first');

/** The columns that can be chosen. */
export function offeredColumns(source: ColumnSource): ListColumn[] {
  const builtIn = definitions
    .filter(({ isThere }) => isThere?.(source) ?? true)
    .map(
      (one): ListColumn => ({
        id: one.id,
        title: columnTitles[one.id],
        width: one.width,
        isText: one.isText ?? false,
        order: one.order ?? orderOf(one.isText ?? false),
        sortBy: 'sortBy' in one ? one.sortBy : one.id,
      }),
    );
  const fieldColumns = source.fields.map(({ name, kind }): ListColumn => {
    const id: FieldKey = fieldKey(name);
    const isText = kind !== 'number';
    return {
      id,
      title: figureName(id),
      width: isText ? 140 : 104,
      isText,
      order: orderOf(isText),
      sortBy: kind === 'set' ? undefined : id,
    };
  });
  return [...builtIn, ...fieldColumns];
}

/** The columns of a list: those chosen, otherwise the default ones. What the file lacks is left out; the name is first. */
export function shownColumns(source: ColumnSource, text: string): ShownColumn[] {
  const offered = new Map(offeredColumns(source).map((column) => [column.id, column]));
  // Whoever compares wants to see what changed.
  const ofChange = source.vs === undefined ? [] : ['change', 'volume_before', 'volume_change'];
  // Who ranks by a score wants to see it.
  const ofScore = source.fields.map(({ name }) => fieldKey(name)).filter(isScoreKey);
  const ownDefault = [
    ...defaultColumns[source.level].toSpliced(1, 0, ...ofScore),
    ...clickColumns(source),
    ...ofChange,
  ];
  const chosen: readonly ChosenColumn[] = text === '' ? ownDefault.map((id) => ({ id })) : readColumns(text);
  const width = chosen.find(({ id }) => id === 'name')?.width;
  const once = chosen.filter(({ id }, at) => chosen.findIndex((one) => one.id === id) === at);
  const all = [{ id: 'name', ...(width !== undefined && { width }) }, ...once.filter(({ id }) => id !== 'name')];
  return all.flatMap((one) => {
    const column = offered.get(one.id);
    return column ? [{ ...column, shownWidth: one.width ?? column.width }] : [];
  });
}

/** The text of columns, with the widths that were changed. */
const textOf = (columns: readonly ShownColumn[]): string =>
  writeColumns(columns.map(({ id, width, shownWidth }) => (shownWidth === width ? { id } : { id, width: shownWidth })));

/** Shows a column at the end, or hides it. The name stays. */
export function toggleColumn(columns: readonly ShownColumn[], column: ListColumn): string {
  const without = columns.filter(({ id }) => id !== column.id || id === 'name');
  if (without.length < columns.length || column.id === 'name') return textOf(without);
  return columns.length >= maxColumns ? textOf(columns) : textOf([...columns, { ...column, shownWidth: column.width }]);
}

/**
 * The text of columns for another score: its column replaces that of the one before. A list without chosen columns shows it by
 * itself.
 *
 * @param key of the new score; undefined for none
 * @param isAdded whether it gets a column if the one before had none
 */
export function columnsOfScore(text: string, key: FieldKey | undefined, isAdded: boolean): string {
  const columns = readColumns(text);
  if (columns.length === 0) return text;
  const replaced = columns.flatMap((column) =>
    isScoreKey(column.id) ? (key ? [{ ...column, id: key }] : []) : [column],
  );
  const isMissing = key !== undefined && !replaced.some(({ id }) => id === key);
  return writeColumns(isAdded && isMissing && replaced.length < maxColumns ? [...replaced, { id: key }] : replaced);
}

/** Moves a column to another place. Nothing moves before the name. */
export function moveColumn(columns: readonly ShownColumn[], id: string, to: number): string {
  const from = columns.findIndex((column) => column.id === id);
  if (from < 1 || to < 1 || to >= columns.length) return textOf(columns);
  return textOf(columns.toSpliced(from, 1).toSpliced(to, 0, columns[from]!));
}

export const resizeColumn = (columns: readonly ShownColumn[], id: string, px: number): string =>
  textOf(columns.map((column) => (column.id === id ? { ...column, shownWidth: withinWidths(px) } : column)));

/** A column of a flat list as chosen: its ID, and its width in pixels if it was changed. */
type ChosenColumn = { readonly id: string; readonly width?: number };

export const maxColumns = 24;
export const minColumnWidth = 48;
export const maxColumnWidth = 640;

/**
 * Writes chosen columns, such as `name.220*volume*field:Stage`: joined by `*`, the width after a dot. In the name of a
 * field `*` and `.` are doubled.
 */
export const writeColumns = (columns: readonly ChosenColumn[]): string =>
  columns
    .map(({ id, width }) => {
      const written = id.replaceAll('.', '..').replaceAll('*', '**');
      return width === undefined ? written : `${written}.${Math.round(width)}`;
    })
    .join('*');

/** The columns of a text, each once; none if it has too many. Whether they exist is not known here. */
export function readColumns(text: string): readonly ChosenColumn[] {
  if (text === '') return [];
  const columns = new Map<string, ChosenColumn>();
  for (const part of splitAtStars(text)) {
    const width = /(?<!\.)(\.+)(\d{1,4})$/u.exec(part);
    // A doubled dot is one of the name.
    const isWidth = width !== null && width[1]!.length % 2 === 1;
    const id = (isWidth ? part.slice(0, width.index) + width[1]!.slice(1) : part).replaceAll('..', '.');
    if (id === '' || columns.has(id)) continue;
    columns.set(id, isWidth ? { id, width: withinWidths(Number(width[2])) } : { id });
  }
  return columns.size > maxColumns ? [] : [...columns.values()];
}

const withinWidths = (px: number): number => Math.min(maxColumnWidth, Math.max(minColumnWidth, Math.round(px)));
