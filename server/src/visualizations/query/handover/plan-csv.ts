import type { Cell } from '../csv-text.ts';
import { csvLine } from '../csv-text.ts';
import { intentText, statusWord } from './entry-words.ts';
import type { Handover, HandoverLine } from './handover-lines.ts';
import type { HandoverReader, PlannedRow } from './handover-query.ts';
import { supportingText } from './keyword-lines.ts';

const titles = [
  'Cluster',
  'Primary keyword',
  'Supporting keywords',
  'Volume',
  'Difficulty',
  'Intent',
  'Content type',
  'URL',
  'Status',
  'Owner',
  'Note',
  'Due',
  'Tags',
  'Path',
] as const;

/** What clients do not get. */
const internal: ReadonlySet<string> = new Set(['Owner', 'Note', 'Tags']);

/** One line per entry, as texts. Entries that the upload does not have come last, without figures. */
export async function* planCsv(handover: Handover, reader: HandoverReader): AsyncGenerator<string> {
  const only = <T>(cells: readonly T[]): T[] =>
    cells.filter((_, at) => reader !== 'client' || !internal.has(titles[at]!));
  yield `\ufeff${csvLine(only(titles))}`;
  for await (const lines of handover.lines()) {
    let part = '';
    for (const line of lines) part += csvLine(only(await cellsOf(handover, line)));
    yield part;
  }
  for (const { paths, fields } of handover.missing) {
    const path = paths[0]!.map(([name]) => name);
    const cells = [path.at(-1), fields.primaryKeyword || undefined, ...empty(4), ...plannedCells(fields), join(path)];
    yield csvLine(only(cells));
  }
}

async function cellsOf(handover: Handover, line: HandoverLine): Promise<Cell[]> {
  const { figures, entry, index, primary } = line;
  const more = (count: string) => `… and ${count} more`;
  return [
    line.cluster || line.path.at(-1),
    primary || undefined,
    (await supportingText(handover, index, primary, ' | ', more)) || undefined,
    figures.volume,
    figures.difficulty,
    intentText(figures) || undefined,
    ...(entry ? plannedCells(entry.fields) : empty(7)),
    join(line.path),
  ];
}

function plannedCells(fields: PlannedRow['fields']): Cell[] {
  const { contentType, url, status, assignee, note, due, tags } = fields;
  return [contentType, url, statusWord(status), assignee, note, due, tags.join(', ')].map((text) => text || undefined);
}

const empty = (cells: number): undefined[] => Array.from({ length: cells }, () => undefined);
export const join = (path: readonly string[]): string => path.join(' › ');
