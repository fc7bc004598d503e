import { columnTitle, isTitled, type TitledColumn } from '@kc/pack/filter-words/column-titles';
import { typeWord } from '@kc/pack/filter-words/figure-name';
import { intents } from '@kc/pack/format/figures';
import type { PackReader } from '@kc/pack/format/pack-reader';
import { knownShare } from '@kc/pack/levels/known-share';
import { levelListsOf } from '@kc/pack/levels/level-lists';
import type { RowSort, ShareFigure } from '@kc/pack/levels/row-sort';
import { type ListedRows, takeListed } from '@kc/pack/levels/take-rows';
import { type MarkField, markFields } from '@kc/pack/slice/mark-fields';
import type { Slice, SliceField } from '@kc/pack/slice/slice';
import type { View } from '@kc/pack/sums/filtered-pack';
import { trendMonths } from '@kc/pack/upload/trend-text';
import type { PointLevel } from '@kc/pack/vocabulary/choices';
import { textOf, trendTitles } from './csv-columns.ts';
import type { Exported } from './export-csv.ts';
import { intentText, statusWord } from './handover/handover-columns.ts';
import type { CellKind, XlsxCell } from './xlsx/cell-xml.ts';
import { writeXlsx, type XlsxColumn } from './xlsx/write-xlsx.ts';

/** A table as a screen shows it: a flat list in its order, or listed rows, with some columns. */
export type TableRows = (
  | { readonly node: number; readonly level: PointLevel; readonly sort: RowSort }
  | { readonly rows: readonly number[] }
) & {
  /** As `list-columns` of the page names them, in their order. */
  readonly columns: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
};

/** Adds to a slice what it says of a comparison and of a plan. */
export type MarkSlice = (slice: Slice) => Promise<Slice>;

/** Rows that are read at once. */
const blockRows = 500;

/**
 * A workbook of one sheet with the rows and columns of a table. Figures are numbers with their unit's format, unknown ones
 * are empty. A trend is its twelve months, one column each.
 *
 * Memory: one block of rows, and 4 bytes per row of the list.
 */
export async function* tableWorkbook(exported: Exported, mark: MarkSlice, what: TableRows): AsyncGenerator<Uint8Array> {
  const { pack, figures, pause } = exported;
  const columns = what.columns.flatMap((id) => columnsOf(id, pack));
  const isList = 'level' in what;
  const rows = isList
    ? await levelListsOf(figures).all({ ...what, within: what.node, marks: exported.marks }, pause)
    : Uint32Array.from(what.rows);
  const options = {
    fields: fieldsIn(what.columns),
    withTrends: what.columns.includes('trend'),
    withSimilar: what.columns.includes('similar'),
  };
  const warnings = what.columns.includes('warnings') ? await exported.marks?.valuesOf('warnings', rows) : undefined;
  const ofVolume = await volumeOf(figures, isList ? what.node : 0);
  async function* blocks(): AsyncGenerator<XlsxCell[][]> {
    for (let from = 0; from < rows.length; from += blockRows) {
      const block = rows.subarray(from, from + blockRows);
      const listed = await takeListed(figures, block, options, pause);
      const page: Page = {
        listed: { ...listed, slice: await mark(listed.slice) },
        ofVolume,
        warnings: warnings?.subarray(from, from + blockRows),
      };
      yield Array.from(block, (_, at) => columns.map(({ cell }) => cell(page, at)));
    }
  }
  const sheet = { name: isList ? titleOf(what.level) : 'Table', columns, rows: blocks() };
  async function* sheets() {
    yield sheet;
  }
  yield* writeXlsx(sheets(), { modified: what.now });
}

const titleOf = (level: PointLevel): string => `${level[0]!.toUpperCase()}${level.slice(1)}`;

/** Whether a request for columns makes sense: any that a page names, each once. */
export const areColumns = (ids: readonly string[]): boolean =>
  ids.length > 0 &&
  ids.length <= 200 &&
  new Set(ids).size === ids.length &&
  ids.every((id) => isTitled(id) || id.startsWith('field:'));

/** Names of the fields of the file among columns. */
export const fieldsIn = (ids: readonly string[]): string[] =>
  ids.flatMap((id) => (id.startsWith('field:') ? [id.slice('field:'.length)] : []));

type Page = {
  readonly listed: ListedRows;
  /** Of the focus. */
  readonly ofVolume: number;
  readonly warnings: Float64Array | undefined;
};

type TableColumn = XlsxColumn & { readonly cell: (page: Page, at: number) => XlsxCell };

/** The columns of a sheet for a column of the table. */
function columnsOf(id: string, { metadata }: PackReader): TableColumn[] {
  const title = columnTitle(id);
  if (isTitled(id)) return id === 'trend' ? trendTitles(metadata).map(monthColumn) : [{ title, ...ofTable[id] }];
  const name = id.slice('field:'.length);
  const isNumber = metadata.fields.find((field) => field.name === name)?.kind === 'number';
  // The unit of a number in the file is not known, so it has no format of its own.
  return [{ title, kind: 'text', width: isNumber ? 14 : 24, cell: ({ listed }, at) => fieldCell(listed, name, at) }];
}

const monthColumn = (title: string, month: number): TableColumn => ({
  title,
  kind: 'count',
  width: 12,
  cell: ({ listed: { months } }, at) => known(months[trendMonths * at + month]),
});

/** An empty cell for what is unknown. */
const known = (value: number | undefined): number | undefined =>
  value === undefined || Number.isNaN(value) ? undefined : value;
/** Columns of 32 bits have seven significant digits. Further ones are noise. */
const rounded = (value: number | undefined): number | undefined =>
  known(value) === undefined ? undefined : Number(value!.toPrecision(6));

type Made = Omit<TableColumn, 'title'>;
const figure = (kind: CellKind, width: number, cell: (listed: ListedRows, at: number) => number | undefined): Made => ({
  kind,
  width,
  cell: ({ listed }, at) => cell(listed, at),
});
const words = (width: number, cell: (page: Page, at: number) => string | undefined): Made => ({
  kind: 'text',
  width,
  cell: (page, at) => cell(page, at) || undefined,
});

const ofTable: Readonly<Record<Exclude<TitledColumn, 'trend'>, Made>> = {
  name: words(40, ({ listed: { slice } }, at) => nameAt(slice, at)),
  cluster: words(28, ({ listed }, at) => listed.names.get(listed.cluster[at]!)),
  pillar: words(28, ({ listed }, at) => listed.names.get(listed.pillar[at]!)),
  type: words(16, ({ listed: { slice } }, at) => typeWord(slice.types[slice.type[at]!] ?? '')),
  depth: figure('count', 8, ({ slice }, at) => slice.depth[at]! + 1),
  keywords: figure('count', 12, ({ slice }, at) => slice.keywords[at]),
  volume: figure('count', 12, ({ slice }, at) => known(slice.volume[at])),
  share: {
    kind: 'percent',
    width: 16,
    cell: ({ listed: { slice }, ofVolume }, at) => (ofVolume > 0 ? known(slice.volume[at]! / ofVolume) : undefined),
  },
  difficulty: figure('decimal', 12, ({ slice }, at) => rounded(slice.difficulty[at])),
  difficulty_weighted: figure('decimal', 18, ({ difficultyWeighted }, at) => rounded(difficultyWeighted[at])),
  intent: words(36, ({ listed: { slice, intentKnown } }, at) => {
    const of = intentKnown[at]!;
    const shares = intents.map((intent, nth) => ({ intent, share: slice.intent[4 * at + nth]! / of }));
    return of === 0
      ? undefined
      : intentText({
          intents: shares.filter(({ share }) => share > 0).sort((one, other) => other.share - one.share),
        });
  }),
  cpc: figure('money', 10, ({ slice }, at) => rounded(slice.cpc[at])),
  'known:difficulty': figure('percent', 16, (listed, at) => knownOf(listed, 'difficulty', at)),
  'known:cpc': figure('percent', 12, (listed, at) => knownOf(listed, 'cpc', at)),
  'known:intent': figure('percent', 13, (listed, at) => knownOf(listed, 'intent', at)),
  change: words(12, ({ listed }, at) => changeWords[categoryAt(listed, markFields.change, at)]),
  volume_before: figure('count', 14, (listed, at) => numberAt(listed, markFields.volumeBefore, at)),
  volume_change: figure('count', 16, (listed, at) => numberAt(listed, markFields.volumeChange, at)),
  volume_percent: figure('percent', 13, (listed, at) => {
    const before = numberAt(listed, markFields.volumeBefore, at);
    return before === undefined || before === 0 ? undefined : known((listed.slice.volume[at]! - before) / before);
  }),
  similar: words(48, ({ listed: { similar } }, at) => similar[at]?.join(', ')),
  warnings: {
    kind: 'count',
    width: 11,
    cell: ({ warnings }, at) => known(warnings?.[at]),
  },
  plan: words(12, ({ listed }, at) => {
    const status = categoryAt(listed, markFields.status, at);
    return status === '' || status === 'none' ? undefined : statusWord(status as Parameters<typeof statusWord>[0]);
  }),
  covered: figure('percent', 10, (listed, at) => {
    const percent = numberAt(listed, markFields.covered, at);
    return percent === undefined ? undefined : percent / 100;
  }),
};

const changeWords: Readonly<Record<string, string>> = {
  same: 'same place',
  new: 'New',
  moved: 'Moved',
  renamed: 'Renamed',
};

const markIn = ({ slice: { fields } }: ListedRows, field: MarkField): SliceField | undefined =>
  fields.find(({ name }) => name === field);

function categoryAt(listed: ListedRows, mark: MarkField, at: number): string {
  const field = markIn(listed, mark);
  return field?.kind === 'category' ? field.values[field.value[at]!]! : '';
}

function numberAt(listed: ListedRows, mark: MarkField, at: number): number | undefined {
  const field = markIn(listed, mark);
  return field?.kind === 'number' ? known(field.value[at]) : undefined;
}

function fieldCell({ slice }: ListedRows, name: string, at: number): XlsxCell {
  const field = slice.fields.find((one) => one.name === name);
  if (!field || field.known[at] === 0) return undefined;
  return field.kind === 'number' ? known(field.value[at]) : textOf(field, at);
}

function knownOf({ slice, intentKnown, knownVolume }: ListedRows, of: ShareFigure, at: number): number | undefined {
  const count = { difficulty: slice.difficultyKnown, cpc: slice.cpcKnown, intent: intentKnown }[of as 'difficulty'];
  return known(
    knownShare({
      keywords: slice.keywords[at]!,
      volume: slice.volume[at]!,
      volumeKnown: slice.volumeKnown[at]!,
      known: count?.[at] ?? 0,
      knownVolume: knownVolume[of][at]!,
    }),
  );
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const nameAt = ({ names, nameStart }: Slice, at: number): string =>
  decoder.decode(names.subarray(nameStart[at], nameStart[at + 1]));

async function volumeOf(figures: View, node: number): Promise<number> {
  const { slice } = await takeListed(figures, Uint32Array.of(node), { fields: [], withTrends: false });
  return slice.volume[0]!;
}
