import type { ByteSource } from '@kc/pack/format/byte-source';
import { csvLine, type Exported } from '../export-csv.ts';
import { writeXlsx } from '../xlsx/write-xlsx.ts';
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
 * What is handed over, in its form, part by part.
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
  for await (const text of query.form === 'csv' ? planCsv(handover, query.reader) : outlineMarkdown(handover)) {
    part += text;
    if (part.length < partLength) continue;
    yield encoder.encode(part);
    part = '';
  }
  yield encoder.encode(part);
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
