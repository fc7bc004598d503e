import type { Cell } from '../csv-text.ts';
import { csvLine } from '../csv-text.ts';
import { intentText, statusWord } from './entry-words.ts';
import type { Handover, HandoverLine } from './handover-lines.ts';
import type { HandoverReader, PlannedRow } from './handover-query.ts';
import { type ColumnAudience, shownColumns } from './handover-query.ts';
import { supportingText } from './keyword-lines.ts';

const columns: readonly { readonly title: string; readonly audience?: ColumnAudience }[] = [
  { title: 'Cluster' },
  { title: 'Primary keyword' },
  { title: 'Supporting keywords' },
  { title: 'Volume' },
  { title: 'Difficulty' },
  { title: 'Intent' },
  { title: 'Content type', audience: 'planned' },
  { title: 'URL', audience: 'planned' },
  { title: 'Status', audience: 'planned' },
  { title: 'Owner', audience: 'internal' },
  { title: 'Note', audience: 'internal' },
  { title: 'Due', audience: 'planned' },
  { title: 'Tags', audience: 'internal' },
  { title: 'Path' },
];

/** One line per entry, as texts. Entries that the upload does not have come last, without figures. */
export async function* planCsv(handover: Handover, reader: HandoverReader): AsyncGenerator<string> {
  const { columns: shown, only } = shownColumns(columns, reader);
  yield `\ufeff${csvLine(shown.map(({ title }) => title))}`;
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
