import type { FilteredPack } from '../filter/filtered-pack.ts';
import { loadRepeatColumns } from '../filter/repeat-columns.ts';
import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { countsOf } from '../levels/level-rows.ts';

/** The keywords of some entries, by the index of the entry. */
export interface KeywordsOfEntries {
  /** Heaviest first, unknown volumes last; ties are in pack order. Must not be modified. */
  of(entry: number): Uint32Array;
  /** All of them. */
  readonly total: number;
}

/**
 * Gives each distinct keyword to one entry, so that nobody gets it twice: to its nearest ancestor among the entries, or
 * itself. Of a keyword with several places, the place counts that is nearest to its entry; of equally near ones the
 * first in the file. Keywords outside all entries belong to none.
 *
 * Cost: two passes over the nodes and one over the repeats; 12 bytes per node.
 *
 * @param entries the rows of the entries, each once
 */
export async function keywordsOfEntries(
  pack: PackReader | FilteredPack,
  entries: Uint32Array,
  pause: Pause = noPause,
): Promise<KeywordsOfEntries> {
  const whole = 'kept' in pack ? pack.whole : pack;
  const { nodes } = whole.metadata;
  const [isCounted, parent, depth, volume] = [
    await countsOf(pack),
    await whole.column('parent'),
    await whole.column('depth'),
    await whole.column('own_volume'),
  ];
  /** By row: the index of its entry plus 1; 0 for none. */
  const nearest = new Uint32Array(nodes);
  for (const [index, row] of entries.entries()) nearest[row] = index + 1;
  await eachPiece(nodes, pause, (from, end) => {
    // Parents come first.
    for (let row = Math.max(1, from); row < end; row++) if (nearest[row] === 0) nearest[row] = nearest[parent[row]!]!;
  });
  const distance = (row: number) => depth[row]! - depth[entries[nearest[row]! - 1]!]!;
  const isLeftOut = await fartherPlaces(whole, (row) => isCounted(row) && nearest[row] !== 0, distance, pause);
  const starts = new Uint32Array(entries.length + 1);
  const belongs = (row: number) => nearest[row] !== 0 && isCounted(row) && isLeftOut[row] === 0;
  await eachPiece(nodes, pause, (from, end) => {
    for (let row = from; row < end; row++) if (belongs(row)) starts[nearest[row]!]! += 1;
  });
  for (let index = 0; index < entries.length; index++) starts[index + 1]! += starts[index]!;
  const rows = new Uint32Array(starts[entries.length]!);
  const next = starts.slice();
  await eachPiece(nodes, pause, (from, end) => {
    for (let row = from; row < end; row++) if (belongs(row)) rows[next[nearest[row]! - 1]!++] = row;
  });
  const weigh = (row: number) => {
    const own = volume ? volume[row]! : Number.NaN;
    return Number.isNaN(own) ? -1 : own;
  };
  const isSorted = new Uint8Array(entries.length);
  return {
    total: rows.length,
    of(entry) {
      const own = rows.subarray(starts[entry], starts[entry + 1]);
      if (isSorted[entry] === 0) own.sort((one, other) => weigh(other) - weigh(one) || one - other);
      isSorted[entry] = 1;
      return own;
    },
  };
}

/** 1 for each row that `counts` although a better place of the same keyword does, too. */
async function fartherPlaces(
  pack: PackReader,
  counts: (row: number) => boolean,
  distance: (row: number) => number,
  pause: Pause,
): Promise<Uint8Array> {
  const isLeftOut = new Uint8Array(pack.metadata.nodes);
  const { rows, previous, at } = await loadRepeatColumns(pack, pause);
  /** By index of a repeat: the index of the last one of its keyword that was visited; then follows its chain. */
  const last = new Uint8Array(rows.length).fill(1);
  for (let index = 0; index < rows.length; index++) if (at[index]! >= 0) last[at[index]!] = 0;
  await eachPiece(rows.length, pause, (from, end) => {
    for (let index = from; index < end; index++) {
      if (last[index] === 0) continue;
      // Every keyword that occurs again has one last occurrence, from which all others are reached once.
      let best = -1;
      // From the last place in the file to the first, which wins among equally near ones.
      const visit = (row: number): void => {
        if (!counts(row)) return;
        const isBetter = best >= 0 && distance(row) <= distance(best);
        if (best >= 0) isLeftOut[isBetter ? best : row] = 1;
        if (best < 0 || isBetter) best = row;
      };
      for (let next = index; next >= 0; next = at[next]!) {
        visit(rows[next]!);
        if (at[next]! < 0) visit(previous[next]!);
      }
    }
  });
  return isLeftOut;
}
