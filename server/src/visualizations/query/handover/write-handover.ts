import type { ByteSource } from '@kc/pack/format/byte-source';
import { namesOf } from '@kc/pack/format/names-at';
import type { Brief } from '@kc/rules/brief';
import { csvLine, type Exported } from '../export-csv.ts';
import { writeXlsx } from '../xlsx/write-xlsx.ts';
import { briefsOf } from './brief.ts';
import { briefsHtml } from './brief-html.ts';
import { briefsMarkdown } from './brief-markdown.ts';
import {
  aboutSheetName,
  columnsFor,
  csvColumns,
  entryRow,
  firstSheetName,
  type HandoverRow,
  missingRow,
  missingSheetName,
  pathOf,
} from './handover-columns.ts';
import { type Handover, prepareHandover } from './handover-lines.ts';
import type { HandoverQuery, HandoverReader } from './handover-query.ts';
import { supportingText } from './keyword-lines.ts';
import { outlineMarkdown } from './outline-markdown.ts';
import { planSheets } from './plan-workbook.ts';

/** Approximate characters per part. */
const partLength = 128 * 1024;
const encoder = new TextEncoder();

/**
 * The file of a handover, in its form, part by part.
 *
 * Memory: one block of lines, and what `prepareHandover` says.
 */
export async function* writeHandover(
  exported: Exported,
  original: ByteSource,
  query: HandoverQuery,
): AsyncGenerator<Uint8Array> {
  const handover = await prepareHandover(exported, query, exported.pause);
  if (query.form === 'xlsx') {
    yield* writeXlsx(planSheets(handover, original, query), {
      modified: query.source.now,
      reserved: [firstSheetName(query.of, handover.pages), missingSheetName, aboutSheetName],
    });
    return;
  }
  let part = '';
  for await (const text of textOf(handover, original, query, query.form)) {
    part += text;
    if (part.length < partLength) continue;
    yield encoder.encode(part);
    part = '';
  }
  yield encoder.encode(part);
}

async function* textOf(
  handover: Handover,
  original: ByteSource,
  query: HandoverQuery,
  form: Exclude<HandoverQuery['form'], 'xlsx'>,
): AsyncGenerator<string> {
  const briefs = () => briefsOf(handover, original, query);
  switch (form) {
    case 'csv':
      yield* planCsv(handover, query.reader);
      return;
    case 'md':
      yield* outlineMarkdown(handover, query.top);
      return;
    case 'briefs.md':
      yield* briefsMarkdown(briefs());
      return;
    case 'briefs.json':
      yield* briefsJson(briefs());
      return;
    case 'briefs.html': {
      const { pack, places, missing } = handover;
      const root = pack.metadata.rootName;
      const rows = places.map(({ row }) => row);
      const nameOf = await namesOf(pack, rows);
      const titles = [
        ...rows.map((row) => (row === 0 ? root : nameOf(row))),
        ...missing.map((one) => pathOf(one).at(-1)!),
      ];
      yield* briefsHtml(briefs(), { root, titles });
    }
  }
}

/** A list of briefs, each in a line of its own. What is unknown is left out. */
async function* briefsJson(briefs: AsyncIterable<Brief>): AsyncGenerator<string> {
  let before = '[';
  for await (const brief of briefs) {
    yield `${before}\n${JSON.stringify(brief)}`;
    before = ',';
  }
  yield before === '[' ? '[]\n' : '\n]\n';
}

/** One line per entry, as texts. Entries that the upload does not have come last, without figures. */
async function* planCsv(handover: Handover, reader: HandoverReader): AsyncGenerator<string> {
  const columns = columnsFor(csvColumns, reader, handover);
  const lineOf = (row: HandoverRow) => csvLine(columns.map(({ id }) => row[id]));
  yield `\ufeff${csvLine(columns.map(({ title }) => title))}`;
  for await (const lines of handover.lines()) {
    let part = '';
    for (const line of lines) {
      const supporting = await supportingText(handover, line, ' | ', (count) => `… and ${count} more`);
      part += lineOf({ ...entryRow(line, ' | '), supporting, cluster: line.cluster || line.path.at(-1) });
    }
    yield part;
  }
  for (const entry of handover.missing) {
    yield lineOf({ ...missingRow(entry), volume: undefined, cluster: pathOf(entry).at(-1) });
  }
}
