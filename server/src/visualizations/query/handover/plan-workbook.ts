import type { ByteSource } from '@kc/pack/format/byte-source';
import { namesOf } from '@kc/pack/format/names-at';
import { noRow } from '@kc/pack/format/pack-format';
import { clustersOf } from '@kc/pack/levels/topics';
import { peakValue } from '@kc/pack/season/own-peaks';
import { peaksOf } from '@kc/pack/season/season';
import { firstMonthValue, seasonValues } from '@kc/pack/season/season-name';
import { publishBy } from '@kc/rules/plan';
import type { XlsxCell } from '../xlsx/cell-xml.ts';
import type { XlsxSheet } from '../xlsx/write-xlsx.ts';
import { aboutSheet } from './about-sheet.ts';
import { intentText, statusWord } from './entry-words.ts';
import type { Handover, HandoverLine } from './handover-lines.ts';
import { type HandoverQuery, type HandoverSource, type PlannedRow, shownColumns } from './handover-query.ts';
import { keywordLines, supportingText, urlsOf } from './keyword-lines.ts';
import { join } from './plan-csv.ts';
import { firstSheetName, keywordColumns, missingColumns, missingSheetName, planColumns } from './workbook-columns.ts';

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
    columns: shownColumns(planColumns, query.reader).columns,
    rows: planRows(handover, query, (pillar) => named(pillar)),
  };
  for (const { pillar, from, end } of pillars) {
    yield {
      name: named(pillar),
      columns: shownColumns(keywordColumns, query.reader).columns,
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
  const { only } = shownColumns(planColumns, reader);
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
      const supporting = await supportingText(handover, line.index, line.primary, ', ', more);
      const link = source.link && `${source.link}&sel=${line.address}`;
      rows.push(only(planCells(line, supporting, season(line.place.row), link)));
    }
    yield rows;
  }
}

function planCells(
  line: HandoverLine,
  supporting: string,
  season: Season | undefined,
  link: string | undefined,
): XlsxCell[] {
  const { figures, entry } = line;
  return [
    line.pillar,
    line.cluster,
    join(line.path),
    line.primary,
    supporting,
    figures.keywords,
    figures.volume,
    figures.difficulty,
    figures.difficultyKnown,
    figures.cpc,
    intentText(figures),
    figures.score,
    season?.month,
    season?.publishBy,
    ...(entry ? plannedCells(entry.fields) : Array.from({ length: 7 }, () => undefined)),
    line.covered,
    link,
  ];
}

function plannedCells({ contentType, url, status, assignee, due, tags, note }: PlannedRow['fields']): XlsxCell[] {
  return [contentType, url, statusWord(status), assignee, monthOf(due), tags.join(', '), note];
}

/** The first day of a month. */
const monthOf = (due: string): number | undefined => (due === '' ? undefined : Date.parse(`${due}-01T00:00:00Z`));

async function* keywordRows(
  handover: Handover,
  original: ByteSource,
  { source, reader }: HandoverQuery,
  from: number,
  end: number,
): AsyncGenerator<XlsxCell[][]> {
  const { pack, pause } = handover;
  const { only } = shownColumns(keywordColumns, reader);
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
        const cells = keywords.map(({ row, name, isPrimary, figures }, at): XlsxCell[] => [
          cluster(clusterAt[at]!),
          name,
          isPrimary ? 'primary' : 'supporting',
          figures.volume,
          figures.difficulty,
          figures.cpc,
          intentText(figures),
          figures.position,
          url(row),
          figures.growth,
          season(row)?.month,
          entry && statusWord(entry.fields.status),
        ]);
        yield cells.map((row) => only(row));
      }
    }
  }
}

async function* missingRows(missing: readonly PlannedRow[]): AsyncGenerator<XlsxCell[][]> {
  yield missing.map(({ paths, fields, keywords, volume }) => [
    join(paths[0]!.map(([name]) => name)),
    keywords,
    volume ?? undefined,
    fields.primaryKeyword,
    ...plannedCells(fields),
  ]);
}

export type Season = {
  /** As on the screen: "March", "Month 8 of 12" if nobody knows which month that is, or "No clear season". */
  readonly month: string;
  /** The first day of the month to publish in, in milliseconds since 1970. */
  readonly publishBy: number | undefined;
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
    found.set(row, {
      month: values[value]!,
      publishBy: month === undefined ? undefined : Date.parse(`${month}-01T00:00:00Z`),
    });
  }
  return (row) => found.get(row);
}
