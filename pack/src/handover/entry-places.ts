import type { FilteredPack } from '../filter/filtered-pack.ts';
import { branchesOf } from '../filter/pack-branches.ts';
import { noPause, type Pause } from '../format/in-pieces.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { isClusterType } from '../levels/level.ts';
import { clustersOf, type Topics } from '../levels/topics.ts';

/** Where an entry is: rows of the pack, {@link noRow} for none. */
export type EntryPlace = {
  readonly row: number;
  /** From below the root to the entry. */
  readonly way: readonly number[];
  readonly pillar: number;
  /** The cluster that the entry is, or is in. A branch above clusters is in none. */
  readonly cluster: number;
};

/** The places of some entries in the order of the hierarchy: every one before those below it, siblings in pack order, which is by weight. */
export async function entryPlaces(
  pack: PackReader | FilteredPack,
  entries: Uint32Array,
  pause: Pause = noPause,
): Promise<EntryPlace[]> {
  const whole = 'kept' in pack ? pack.whole : pack;
  const [parent, clusters, clusterAt] = [
    await whole.column('parent'),
    await clustersOf(whole, pause),
    await clusterFinder(whole, pause),
  ];
  const places = Array.from(entries, (row): EntryPlace => {
    const way: number[] = [];
    for (let at = row; at > 0; at = parent[at]!) way.push(at);
    way.reverse();
    return { row, way, pillar: way[0] ?? noRow, cluster: clusterAt(clusters, row) };
  });
  return places.sort(byWay);
}

const byWay = (one: EntryPlace, other: EntryPlace): number => {
  const common = Math.min(one.way.length, other.way.length);
  for (let level = 0; level < common; level++) {
    if (one.way[level] !== other.way[level]) return one.way[level]! - other.way[level]!;
  }
  return one.way.length - other.way.length;
};

async function clusterFinder(pack: PackReader, pause: Pause): Promise<(clusters: Topics, row: number) => number> {
  const [{ starts, firstChild, childCount }, type, isKeyword] = [
    await branchesOf(pack, pause),
    await pack.column('type'),
    await pack.column('is_keyword'),
  ];
  const isCluster = pack.metadata.types.map(isClusterType);
  const hasKeyword = (branch: number): boolean => {
    const end = firstChild[branch]! + childCount[branch]!;
    for (let row = firstChild[branch]!; row < end; row++) if (isKeyword[row] === 1) return true;
    return false;
  };
  return ({ of, ofChildren }, row) => {
    const branch = starts[row]!;
    if (branch === starts[row + 1]) return of(row);
    const own = ofChildren[branch]!;
    return own !== row || isCluster[type[row]!] || hasKeyword(branch) ? own : noRow;
  };
}
