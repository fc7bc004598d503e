import { placesIn } from '@kc/pack/filter/filter';
import { readFilter } from '@kc/pack/filter/filter-text';
import { partsOf } from '@kc/pack/filter-words/filter-parts';
import { placesAt } from '@kc/pack/format/locate';
import { namesOf } from '@kc/pack/format/names-at';
import type { PackReader } from '@kc/pack/format/pack-reader';
import { leadText } from '@kc/rules/plan';
import type { XlsxCell } from '../xlsx/cell-xml.ts';
import type { XlsxSheet } from '../xlsx/write-xlsx.ts';
import {
  aboutSheetName,
  columnsFor,
  firstSheetName,
  type HandoverColumn,
  keywordColumns,
  missingColumns,
  missingSheetName,
  planColumns,
} from './handover-columns.ts';
import type { Handover } from './handover-lines.ts';
import type { HandoverQuery, SharedNote } from './handover-query.ts';

const rollUps = {
  branch: 'from the figures of the branch',
  sum: 'the sum over its keywords',
  mean: 'the mean over its keywords',
  max: 'the highest of its keywords',
} as const;

/** Where a workbook comes from, and what its columns mean. @param entries how many it has */
export function aboutSheet(handover: Handover, query: HandoverQuery, entries: number): XlsxSheet {
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
