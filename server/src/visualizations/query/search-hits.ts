import { namesAt } from '@kc/pack/format/names-at';
import type { PackReader } from '@kc/pack/format/pack-reader';
import { rollUpsOf } from '@kc/pack/slice/rolled-rows';
import type { SearchHit } from '@kc/rules/shapes';

/** The rows that a search found, in the order of `rows`, with what the list of hits shows. */
export async function describeHits(pack: PackReader, rows: readonly number[]): Promise<SearchHit[]> {
  const parent = await pack.column('parent');
  const rolled = await rollUpsOf(pack, Uint32Array.from(rows));
  const keywords = await rolled.column('keywords');
  const volume = await rolled.column('volume');
  const paths = rows.map((row) => ancestorsOf(parent, row));
  const nameOf = await namesOf(pack, [...rows, ...paths.flat()]);
  const types = await pack.gather('type', Uint32Array.from(rows));
  return rows.map((node, index) => ({
    node,
    name: nameOf(node),
    type: pack.metadata.types[types[index]!] ?? '',
    keywords: keywords[index]!,
    ...(Number.isNaN(volume[index]) ? {} : { volume: volume[index]! }),
    path: paths[index]!.map((ancestor) => ({ node: ancestor, name: nameOf(ancestor) })),
  }));
}

/** From the root to the parent. */
function ancestorsOf(parent: Uint32Array, row: number): number[] {
  const path: number[] = [];
  for (let at = row; at > 0; ) {
    at = parent[at]!;
    path.push(at);
  }
  return path.reverse();
}

async function namesOf(pack: PackReader, rows: readonly number[]): Promise<(row: number) => string> {
  const distinct = Uint32Array.from(new Set(rows)).sort();
  const texts = await namesAt(pack, distinct);
  const names = new Map(texts.map((name, index) => [distinct[index]!, name]));
  return (row) => names.get(row) ?? '';
}
