import { noPause, type Pause } from '../format/in-pieces.ts';
import { placesAt } from '../format/locate.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { isStrayType } from '../levels/level.ts';
import { valuesOf } from '../levels/row-values.ts';
import { fingerprintOf } from './likeness.ts';
import { type NodePath, pathOf } from './node-paths.ts';

/** The distinct keywords of a node and the sum of their known volumes; `volume` is absent if none is known. */
type NodeFigures = { readonly keywords: number; readonly volume?: number };

/** What an entry of a plan stores about its node. */
export type NodeFacts = NodeFigures & {
  readonly address: string;
  readonly path: NodePath;
  readonly kind: 'branch' | 'keyword';
  readonly fingerprint: readonly string[];
};

/** The facts about the nodes with some IDs, in the order of the IDs. Left out are missing nodes, the root, and branches of type `stray`. */
export async function nodeFacts(pack: PackReader, addresses: readonly string[], pause?: Pause): Promise<NodeFacts[]> {
  const places = await placesAt(pack, addresses, pause);
  const rows = Uint32Array.from(new Set(places.values())).sort();
  const [type, branches] = [await pack.gather('type', rows), await pack.branchesOf(rows)];
  const isStray = pack.metadata.types.map(isStrayType);
  const isPlace = new Set(rows.filter((row, at) => row > 0 && !(isStray[type[at]!] && branches[at] !== noRow)));
  const found = addresses.flatMap((address) => {
    const row = places.get(address);
    return row === undefined || !isPlace.has(row) ? [] : [{ address, row }];
  });
  const figures = await figuresOf(
    pack,
    found.map(({ row }) => row),
    pause,
  );
  const facts: NodeFacts[] = [];
  for (const [at, { address, row }] of found.entries()) {
    const [branch] = await pack.branchesOf(Uint32Array.of(row));
    facts.push({
      address,
      path: await pathOf(pack, row),
      kind: branch === noRow ? 'keyword' : 'branch',
      fingerprint: await fingerprintOf(pack, row),
      ...figures[at]!,
    });
  }
  return facts;
}

/** The figures of some rows, in their order. */
export async function figuresOf(
  pack: PackReader,
  rows: readonly number[],
  pause: Pause = noPause,
): Promise<NodeFigures[]> {
  const ascending = Uint32Array.from(new Set(rows)).sort();
  const [keywords, volume] = [
    await valuesOf(pack, 'keywords', ascending, pause),
    await valuesOf(pack, 'volume', ascending, pause),
  ];
  const places = new Map(Array.from(ascending, (row, at) => [row, at]));
  return rows.map((row) => {
    const at = places.get(row)!;
    const known = volume[at]!;
    return { keywords: keywords[at]!, ...(!Number.isNaN(known) && { volume: known }) };
  });
}
