import { similarMember } from '../../../pack/src/upload/similar-nodes.ts';
import type { TopicTree } from '../pipeline/topic-tree.ts';

/** A figure, a text, a list of these, or JSON that is written as it is; undefined and NaN mean unknown. */
export type FieldValue = number | string | readonly (number | string)[] | { readonly json: string } | undefined;

/** What is known about the keywords under one name, such as `search_volume`; parallel to the keywords. */
export type UploadField = { readonly name: string; readonly values: ArrayLike<FieldValue> };

/** A clustered list, as it is uploaded. */
export type ClusteredList = {
  /** The name of the root. */
  readonly name: string;
  readonly texts: readonly string[];
  /** In the order in which they are written. Unknown values are left out, and so are fields whose members are written here. */
  readonly fields: readonly UploadField[];
  /** Monthly searches, which order keywords within a topic; NaN where unknown. */
  readonly volume: Float64Array;
  /** A keyword of topic −1 is left out. */
  readonly tree: TopicTree;
  /** Everything that is needed to make the same tree again: settings, sources, model, versions. */
  readonly clustering: Readonly<Record<string, unknown>>;
  /** What is copied from an earlier file. */
  readonly copied?: CopiedTexts | undefined;
  /** Which topics and keywords are similar, if that is known. Not together with `copied`, whose order is that of the file. */
  readonly similar?: SimilarRows | undefined;
};

/** The topics that are most similar to each topic, and the keywords to each keyword, nearest first; −1 for none. */
export type SimilarRows = Readonly<Record<'topics' | 'keywords', { readonly count: number; readonly to: Int32Array }>>;

/** The JSON of entries and nodes of an earlier file; undefined for what has to be written anew. */
export type CopiedTexts = {
  entry(keyword: number): string | undefined;
  node(keyword: number): string | undefined;
  /** With everything in it. */
  topic(topic: number): string | undefined;
  /** The keywords of a topic in their order. */
  keywords(topic: number): readonly number[];
};

/** A block has about this many characters, and at most three times as many bytes. */
const blockLength = 1 << 20;

/**
 * Writes the JSON file of a clustered list: `keywords`, `hierarchy`, `similar_nodes` if they are known, and `clustering`. Equal lists give equal
 * bytes.
 *
 * Keywords are in the order of the list. In the hierarchy, keywords of a topic are sorted by descending volume, unless they are copied. `similarity`
 * is a member of keywords and `confidence` one of nodes, so that both become fields of the map. `clustering` is not shown in the map: it is only
 * checked, and stays in the original.
 */
export function* uploadJson(list: ClusteredList): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = '';
  for (const piece of pieces(list)) {
    text += piece;
    if (text.length < blockLength) continue;
    yield encoder.encode(text);
    text = '';
  }
  yield encoder.encode(text);
}

function* pieces(list: ClusteredList): Generator<string> {
  yield '{"keywords":[';
  let separator = '';
  for (let row = 0; row < list.texts.length; row++) {
    if (list.tree.topicOf[row]! < 0) continue;
    yield `${separator}${list.copied?.entry(row) ?? entryOf(list, row)}`;
    separator = ',';
  }
  yield `],"hierarchy":{"name":${JSON.stringify(list.name)},"type":"root","children":[`;
  const outline = outlineOf(list);
  yield* children(list, outline, -1);
  yield ']}';
  if (list.similar) yield* similarLists(list, outline, list.similar);
  yield ',"clustering":';
  yield JSON.stringify({ format: 1, ...list.clustering });
  yield '}';
}

const ownMembers: ReadonlySet<string> = new Set(['keyword', 'similarity']);

function entryOf({ texts, fields, tree }: ClusteredList, row: number): string {
  let entry = `{"keyword":${JSON.stringify(texts[row])}`;
  for (const { name, values } of fields) {
    const value = values[row];
    if (isKnown(value) && !ownMembers.has(name)) entry += `,${JSON.stringify(name)}:${jsonOf(value)}`;
  }
  const similarity = tree.similarity[row]!;
  if (!Number.isNaN(similarity)) entry += `,"similarity":${Math.round(100 * similarity) / 100}`;
  return `${entry}}`;
}

function isKnown(value: FieldValue): value is NonNullable<FieldValue> {
  if (typeof value === 'number') return Number.isFinite(value);
  return value !== undefined && (isJson(value) || value.length > 0);
}

const isJson = (value: NonNullable<FieldValue>): value is { readonly json: string } =>
  typeof value === 'object' && 'json' in value;

const jsonOf = (value: NonNullable<FieldValue>): string => (isJson(value) ? value.json : JSON.stringify(value));

/** The topics below each topic, those below the root in the last place; and the keywords of each topic. */
type Outline = { readonly topics: readonly number[][]; readonly keywords: readonly (readonly number[])[] };

function outlineOf({ tree: { topics, topicOf }, volume, texts, copied }: ClusteredList): Outline {
  const below = Array.from({ length: topics.length + 1 }, (): number[] => []);
  topics.forEach(({ parent }, topic) => {
    below.at(parent)!.push(topic);
  });
  if (copied) return { topics: below, keywords: topics.map((_, topic) => copied.keywords(topic)) };
  const keywords = Array.from({ length: topics.length }, (): number[] => []);
  topicOf.forEach((topic, keyword) => {
    if (topic >= 0) keywords[topic]!.push(keyword);
  });
  const compare = byVolume(texts, volume);
  for (const rows of keywords) rows.sort(compare);
  return { topics: below, keywords };
}

/** Compares keywords: by descending volume, unknown last, then by text. */
export function byVolume(texts: readonly string[], volume: Float64Array): (one: number, other: number) => number {
  const known = volume.map((value) => (Number.isNaN(value) ? -1 : value));
  return (a, b) => known[b]! - known[a]! || (texts[a]! < texts[b]! ? -1 : texts[a]! > texts[b]! ? 1 : a - b);
}

function* children(list: ClusteredList, outline: Outline, above: number): Generator<string> {
  let separator = '';
  for (const topic of outline.topics.at(above)!) {
    yield separator;
    yield* topicNode(list, outline, topic);
    separator = ',';
  }
  for (const keyword of above < 0 ? [] : outline.keywords[above]!) {
    yield separator;
    yield list.copied?.node(keyword) ?? `{"name":${JSON.stringify(list.texts[keyword])},"type":"keyword"}`;
    separator = ',';
  }
}

function* topicNode(list: ClusteredList, outline: Outline, topic: number): Generator<string> {
  const copy = list.copied?.topic(topic);
  if (copy !== undefined) {
    yield* inBlocks(copy);
    return;
  }
  const { name, kind, confidence } = list.tree.topics[topic]!;
  const known = Number.isNaN(confidence) ? '' : `,"confidence":${confidence}`;
  yield `{"name":${JSON.stringify(name)},"type":"${kind}"${known},"children":[`;
  yield* children(list, outline, topic);
  yield ']}';
}

/** For each node in the order of the document: how many nodes are similar, then their places. @see `pack/src/upload/similar-nodes.ts` */
function* similarLists(
  { tree: { topics, topicOf } }: ClusteredList,
  outline: Outline,
  similar: SimilarRows,
): Generator<string> {
  const places = { topics: new Int32Array(topics.length), keywords: new Int32Array(topicOf.length) };
  const order: { readonly of: keyof SimilarRows; readonly row: number }[] = [];
  const place = (of: keyof SimilarRows, row: number): void => {
    // The root has place 0.
    places[of][row] = order.push({ of, row });
  };
  const visit = (above: number): void => {
    for (const topic of outline.topics.at(above)!) {
      place('topics', topic);
      visit(topic);
    }
    for (const keyword of above < 0 ? [] : outline.keywords[above]!) place('keywords', keyword);
  };
  visit(-1);
  yield `,"${similarMember}":[0`;
  for (const { of, row } of order) {
    const { count, to } = similar[of];
    let text = '';
    let known = 0;
    for (let at = row * count; at < (row + 1) * count; at++) {
      if (to[at]! < 0) continue;
      text += `,${places[of][to[at]!]}`;
      known++;
    }
    yield `,${known}${text}`;
  }
  yield ']';
}

/** Cuts a long text into parts, but not within a surrogate pair. */
function* inBlocks(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + blockLength);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last < 0xdc00) end--;
    yield text.slice(at, end);
    at = end;
  }
}
