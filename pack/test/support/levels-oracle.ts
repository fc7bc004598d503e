import type { FilteredPack } from '../../src/filter/filtered-pack.ts';
import { namesAt } from '../../src/format/names-at.ts';
import type { PackReader } from '../../src/format/pack-reader.ts';

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
export async function plainNodes(pack: PackReader | FilteredPack): Promise<OracleNode[]> {
  const whole = 'kept' in pack ? pack.whole : pack;
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

export function clusterOf(node: OracleNode): OracleNode | undefined {
  const above = lineOf(node).slice(1);
  return above.find(({ type }) => type === 'cluster') ?? above[0];
}

/** The rows of a level within a focus, from the definition. */
export function rowsOfLevel(nodes: readonly OracleNode[], level: string, within: number): number[] {
  const inside = nodes.filter((node) => lineOf(node).some(({ row }) => row === within));
  const keywords = inside.filter(({ counts }) => counts);
  if (level === 'keywords') return keywords.map(({ row }) => row);
  if (level === 'pillars') {
    return within === 0 ? nodes.filter(({ parent }) => parent?.row === 0).map(({ row }) => row) : [];
  }
  const clusters = new Set(keywords.map(clusterOf));
  for (const keyword of keywords) {
    // Clusters nest: the outer ones hold the keyword, too.
    for (const above of lineOf(keyword).slice(1)) if (above.type === 'cluster') clusters.add(above);
  }
  return inside.filter((node) => clusters.has(node) && node.row !== within).map(({ row }) => row);
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
