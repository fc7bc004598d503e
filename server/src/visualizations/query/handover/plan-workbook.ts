import { placesIn } from '@kc/pack/filter/filter';
import { readFilter } from '@kc/pack/filter/filter-text';
import { partsOf } from '@kc/pack/filter-words/filter-parts';
import type { ByteSource } from '@kc/pack/format/byte-source';
import { placesAt } from '@kc/pack/format/locate';
import { namesOf } from '@kc/pack/format/names-at';
import { noRow } from '@kc/pack/format/pack-format';
import type { PackReader } from '@kc/pack/format/pack-reader';
import { clustersOf } from '@kc/pack/levels/topics';
import { peakValue } from '@kc/pack/season/own-peaks';
import { peaksOf } from '@kc/pack/season/season';
import { firstMonthValue, seasonValues } from '@kc/pack/season/season-name';
import { leadText, publishBy } from '@kc/rules/plan';
import type { XlsxCell } from '../xlsx/cell-xml.ts';
import type { XlsxSheet } from '../xlsx/write-xlsx.ts';
import {
  aboutSheetName,
  columnsFor,
  entryRow,
  firstSheetName,
  type HandoverColumn,
  type HandoverRow,
  keywordColumns,
  keywordRow,
  missingColumns,
  missingRow,
  missingSheetName,
  planColumns,
  statusWord,
} from './handover-columns.ts';
import type { Handover } from './handover-lines.ts';
import type { HandoverQuery, HandoverSource, PlannedRow, SharedNote } from './handover-query.ts';
import { keywordLines, supportingText, urlsOf } from './keyword-lines.ts';

/** The entries, the keywords of each pillar, what the upload does not have, and what all of it means. */
export async function* planSheets(
  handover: Handover,
  original: ByteSource,
  query: HandoverQuery,
): AsyncGenerator<XlsxSheet> {
  const { places, pack, missing } = handover;
  const first = firstSheetName(query.of, handover.pages);
  const pillars = pillarsOf(handover);
  const named = await namesOf(
    pack,
    pillars.map(({ pillar }) => pillar),
  );
  yield {
    name: first,
    isFixed: true,
    columns: columnsFor(planColumns, query.reader, handover),
    rows: planRows(handover, query, (pillar) => named(pillar)),
  };
  for (const { pillar, from, end } of pillars) {
    yield {
      name: named(pillar),
      columns: columnsFor(keywordColumns, query.reader, handover),
      rows: keywordRows(handover, original, query, from, end),
    };
  }
  if (missing.length > 0)
    yield { name: missingSheetName, isFixed: true, columns: missingColumns, rows: missingRows(missing) };
  yield aboutSheet(handover, query, places.length);
}

/** The pillars with entries, and the part of the places that each has. */
function pillarsOf({ places }: Handover): { pillar: number; from: number; end: number }[] {
  const pillars: { pillar: number; from: number; end: number }[] = [];
  for (const [at, { pillar }] of places.entries()) {
    const last = pillars.at(-1);
    if (last?.pillar === pillar) last.end = at + 1;
    else pillars.push({ pillar, from: at, end: at + 1 });
  }
  return pillars;
}

async function* planRows(
  handover: Handover,
  { source, reader }: HandoverQuery,
  pillarName: (pillar: number) => string,
): AsyncGenerator<XlsxCell[][]> {
  const columns = columnsFor(planColumns, reader, handover);
  for await (const lines of handover.lines()) {
    const rows: XlsxCell[][] = [];
    const season = await seasonsOf(
      handover,
      source,
      lines.map(({ place }) => place.row),
    );
    for (const line of lines) {
      const sheet = pillarName(line.place.pillar);
      const more = (count: string) => `… and ${count} more on sheet ${sheet}`;
      const supporting = await supportingText(handover, line, ', ', more);
      const link = source.link && `${source.link}&sel=${line.address}`;
      rows.push(cellsOf(columns, { ...entryRow(line, '\n'), supporting, ...season(line.place.row), open: link }));
    }
    yield rows;
  }
}

async function* keywordRows(
  handover: Handover,
  original: ByteSource,
  { source, reader }: HandoverQuery,
  from: number,
  end: number,
): AsyncGenerator<XlsxCell[][]> {
  const { pack, pause } = handover;
  const columns = columnsFor(keywordColumns, reader, handover);
  const clusters = await clustersOf(pack, pause);
  for await (const lines of handover.lines(from, end)) {
    for (const { index, primary, entry } of lines) {
      for await (const keywords of keywordLines(handover, index, primary)) {
        const rows = keywords.map(({ row }) => row);
        const clusterAt = rows.map((row) => clusters.of(row));
        const [cluster, url, season] = [
          await namesOf(
            pack,
            clusterAt.filter((row) => row !== noRow),
          ),
          await urlsOf(pack, rows, original, pause),
          await seasonsOf(handover, source, rows),
        ];
        yield keywords.map((keyword, at) =>
          cellsOf(columns, {
            ...keywordRow(keyword),
            cluster: cluster(clusterAt[at]!),
            url: url(keyword.row),
            peak: season(keyword.row)?.peak,
            status: entry && statusWord(entry.fields.status),
          }),
        );
      }
    }
  }
}

async function* missingRows(missing: readonly PlannedRow[]): AsyncGenerator<XlsxCell[][]> {
  yield missing.map((entry) => cellsOf(missingColumns, missingRow(entry)));
}

/** A month is the first day of it, in milliseconds since 1970. */
const cellsOf = (columns: readonly HandoverColumn[], row: HandoverRow): XlsxCell[] =>
  columns.map(({ id, kind }) => (kind === 'month' && row[id] ? Date.parse(`${row[id]}-01T00:00:00Z`) : row[id]));

type Season = {
  /** As on the screen: "March", "Month 8 of 12" if nobody knows which month that is, or "No clear season". */
  readonly peak: string;
  /** The month to publish in, as in `2026-04`. */
  readonly publishBy: string | undefined;
};

/** The seasons of some rows; undefined for a row whose trend is unknown. */
async function seasonsOf(
  { pack, figures, pause }: Handover,
  { newestMonth, now, lead }: HandoverSource,
  rows: readonly number[],
): Promise<(row: number) => Season | undefined> {
  const rising = Uint32Array.from(new Set(rows)).sort();
  const peaks = await peaksOf(figures, rising, pause);
  const newest = pack.metadata.trend?.newest ?? newestMonth;
  const values = seasonValues(newest);
  const current = new Date(now).toISOString().slice(0, 7);
  const found = new Map<number, Season>();
  for (const [at, row] of rising.entries()) {
    const value = peaks ? peakValue(peaks.peak[at]!, newest) : 0;
    if (value === 0) continue;
    const isDated = value >= firstMonthValue && newest !== undefined;
    const month = isDated ? publishBy(peaks!.peak[at]!, newest, current, lead) : undefined;
    found.set(row, { peak: values[value]!, publishBy: month });
  }
  return (row) => found.get(row);
}

const rollUps = {
  branch: 'from the figures of the branch',
  sum: 'the sum over its keywords',
  mean: 'the mean over its keywords',
  max: 'the highest of its keywords',
} as const;

/** Where a workbook comes from, and what its columns mean. @param entries how many it has */
function aboutSheet(handover: Handover, query: HandoverQuery, entries: number): XlsxSheet {
  return {
    name: aboutSheetName,
    isFixed: true,
    columns: [
      { title: 'About this file', kind: 'text', width: 34 },
      { title: 'Value', kind: 'wrapped', width: 100 },
    ],
    rows: rowsOf(handover, query, entries),
  };
}

async function* rowsOf(handover: Handover, query: HandoverQuery, entries: number): AsyncGenerator<XlsxCell[][]> {
  const { pack, score, keywords, missing } = handover;
  const { source, of, node, rows, filter, reader } = query;
  const isTeam = reader.who === 'team';
  const branch = node === 0 ? '' : (await namesOf(pack, [node]))(node);
  const contents = `${of === 'plan' ? 'The entries of the plan' : `All ${handover.pages}${reader.seesPlan ? ', with what is planned for them' : ''}`}${branch === '' ? '' : `, within “${branch}”`}${rows ? ', of the selection only' : ''}`;
  yield [
    ['Data', pack.metadata.rootName],
    ...sharedRows(source.shared),
    ...(isTeam ? [['Source file', source.fileName]] : []),
    ...(isTeam && source.description !== '' ? [['Description', source.description]] : []),
    ['Uploaded', { kind: 'day', value: source.uploadedAt }],
    ['This file was made', { kind: 'day', value: source.now }],
    ['Contents', contents],
    ['Filter', await filterWords(pack, filter)],
    ['Score', score ? `${formulaOf(score.text)}; of a branch: ${rollUps[score.score.rollUp]}` : 'None'],
    ...(pack.metadata.trend ? [['Publish', leadText(source.lead)]] : []),
    ['Entries', { kind: 'count', value: entries }],
    ['Keywords listed', { kind: 'count', value: keywords.total }],
    ...(isTeam ? [['Entries that are not in this upload', { kind: 'count', value: missing.length } as const]] : []),
    ['Empty cell', 'Unknown. It is never 0.'],
    ...(source.link === undefined ? [] : [['Opens', { kind: 'link', value: source.link } as const]]),
  ];
  yield explained(firstSheetName(of, handover.pages), columnsFor(planColumns, reader, handover));
  yield explained('Sheet of a pillar', columnsFor(keywordColumns, reader, handover));
  if (missing.length > 0) yield explained(missingSheetName, missingColumns);
}

function sharedRows(shared: SharedNote | undefined): XlsxCell[][] {
  if (!shared) return [];
  return [
    ['Shared with', shared.with],
    ...(shared.by === '' ? [] : [['Shared by', shared.by]]),
    ['Shared until', { kind: 'day', value: shared.until }],
  ];
}

/** The conditions of a filter as the chips of the page say them. */
async function filterWords(pack: PackReader, text: string): Promise<string> {
  const filter = readFilter(text);
  if (!filter || text === '') return 'None';
  const places = await placesAt(pack, placesIn(filter));
  const names = await namesOf(pack, [...places.values()]);
  const placeName = (address: string) => {
    const row = places.get(address);
    return row === undefined ? 'a branch that is not in this upload' : names(row);
  };
  return partsOf(filter, placeName)
    .map((part) => part.text)
    .join(' · ');
}

const formulaOf = (text: string): string => text.slice(text.indexOf('.') + 1);

const explained = (sheet: string, columns: readonly HandoverColumn[]): XlsxCell[][] =>
  columns.map(({ title, meaning }) => [`${sheet}: ${title}`, meaning]);
