import { namesAt } from '../../src/format/names-at.ts';
import type { View } from '../../src/sums/filtered-pack.ts';

/** A node of a pack, as a plain object. */
export type OracleNode = {
  readonly row: number;
  readonly parent: OracleNode | undefined;
  readonly type: string;
  readonly key: string;
  /** Whether it is a keyword, and the filter keeps it. */
  readonly counts: boolean;
  readonly place: number;
  readonly volume: number;
  readonly difficulty: number;
  readonly intent: number;
};

/** The nodes of a pack by row, read column by column without any roll-up. */
export async function plainNodes(pack: View): Promise<OracleNode[]> {
  const { whole } = pack;
  const { nodes, types } = whole.metadata;
  const all = Uint32Array.from({ length: nodes }, (_, row) => row);
  const [parent, type, isKeyword, start] = [
    await whole.column('parent'),
    await whole.column('type'),
    await whole.column('is_keyword'),
    await whole.column('node_start'),
  ];
  const [volume, difficulty, intent] = [
    await whole.column('own_volume'),
    await whole.column('own_difficulty'),
    await whole.column('own_intent'),
  ];
  const names = await namesAt(whole, all);
  const made: OracleNode[] = [];
  for (const row of all) {
    made.push({
      row,
      parent: row === 0 ? undefined : made[parent[row]!],
      type: types[type[row]!]!,
      key: names[row]!.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().replace(/\s+/g, ' ').trim(),
      counts: 'kept' in pack ? pack.counts(row) : isKeyword[row] === 1,
      place: start[row]!,
      volume: volume?.[row] ?? Number.NaN,
      difficulty: difficulty?.[row] ?? Number.NaN,
      intent: intent?.[row] ?? 0,
    });
  }
  return made;
}

/** A node and its ancestors, the node first. */
export const lineOf = (node: OracleNode): OracleNode[] => [node, ...(node.parent ? lineOf(node.parent) : [])];

/** Below a node of type `stray`, unless a nearer one is a cluster, there is none. */
export function clusterOf(node: OracleNode): OracleNode | undefined {
  const above = lineOf(node).slice(1);
  const nearest = above.find(({ row, type }) => type === 'cluster' || (type === 'stray' && row > 0));
  return nearest ? (nearest.type === 'stray' ? undefined : nearest) : above[0];
}

/** What is in no subtopic is in its cluster, if that has no subtopics. */
export function subtopicOf(node: OracleNode, nodes: readonly OracleNode[]): OracleNode | undefined {
  const above = lineOf(node).slice(1);
  const nearest = above.find(({ row, type }) => type === 'subtopic' || (type === 'stray' && row > 0));
  if (nearest?.type === 'subtopic') return nearest;
  const cluster = clusterOf(node);
  const isSubtopic = (one: OracleNode) => one.type === 'subtopic' && nodes.some(({ parent }) => parent === one);
  return nodes.some((one) => isSubtopic(one) && clusterOf(one) === cluster) ? undefined : cluster;
}

/** The rows of a level within a focus, from the definition. */
export function rowsOfLevel(nodes: readonly OracleNode[], level: string, within: number): number[] {
  const inside = nodes.filter((node) => lineOf(node).some(({ row }) => row === within));
  const keywords = inside.filter(({ counts }) => counts);
  if (level === 'keywords') return keywords.map(({ row }) => row);
  if (level === 'pillars' || level === 'children') {
    const isStray = (node: OracleNode) => node.type === 'stray' && nodes.some(({ parent }) => parent === node);
    const children = nodes.filter((node) => node.parent?.row === within && !isStray(node));
    return level === 'children' || within === 0 ? children.map(({ row }) => row) : [];
  }
  const topicOf = (node: OracleNode) => (level === 'clusters' ? clusterOf(node) : subtopicOf(node, nodes));
  const types = level === 'clusters' ? ['cluster'] : ['cluster', 'subtopic'];
  const topics = new Set(keywords.map(topicOf));
  for (const keyword of keywords) {
    // Topics nest: the outer ones hold the keyword, too.
    for (const one of lineOf(keyword)) {
      const { parent } = one;
      if (parent && types.includes(parent.type) && topicOf(one) === parent) topics.add(parent);
    }
  }
  return inside.filter((node) => topics.has(node) && node.row !== within).map(({ row }) => row);
}

/** The keywords within some nodes, each text once, in its first occurrence in the file. */
export function distinctWithin(nodes: readonly OracleNode[], rows: readonly number[]): OracleNode[] {
  const wanted = new Set(rows);
  const inside = nodes.filter((node) => node.counts && lineOf(node).some(({ row }) => wanted.has(row)));
  inside.sort((one, other) => one.place - other.place);
  const first = new Map<string, OracleNode>();
  for (const node of inside) if (!first.has(node.key)) first.set(node.key, node);
  return [...first.values()];
}
