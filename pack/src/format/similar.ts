import { formatAddress } from '../names/path-hash.ts';
import { namesOf } from './names-at.ts';
import { around, type PackReader } from './pack-reader.ts';

/** For each of some rows, the rows most similar to it, nearest first; empty where the file names none. */
export async function similarTo(pack: Pick<PackReader, 'metadata' | 'gather'>, rows: Uint32Array): Promise<number[][]> {
  if (!pack.metadata.similar) return Array.from(rows, () => []);
  const starts = (await pack.gather('similar', around(rows)))!;
  const places = Array.from(rows, (_, at) =>
    Array.from({ length: starts[2 * at + 1]! - starts[2 * at]! }, (_, nth) => starts[2 * at]! + nth),
  );
  const found = (await pack.gather('similar_row', Uint32Array.from(places.flat())))!;
  let next = 0;
  return places.map((own) => own.map(() => found[next++]!));
}

/** A node that is similar to another. Same shape as in the HTTP contract. */
export type SimilarNode = { node: number; address: string; name: string; above: string };

/** {@link similarTo} without the rows that a filter excludes. */
async function keptSimilar(pack: PackReader, rows: Uint32Array): Promise<number[][]> {
  return (await similarTo(pack.whole, rows)).map((some) => some.filter((one) => pack.keeps(one)));
}

/** The names of the nodes most similar to each row, nearest first. A filter leaves out what it excludes. */
export async function similarNames(pack: PackReader, rows: Uint32Array): Promise<string[][]> {
  const similar = await keptSimilar(pack, rows);
  const named = await namesOf(pack.whole, similar.flat());
  return similar.map((some) => some.map(named));
}

/** The nodes most similar to a row, nearest first, each with the name of its parent. */
export async function describeSimilar(pack: PackReader, row: number): Promise<SimilarNode[]> {
  const { whole } = pack;
  const similar = (await keptSimilar(pack, Uint32Array.of(row)))[0]!;
  if (similar.length === 0) return [];
  const ascending = Uint32Array.from(similar).sort();
  const [parents, halves] = [await whole.gather('parent', ascending), await whole.gather('address', ascending)];
  const placeOf = new Map(Array.from(ascending, (one, at) => [one, at]));
  const named = await namesOf(whole, [...similar, ...parents]);
  return similar.map((node) => {
    const at = placeOf.get(node)!;
    const address = formatAddress(halves[2 * at + 1]!, halves[2 * at]!);
    return { node, address, name: named(node), above: named(parents[at]!) };
  });
}
