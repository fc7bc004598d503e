import { strayName, type Topic, type TopicKind } from '../pipeline/topic-tree.ts';
import type { MapEntries } from './map-entries.ts';
import { MapError } from './map-error.ts';
import { isRecord, type JsonRecord, textOf } from './map-json.ts';

/** Members that a topic may have: a draft holds no others. */
const topicMembers: ReadonlySet<string> = new Set(['name', 'type', 'confidence', 'children']);
const kinds: ReadonlySet<string> = new Set<TopicKind>(['pillar_topic', 'cluster', 'subtopic', 'stray']);

/** The topics of a hierarchy in the order of the file, and the topic of each keyword. */
export function readTopics(
  root: JsonRecord,
  entries: MapEntries,
): { readonly topics: readonly Topic[]; readonly topicOf: Int32Array } {
  const topics: Topic[] = [];
  const places = new Map<number, number>();
  const read = (node: JsonRecord, above: number, depth: number): void => {
    const names = new Set<string>();
    for (const child of childrenOf(node)) {
      const name = textOf(child.name) ?? '';
      if (childrenOf(child).length === 0) {
        const row = entries.place(name, leafMembers(child));
        if (places.has(row)) throw new MapError('keyword-twice');
        places.set(row, above);
        continue;
      }
      if (names.has(name)) throw new MapError('topic-twice');
      names.add(name);
      read(child, topics.push(topicOf(child, name, above, depth)) - 1, depth + 1);
    }
  };
  read(root, -1, 0);
  return withStrays(topics, places, entries.texts.length);
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
