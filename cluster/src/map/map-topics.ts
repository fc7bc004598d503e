import type { OriginalTopic } from '../draft/original-map.ts';
import { strayName, type Topic, type TopicKind } from '../pipeline/topic-tree.ts';
import type { NodeRange } from './json-ranges.ts';
import type { MapEntries } from './map-entries.ts';
import { MapError } from './map-error.ts';
import { isRecord, type JsonRecord, textOf } from './map-json.ts';

/** Members that a topic may have: a draft holds no others. */
const topicMembers: ReadonlySet<string> = new Set(['name', 'type', 'confidence', 'children']);
const kinds: ReadonlySet<string> = new Set<TopicKind>(['pillar_topic', 'cluster', 'subtopic', 'stray']);

export type ReadTopics = {
  /** In the order of the file. */
  readonly topics: readonly Topic[];
  /** The topic of each keyword. */
  readonly topicOf: Int32Array;
  /** Where each keyword's node stands in the file, as in `OriginalMap`. */
  readonly nodes: Int32Array;
  /** Topics as they are in the file. */
  readonly original: readonly OriginalTopic[];
};

/** @param range of `root` in the text that it was read from */
export function readTopics(root: JsonRecord, range: NodeRange, entries: MapEntries): ReadTopics {
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
        before.add(name);
        return;
      }
      if (names.has(name)) throw new MapError('topic-twice');
      names.add(name);
      isCrossed ||= before.has(name);
      const topic = topicOf(child, name, above, depth);
      const number = topics.push(topic) - 1;
      below.push(number);
      const inside = read(child, children[at]!, number, depth + 1);
      const { start, end } = children[at]!;
      original[number] = { start, end, name, kind: topic.kind, confidence: topic.confidence, ...inside };
    });
    return { topics: below, keywords, isCrossed };
  };
  read(root, range, -1, 0);
  const nodes = Int32Array.from({ length: 2 * entries.texts.length }, (_, at) => {
    const found = ranges.get(at >> 1);
    return found ? (at % 2 === 0 ? found.start : found.end) : -1;
  });
  return { ...withStrays(topics, places, entries.texts.length), nodes, original };
}

function topicOf(node: JsonRecord, name: string, parent: number, depth: number): Topic {
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

/** Keywords that no topic holds, or only the root, are strays. */
function withStrays(topics: Topic[], places: ReadonlyMap<number, number>, count: number) {
  let strays = topics.findIndex(({ kind, parent }) => kind === 'stray' && parent < 0);
  const topicOf = Int32Array.from({ length: count }, (_, row) => places.get(row) ?? -1);
  if (strays < 0 && topicOf.includes(-1)) {
    const topic = { name: strayName, kind: 'stray', parent: -1, confidence: Number.NaN, terms: [] } as const;
    strays = topics.push(topic) - 1;
  }
  return { topics, topicOf: topicOf.map((topic) => (topic < 0 ? strays : topic)) };
}

/** A text among the children is a keyword without anything else. */
function childrenOf({ children }: JsonRecord): JsonRecord[] {
  if (!Array.isArray(children)) return [];
  return children.flatMap((child) => (typeof child === 'string' ? [{ name: child }] : isRecord(child) ? [child] : []));
}

/** What a keyword's node says about it beyond its name and type. */
const leafMembers = (leaf: JsonRecord): [string, unknown][] =>
  Object.entries(leaf).filter(([member]) => !topicMembers.has(member));
