import type { Slice } from '@kc/pack/slice/slice';
import type { PlanEntry } from '@kc/rules/plan-shapes';
import type { NodeDetail } from '@kc/rules/shapes';

/** What an answer may have at most, in bytes of JSON: about 2,000 tokens of English text. */
const maxAnswerBytes = 6_500;
export type Answer = Readonly<Record<string, unknown>>;
/** The part of an answer that may be shortened, and how the rest is asked for. */
export type Cut = { readonly list: string; readonly rest: string };

/** `2026-04` for the month at a place of twelve; undefined if the file does not say which months they are. */
export function monthAt(newest: string | undefined, at: number): string | undefined {
  if (newest === undefined) return undefined;
  const [year, month] = newest.split('-').map(Number);
  return new Date(Date.UTC(year!, month! - 1 - (11 - at), 1)).toISOString().slice(0, 7);
}

/** The answer, with as much of its list as it may have. */
export function fitted(answer: Answer, cut: Cut | undefined): Answer {
  const list = cut && answer[cut.list];
  if (!cut || !Array.isArray(list)) return answer;
  const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;
  let room = maxAnswerBytes - bytes({ ...answer, [cut.list]: [] });
  let fits = 0;
  for (const one of list) {
    room -= bytes(one) + 1;
    if (room < 0) break;
    fits++;
  }
  if (fits === list.length) return answer;
  return { ...answer, [cut.list]: list.slice(0, fits), leftOut: { count: list.length - fits, how: cut.rest } };
}

/** What a branch or keyword is, and where. */
export const whatIs = (detail: NodeDetail) => ({
  name: detail.name,
  node: detail.address,
  type: detail.type,
  path: detail.path.slice(1, -1).map(({ name, address }) => ({ name, node: address })),
});

/** A figure of a branch with its known share; null if no keyword has it. */
export const measured = ({ value, known }: NodeDetail['volume']) => ({ value: value ?? null, known });

/** What a list says of a row. Unknown figures are null; `known` is left out where all keywords have them. */
export function figuresOf(slice: Slice, row: number, score?: string) {
  const keywords = slice.keywords[row]!;
  const number = (value: number) => (Number.isNaN(value) ? null : Number(value.toPrecision(6)));
  const known = (count: number) => (count === keywords ? undefined : count);
  const name = new TextDecoder().decode(slice.names.subarray(slice.nameStart[row]!, slice.nameStart[row + 1]!));
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
