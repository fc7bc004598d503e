import { normalForm } from '../../../pack/src/names/normal-form.ts';
import { type FieldMap, type NameOf, namesBy } from '../../../pack/src/upload/field-map.ts';
import { fieldOf } from '../../../pack/src/upload/fields.ts';
import { DraftAddresses } from '../draft/addresses.ts';
import { beginDraft, type DraftState, type DraftTopic, idOf } from '../draft/draft-state.ts';
import type { OriginalMap, OriginalTopic } from '../draft/original-map.ts';
import { type Topic, type TopicKind, withStrays } from '../pipeline/topic-tree.ts';
import type { UploadField } from '../write/upload-json.ts';
import { type JsonRange, type NodeRange, rangesOf } from './json-ranges.ts';
import { isRecord, type JsonRecord, MapEntries, MapError, textOf } from './map-entries.ts';

/** A map that can be edited: that of an earlier draft, or any upload of the same form. */
export type KeywordMapFile = {
  /** The name of the root. */
  readonly name: string;
  readonly texts: readonly string[];
  /** Monthly searches; NaN where unknown. */
  readonly volume: Float64Array;
  readonly fields: readonly UploadField[];
  readonly state: DraftState;
  /** What the file says about its clustering. */
  readonly clustering: Readonly<Record<string, unknown>>;
  readonly original: OriginalMap;
};

/**
 * Reads a map: keywords with all their members, and the topics that they are in. What people decided in an earlier draft (names, locks, keywords sent
 * to the strays) is read, too. Keywords that are in no topic become strays.
 *
 * @param text the JSON of an upload
 * @param corrected the meanings of members whose names say something else
 * @throws MapError if it is not a map of topics with each keyword in one place, or editing would lose something
 */
export function readMap(text: string, corrected: FieldMap = {}): KeywordMapFile {
  const file = parsed(text);
  const ranges = rangesOf(text);
  const entries = new MapEntries(file.keywords);
  const { topics, topicOf, nodes, original } = readTopics(file.hierarchy, ranges.root, entries);
  const { texts } = entries;
  if (texts.length === 0) throw new MapError('no-keywords');
  const rootName = textOf(file.hierarchy.name) ?? '';
  const similarity = entries.similarity();
  const draft = beginDraft({ topics, topicOf, similarity }, undefined);
  const placed = draft.topics.map((topic, place) => (place < original.length ? { ...topic, place } : topic));
  const state = withDecisions({ ...draft, topics: placed }, texts, rootName, file.clustering);
  const fields = entries.fields();
  return {
    name: rootName,
    texts,
    volume: volumeOf(fields, texts.length, namesBy(corrected)),
    fields,
    state,
    clustering: file.clustering,
    original: {
      text,
      // Keywords without an entry come last.
      entries: positions(texts.length, (row) => ranges.entries[row]),
      nodes,
      similarity,
      topics: original,
    },
  };
}

/** Where something of each keyword is in the text: two numbers for each; −1 if it is not there. */
const positions = (count: number, rangeOf: (row: number) => JsonRange | undefined): Int32Array =>
  Int32Array.from({ length: 2 * count }, (_, at) => {
    const range = rangeOf(at >> 1);
    return range ? (at % 2 === 0 ? range.start : range.end) : -1;
  });

/** Renames members so that their names say what they mean. Those that are left out are dropped. */
export function withMeanings(map: KeywordMapFile, corrected: FieldMap): KeywordMapFile {
  const nameOf = namesBy(corrected);
  return {
    ...map,
    fields: map.fields.flatMap(({ name, values }) => {
      const known = nameOf(name);
      return known === undefined ? [] : [{ name: known, values }];
    }),
  };
}

function parsed(text: string) {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    throw new MapError('not-json');
  }
  if (!isRecord(file) || !isRecord(file.hierarchy)) throw new MapError('no-keywords');
  const { keywords, hierarchy, clustering } = file;
  return { keywords, hierarchy, clustering: isRecord(clustering) ? clustering : {} };
}

/** The volume of each keyword, of several members with one that is preferred; NaN where unknown. */
function volumeOf(fields: readonly UploadField[], count: number, nameOf: NameOf): Float64Array {
  const volumes = fields
    .flatMap(({ name, values }) => {
      const field = fieldOf(nameOf(name) ?? '');
      return field?.name === 'volume' ? [{ rank: field.rank, values }] : [];
    })
    .sort((one, other) => one.rank - other.rank);
  return Float64Array.from({ length: count }, (_, row) => {
    const known = volumes.map(({ values }) => values[row]).find((value) => typeof value === 'number');
    return typeof known === 'number' ? known : Number.NaN;
  });
}

/** Restores what an earlier draft wrote about its topics and keywords. */
function withDecisions(
  state: DraftState,
  texts: readonly string[],
  rootName: string,
  { nodes, pins, excluded }: Readonly<Record<string, unknown>>,
): DraftState {
  if (typeof nodes !== 'object' || nodes === null) return state;
  const decisions = nodes as Readonly<Record<string, Partial<Record<string, unknown>>>>;
  const addresses = new DraftAddresses(state, texts, rootName);
  const own = uniqueIds(state.topics.map((_, number) => decisions[addresses.ofTopic(number)]?.id));
  // Excluded keywords may name a topic that is gone. A new topic must not get its ID, or they would come back to that one.
  let next = afterAll([...own, ...idsOfExcluded(excluded)], state.next);
  const topics = state.topics.map((topic, number): DraftTopic => {
    const { locked, renamed, placed, rest, terms } = decisions[addresses.ofTopic(number)] ?? {};
    return {
      ...topic,
      id: own[number] ?? idOf(next++),
      isLocked: locked === true,
      isRenamed: renamed === true,
      ...(placed === true && { isPlaced: true }),
      ...(rest === true && { isRest: true }),
      terms: Array.isArray(terms) ? terms.filter((term) => typeof term === 'string') : [],
    };
  });
  const pinned = new Set(Array.isArray(pins) ? pins : []);
  return {
    ...state,
    topics,
    sentToStrays: Uint8Array.from(texts, (text) => Number(pinned.has(text))),
    next,
  };
}

/** As `idOf` makes it. With more digits, the number of the next ID would not be exact. */
const isTopicId = (id: unknown): id is string => typeof id === 'string' && /^k\d{4,15}$/.test(id);

/** The valid IDs; undefined for others, and for those that an earlier topic has. */
function uniqueIds(ids: readonly unknown[]): (string | undefined)[] {
  const taken = new Set<string>();
  return ids.map((id) => {
    if (!isTopicId(id) || taken.has(id)) return undefined;
    taken.add(id);
    return id;
  });
}

/** The IDs of the topics that keywords were excluded from. */
const idsOfExcluded = (excluded: unknown): string[] =>
  (Array.isArray(excluded) ? excluded : []).map((one) => (isRecord(one) ? one.from : undefined)).filter(isTopicId);

/** The lowest number, at least `first`, that is higher than those of all IDs. */
const afterAll = (ids: readonly (string | undefined)[], first: number): number =>
  ids.reduce((next, id) => (id === undefined ? next : Math.max(next, Number(id.slice(1)) + 1)), first);

/** The members that a topic may have. A draft keeps no others. */
const topicMembers: ReadonlySet<string> = new Set(['name', 'type', 'confidence', 'children']);
const kinds: ReadonlySet<string> = new Set<TopicKind>(['pillar_topic', 'cluster', 'subtopic', 'stray']);

type ReadTopics = {
  /** In the order of the file. */
  readonly topics: readonly Topic[];
  /** The topic of each keyword. */
  readonly topicOf: Int32Array;
  /** Where each keyword's node stands in the file, as in `OriginalMap`. */
  readonly nodes: Int32Array;
  /** Topics as they are in the file. */
  readonly original: readonly OriginalTopic[];
};

/** @param range of `root` in the text */
function readTopics(root: JsonRecord, range: NodeRange, entries: MapEntries): ReadTopics {
  const topics: Topic[] = [];
  const original: OriginalTopic[] = [];
  const places = new Map<number, number>();
  const ranges = new Map<number, NodeRange>();
  const read = (node: JsonRecord, { children }: NodeRange, above: number, depth: number) => {
    const [below, keywords]: [number[], number[]] = [[], []];
    const [names, before] = [new Set<string>(), new Set<string>()];
    let isCrossed = false;
    childrenOf(node).forEach((child, at) => {
      const name = textOf(child.name) ?? '';
      if (childrenOf(child).length === 0) {
        const row = entries.place(name, leafMembers(child));
        if (places.has(row)) throw new MapError('keyword-twice');
        places.set(row, above);
        ranges.set(row, children[at]!);
        keywords.push(row);
        before.add(normalForm(name, 'NFC'));
        return;
      }
      // Addresses are computed from names in NFC.
      const normal = normalForm(name, 'NFC');
      if (names.has(normal)) throw new MapError('topic-twice');
      names.add(normal);
      isCrossed ||= before.has(normal);
      const topic = topicOfNode(child, name, above, depth);
      const number = topics.push(topic) - 1;
      below.push(number);
      const inside = read(child, children[at]!, number, depth + 1);
      const { start, end } = children[at]!;
      original[number] = { start, end, name, kind: topic.kind, confidence: topic.confidence, ...inside };
    });
    return { topics: below, keywords, isCrossed };
  };
  read(root, range, -1, 0);
  const nodes = positions(entries.texts.length, (row) => ranges.get(row));
  // Keywords directly below the root are strays, too.
  const topicOf = Int32Array.from(entries.texts, (_, row) => places.get(row) ?? -1);
  return { ...withStrays({ topics, topicOf }), nodes, original };
}

function topicOfNode(node: JsonRecord, name: string, parent: number, depth: number): Topic {
  const extra = Object.keys(node).find((member) => !topicMembers.has(member));
  if (extra !== undefined) throw new MapError('topic-figures');
  const { type, confidence } = node;
  const byDepth: TopicKind = depth === 0 ? 'pillar_topic' : depth === 1 ? 'cluster' : 'subtopic';
  return {
    name,
    kind: kinds.has(String(type)) ? (type as TopicKind) : byDepth,
    parent,
    confidence: typeof confidence === 'number' ? confidence : Number.NaN,
    terms: [],
  };
}

/** The children of a node. A text among them is a keyword without other members. */
function childrenOf({ children }: JsonRecord): JsonRecord[] {
  if (!Array.isArray(children)) return [];
  return children.flatMap((child) => (typeof child === 'string' ? [{ name: child }] : isRecord(child) ? [child] : []));
}

/** What a keyword's node says about it beyond its name and type. */
const leafMembers = (leaf: JsonRecord): [string, unknown][] =>
  Object.entries(leaf).filter(([member]) => !topicMembers.has(member));
