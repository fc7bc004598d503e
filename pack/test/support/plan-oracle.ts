import { namesAt } from '../../src/format/names-at.ts';
import type { PackReader } from '../../src/format/pack-reader.ts';

/** A node as the oracle sees it. */
type Plain = {
  readonly row: number;
  readonly parent: number;
  readonly key: string;
  readonly isKeyword: boolean;
  readonly volume: number | undefined;
  /** Where it begins in the file. */
  readonly start: number;
  readonly ancestors: readonly number[];
};

/** All nodes of a pack as plain objects. */
export async function plainNodes(pack: PackReader): Promise<Plain[]> {
  const rows = Uint32Array.from({ length: pack.metadata.nodes }, (_, row) => row);
  const names = await namesAt(pack, rows);
  const [parent, isKeyword, volume, start] = [
    await pack.column('parent'),
    await pack.column('is_keyword'),
    await pack.column('own_volume'),
    await pack.column('node_start'),
  ];
  const nodes: Plain[] = [];
  for (const row of rows) {
    const known = volume?.[row];
    nodes.push({
      row,
      parent: parent[row]!,
      key: names[row]!.normalize('NFC')
        .toLowerCase()
        .toUpperCase()
        .toLowerCase()
        .normalize('NFC')
        .replace(/\s+/gu, ' ')
        .trim(),
      isKeyword: isKeyword[row] === 1,
      volume: known === undefined || Number.isNaN(known) ? undefined : known,
      start: start[row]!,
      ancestors: row === 0 ? [] : [...nodes[parent[row]!]!.ancestors, parent[row]!],
    });
  }
  return nodes;
}

/** The expected coverage of each node, computed for each one separately from its distinct keywords. */
export function expectedCoverage(nodes: readonly Plain[], ranks: ReadonlyMap<number, number>) {
  const rankOf = ({ row, ancestors }: Plain): number => {
    const named = [...ancestors, row].reverse().find((one) => ranks.has(one));
    return named === undefined ? 0 : ranks.get(named)!;
  };
  const effective = nodes.map(rankOf);
  const coverage = nodes.map((node) => {
    const inside = nodes
      .filter((one) => one.isKeyword && (one === node || one.ancestors.includes(node.row)))
      .sort((one, other) => one.start - other.start);
    const volumeFrom = (rank: number) => {
      const firsts = new Map<string, Plain>();
      for (const one of inside) if (effective[one.row]! >= rank && !firsts.has(one.key)) firsts.set(one.key, one);
      const all = [...firsts.values()];
      return {
        keywords: all.length,
        volume: all.reduce((sum, one) => sum + (one.volume ?? 0), 0),
        known: all.filter((one) => one.volume !== undefined).length,
      };
    };
    const from = [0, 1, 2, 3, 4, 5].map(volumeFrom);
    return {
      keywords: from[0]!.keywords,
      volumeKnown: from[0]!.known,
      ofStatus: [0, 1, 2, 3, 4].map((rank) => ({
        keywords: from[rank]!.keywords - from[rank + 1]!.keywords,
        volume: Math.max(0, from[rank]!.volume - from[rank + 1]!.volume),
      })),
    };
  });
  return { effective, coverage };
}
