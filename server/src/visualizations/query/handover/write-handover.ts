import type { ByteSource } from '@kc/pack/format/byte-source';
import type { Exported } from '../export-csv.ts';
import { writeXlsx } from '../xlsx/write-xlsx.ts';
import { prepareHandover } from './handover-lines.ts';
import type { HandoverQuery } from './handover-query.ts';
import { outlineMarkdown } from './outline-markdown.ts';
import { planCsv } from './plan-csv.ts';
import { planSheets } from './plan-workbook.ts';
import { aboutSheetName, firstSheetName, missingSheetName } from './workbook-columns.ts';

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
