import { intentsOfCodes, intentsOfText } from '../../../pack/src/upload/intent-texts.ts';
import { competitionOfLevel } from '../../../pack/src/upload/metric-values.ts';
import { readSeries, trendMonths } from '../../../pack/src/upload/trend-text.ts';
import { areNames, type LevelCandidate, levelsAmong } from './levels.ts';
import { levelRank, suggestionOf } from './names.ts';
import type { Column, Meaning, Note, Vendor } from './reading.ts';
import { hasDecimalComma, hasLetter, isAddress, isKnown, numberOfCell, shareOf } from './values.ts';

/** This many known values of a column are looked at. */
const checkedValues = 2000;

type Draft = {
  readonly name: string;
  readonly isNamed: boolean;
  /** The first known values. */
  readonly values: readonly string[];
  readonly known: number;
  readonly hasDecimalComma: boolean;
  meaning: Meaning;
  misfit?: number;
};

type Table = {
  /** Undefined if the file has no header. */
  readonly header: readonly string[] | undefined;
  readonly cells: readonly (readonly string[])[];
  readonly vendor: Vendor;
  readonly corrections: Readonly<Record<number, Meaning>>;
};

/** What each column of a table means: by its name if its values fit, otherwise by its values. */
export function columnsOf(table: Table): { columns: Column[]; notes: Note[] } {
  const width = table.header?.length ?? mostFrequentWidth(table.cells);
  const names = uniqueNames(table.header ?? Array.from({ length: width }, () => ''));
  const drafts = names.map((name, at) => draftOf(name, at, table));
  const notes: Note[] = [];
  suggest(drafts, table.vendor, notes);
  findKeywords(drafts, notes);
  findLevels(drafts, table);
  correct(drafts, table.corrections);
  if (!drafts.some(({ meaning }) => meaning === 'keyword')) notes.push({ code: 'no-keyword-column' });
  const columns = drafts.map(({ values, isNamed, ...draft }) => ({
    ...draft,
    // The commas of a series stand between its numbers.
    hasDecimalComma: draft.hasDecimalComma && draft.meaning !== 'trend',
    sample: values[0],
  }));
  return { columns, notes };
}

function draftOf(name: string, at: number, { header, cells }: Table): Draft {
  const values: string[] = [];
  let known = 0;
  for (const record of cells) {
    const cell = record[at];
    if (cell === undefined || !isKnown(cell)) continue;
    known++;
    if (values.length < checkedValues) values.push(cell.trim());
  }
  const isNamed = (header?.[at]?.trim() ?? '') !== '';
  const share = cells.length > 0 ? known / cells.length : 0;
  return { name, isNamed, values, known: share, hasDecimalComma: hasDecimalComma(values), meaning: 'keep' };
}

/** Takes the meanings that the names suggest, where the values fit. */
function suggest(drafts: Draft[], vendor: Vendor, notes: Note[]): void {
  const ranks = new Map<Meaning, { rank: number; draft: Draft }>();
  for (const draft of drafts) {
    const suggestion = draft.isNamed ? suggestionOf(draft.name) : undefined;
    if (!suggestion) {
      const isNumbering = !draft.isNamed && !draft.values.some(hasLetter);
      draft.meaning = isNumbering && drafts.some(({ isNamed }) => isNamed) ? 'leaveOut' : 'keep';
      continue;
    }
    const { meaning, rank } = suggestion;
    if (meaning === 'keyword' && isCounts(draft)) notes.push({ code: 'summary-of-clusters', column: draft.name });
    if (meaning === 'resultUrl' && vendor === 'semrush-keyword-strategy-builder') continue;
    if (shareThatFits(draft, meaning) < leastShare(meaning)) continue;
    const other = ranks.get(meaning);
    if (other && !mayRepeat.has(meaning)) {
      if (other.rank <= rank) continue;
      other.draft.meaning = 'keep';
    }
    ranks.set(meaning, { rank, draft });
    draft.meaning = meaning;
  }
}

const mayRepeat: ReadonlySet<Meaning> = new Set<Meaning>([
  'volumeBound',
  'cpcBound',
  'trendMonth',
  'date',
  'keep',
  'leaveOut',
]);

const isNumber = (draft: Draft) => (text: string) =>
  !Number.isNaN(numberOfCell(text, { hasDecimalComma: draft.hasDecimalComma, isCount: false }));

const isCounts = (draft: Draft): boolean =>
  draft.values.length > 0 && shareOf(draft.values, isNumber(draft)) >= 0.8 && shareOf(draft.values, hasLetter) < 0.5;

/** Share of a column's known values that fit a meaning. */
function shareThatFits(draft: Draft, meaning: Meaning): number {
  const fits = fitOf(draft, meaning);
  return fits ? shareOf(draft.values, fits) : 1;
}

function fitOf(draft: Draft, meaning: Meaning): ((text: string) => boolean) | undefined {
  switch (meaning) {
    case 'keyword':
    case 'level1':
    case 'level2':
    case 'level3':
    case 'level4':
      return hasLetter;
    case 'intent':
      return (text) => intentsOfText(text) !== 0 || intentsOfCodes(text) !== 0;
    case 'informational':
    case 'navigational':
    case 'commercial':
    case 'transactional':
      return (text) => /^(?:true|false|yes|no|1|0|x)$/iu.test(text);
    case 'url':
    case 'resultUrl':
      return isAddress;
    case 'trend':
      return isSeries;
    case 'competition':
      return (text) => isNumber(draft)(text) || !Number.isNaN(competitionOfLevel(text));
    case 'serpFeatures':
    case 'country':
    case 'language':
    case 'date':
    case 'keep':
    case 'leaveOut':
      return undefined;
    default:
      return isNumber(draft);
  }
}

const leastShare = (meaning: Meaning): number => (/^(?:keyword|intent|level\d)$/u.test(meaning) ? 0.5 : 0.8);

const series = new Float64Array(trendMonths);
const encoder = new TextEncoder();

function isSeries(text: string): boolean {
  const bytes = encoder.encode(text);
  return readSeries(bytes, 0, bytes.length, series) > 0;
}

/** Without a column that is called so, keywords are the texts that differ most. */
function findKeywords(drafts: Draft[], notes: readonly Note[]): void {
  if (drafts.some(({ meaning }) => meaning === 'keyword')) return;
  const isCandidate = ({ meaning, name, values }: Draft) =>
    meaning === 'keep' && levelRank(name) === undefined && values.length > 0 && shareOf(values, hasLetter) >= 0.5;
  const candidates = drafts.filter((draft) => isCandidate(draft) && shareOf(draft.values, isAddress) < 0.8);
  const named = new Set(notes.map((note) => ('column' in note ? note.column : '')));
  const scores = candidates.map((draft) => ({
    draft,
    different: new Set(draft.values).size / draft.values.length,
    isNamed: /keyword/iu.test(draft.name) && !named.has(draft.name),
    words: draft.values.reduce((sum, value) => sum + value.split(/\s+/u).length, 0) / draft.values.length,
  }));
  scores.sort(
    (one, other) =>
      other.different - one.different || Number(other.isNamed) - Number(one.isNamed) || other.words - one.words,
  );
  if (scores[0]) scores[0].draft.meaning = 'keyword';
}

/** Columns that are kept and are called so become levels. */
function findLevels(drafts: Draft[], { cells }: Table): void {
  const candidates: (LevelCandidate & { draft: Draft })[] = [];
  drafts.forEach((draft, at) => {
    if (draft.meaning !== 'keep' || !areNames(draft.values)) return;
    candidates.push({ draft, name: draft.name, ...codesOf(cells, at) });
  });
  const levels = levelsAmong(candidates);
  for (const [depth, { draft }] of levels.entries()) draft.meaning = `level${depth + 1}` as Meaning;
}

function codesOf(cells: Table['cells'], at: number): { codes: Int32Array; values: number } {
  const numbers = new Map<string, number>();
  const codes = Int32Array.from(cells, (record) => {
    const text = record[at]?.trim() ?? '';
    if (!isKnown(text)) return -1;
    const code = numbers.get(text) ?? numbers.size;
    if (code === numbers.size) numbers.set(text, code);
    return code;
  });
  return { codes, values: numbers.size };
}

/** Takes what a person chose. A meaning that can exist once leaves the column that had it. */
function correct(drafts: Draft[], corrections: Readonly<Record<number, Meaning>>): void {
  for (const [at, meaning] of Object.entries(corrections)) {
    const draft = drafts[Number(at)];
    if (!draft) continue;
    if (!mayRepeat.has(meaning)) for (const other of drafts) if (other.meaning === meaning) other.meaning = 'keep';
    draft.meaning = meaning;
    const share = shareThatFits(draft, meaning);
    if (share < leastShare(meaning)) draft.misfit = share;
  }
}

function mostFrequentWidth(cells: Table['cells']): number {
  const counts = new Map<number, number>();
  for (const { length } of cells) counts.set(length, (counts.get(length) ?? 0) + 1);
  return [...counts].reduce((one, other) => (other[1] > one[1] ? other : one), [0, 0])[0];
}

/** Names for all columns: "Column 2" for a nameless one, "Volume (2)" for a repeated one. */
function uniqueNames(header: readonly string[]): string[] {
  const taken = new Set<string>();
  return header.map((cell, at) => {
    const name = cell.trim() || `Column ${at + 1}`;
    let unique = name;
    for (let number = 2; taken.has(unique); number++) unique = `${name} (${number})`;
    taken.add(unique);
    return unique;
  });
}
