import type { Slice } from '@kc/pack/slice/slice';
import { planStatuses } from '@kc/pack/vocabulary/choices';
import type { Brief } from '@kc/rules/brief';
import type { PlanEntry, PlanTotals } from '@kc/rules/plan-shapes';
import type { NodeDetail } from '@kc/rules/shapes';
import type * as z from 'zod';

/** What an answer may have at most, in bytes of JSON: about 2,000 tokens of English text. */
const maxAnswerBytes = 6_500;
export type Answer = Readonly<Record<string, unknown>>;
/** The parts of an answer that may be shortened, the most important list first, and how to request the rest. */
export type Cut = { readonly list: string | readonly string[]; readonly rest: string };

/** Registers a tool that reads or changes something. */
export type AddTool = <Shape extends z.ZodRawShape>(
  name: string,
  about: { readonly title: string; readonly says: string; readonly input: Shape; readonly changes?: boolean },
  answer: (input: z.infer<z.ZodObject<Shape>>) => Promise<Answer>,
  cut?: Cut,
) => void;

/** `2026-04` for the month at a place of twelve; undefined if the file does not say which months they are. */
export function monthAt(newest: string | undefined, at: number): string | undefined {
  if (newest === undefined) return undefined;
  const [year, month] = newest.split('-').map(Number);
  return new Date(Date.UTC(year!, month! - 1 - (11 - at), 1)).toISOString().slice(0, 7);
}

/** Sums of whole numbers are exact. Means have six significant digits, of which large ones need all before the point. */
function roundedNumber(value: number): number {
  if (Number.isInteger(value)) return value;
  return Number(Math.abs(value) < 1e5 ? value.toPrecision(6) : value.toFixed(1));
}

/** The same with no more digits of its figures than somebody reads. */
export function rounded<Value>(value: Value): Value {
  if (typeof value === 'number') return roundedNumber(value) as Value;
  if (Array.isArray(value)) return value.map(rounded) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, rounded(one)])) as Value;
}

/** The answer, with as much of its lists as it may have. */
export function fitted(answer: Answer, cut: Cut | undefined): Answer {
  const names = cut ? [cut.list].flat().filter((name) => Array.isArray(answer[name])) : [];
  const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;
  let room = maxAnswerBytes - bytes({ ...answer, ...Object.fromEntries(names.map((name) => [name, []])) });
  const lists: Record<string, unknown[]> = {};
  const omitted: [name: string, count: number][] = [];
  for (const name of names) {
    const list = answer[name] as unknown[];
    let fits = 0;
    for (const one of list) {
      const size = bytes(one) + 1;
      if (size > room) break;
      room -= size;
      fits++;
    }
    lists[name] = list.slice(0, fits);
    if (fits < list.length) omitted.push([name, list.length - fits]);
  }
  if (omitted.length === 0) return answer;
  const isOne = typeof cut!.list === 'string';
  const counts = isOne ? { count: omitted[0]![1] } : Object.fromEntries(omitted);
  return { ...answer, ...lists, leftOut: { ...counts, how: cut!.rest } };
}

/** The beginning of a text that may be long. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).replace(/[\u{d800}-\u{dbff}]$/u, '')}…`;

/** What a branch or keyword is, and where. */
export const whatIs = (detail: NodeDetail) => ({
  name: detail.name,
  node: detail.address,
  type: detail.type,
  path: detail.path.slice(1, -1).map(({ name, address }) => ({ name, node: address })),
});

/** A figure of a branch with its known share; null if no keyword has it. */
export const measured = ({ value, known }: NodeDetail['volume']) => ({ value: value ?? null, known });

/** A name may begin with U+FEFF, which is part of it. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The figures of a row in a list. Unknown ones are null; `known` is left out where all keywords have them. */
export function figuresOf(slice: Slice, row: number, score?: string) {
  const keywords = slice.keywords[row]!;
  const number = (value: number) => (Number.isNaN(value) ? null : value);
  const known = (count: number) => (count === keywords ? undefined : count);
  const name = decoder.decode(slice.names.subarray(slice.nameStart[row]!, slice.nameStart[row + 1]!));
  const columns = slice.fields.flatMap((field) =>
    field.kind === 'number' ? [[field.name === score ? 'score' : field.name, number(field.value[row]!)] as const] : [],
  );
  return {
    name,
    node: [0, 1].map((half) => slice.address[2 * row + half]!.toString(16).padStart(8, '0')).join(''),
    type: slice.types[slice.type[row]!],
    keywords,
    volume: number(slice.volume[row]!),
    volumeKnown: known(slice.volumeKnown[row]!),
    difficulty: number(slice.difficulty[row]!),
    difficultyKnown: known(slice.difficultyKnown[row]!),
    cpc: number(slice.cpc[row]!),
    cpcKnown: known(slice.cpcKnown[row]!),
    ...Object.fromEntries(columns),
  };
}

/** An entry of the plan, without what nobody has set. */
export const entryOf = (entry: PlanEntry) => ({
  name: entry.path.at(-1),
  path: entry.path.slice(0, -1),
  node: entry.node ?? null,
  status: entry.status,
  owner: entry.assignee || undefined,
  url: entry.url || undefined,
  contentType: entry.contentType || undefined,
  due: entry.due || undefined,
  tags: entry.tags.length > 0 ? entry.tags : undefined,
  primaryKeyword: entry.primaryKeyword || undefined,
  keywords: entry.keywords,
  volume: entry.volume ?? null,
});

/** Under `Known` stand numbers of keywords, as in all answers: what is a share says so. */
const figuresOfBrief = ({ difficultyKnown, ...figures }: Brief['figures']) => ({
  ...figures,
  difficultyKnownShare: difficultyKnown,
});

/** A brief, with its lists side by side so that each can be cut, and with the beginning of a note. */
export const briefAnswer = ({ supporting, questions, ranking, results, note, target, ...brief }: Brief) => ({
  name: brief.title,
  node: brief.node,
  path: brief.path.slice(0, -1),
  target: Object.fromEntries(target.map(({ id, value }) => [id, shortened(value, 500)])),
  note: note && shortened(note, 800),
  figures: figuresOfBrief(brief.figures),
  primary: brief.primary,
  supporting: supporting.shown,
  moreSupporting: supporting.more || undefined,
  questions: questions.shown.map(({ name }) => name),
  moreQuestions: questions.more || undefined,
  ranking: ranking?.shown,
  rankingKnown: ranking?.known,
  moreRanking: ranking?.more || undefined,
  results: results?.shown,
  resultsKnown: results?.known,
  moreResults: results?.more || undefined,
  linksTo: brief.linksTo,
  linksFrom: brief.linksFrom,
  similar: brief.similar,
});

/** Keywords and volume by status; `none` is what no entry of the plan has. */
export const coverageOf = ({ ofStatus, ...coverage }: PlanTotals['whole']) => ({
  ...coverage,
  ofStatus: Object.fromEntries(ofStatus.map((figures, rank) => [planStatuses[rank - 1] ?? 'none', figures])),
});

/** The path of an export after the map; undefined if there is none in this format. */
export function exportPath(what: string, format: string): string | undefined {
  if (what === 'plan') return { csv: 'plan.csv', xlsx: 'plan.xlsx', md: 'outline.md' }[format];
  if (what === 'briefs') return { md: 'briefs.md', html: 'briefs.html', json: 'briefs.json' }[format];
  if (what === 'everything') return { csv: 'export.csv', json: 'export.json' }[format];
  return { csv: `export.csv?level=${what}`, xlsx: `export.xlsx?level=${what}` }[format];
}
