import type { PackReader } from './pack-reader.ts';
import { selectRows } from './select-rows.ts';
import type { Slice, SliceQuery } from './slice.ts';

/**
 * The part of the tree under a node that one screen wants: see `Slice` for its shape and `selectRows` for the choice.
 *
 * Cost: five columns are read whole and kept with the pack, of the others only the rows chosen.
 * @throws RangeError when the node is not in the tree, the budget is below 1 or the skip is negative
 */
export async function takeSlice(pack: PackReader, query: SliceQuery): Promise<Slice> {
  checkQuery(query, pack.metadata.nodes);
  const [first_child, child_count, volume, keywords, leaves] = await Promise.all([
    pack.column('first_child'),
    pack.column('child_count'),
    pack.column('volume'),
    pack.column('keywords'),
    pack.column('leaves'),
  ]);
  const budget = Math.min(query.budget, pack.metadata.nodes);
  const node = selectRows({ first_child, child_count, volume, keywords, leaves }, { ...query, budget });
  const rows = node.length;
  const { start, bytes } = await pack.gatherTexts('name', node);
  return {
    rows,
    node,
    parent: placeInSlice(node, await pack.gather('parent', node)),
    depth: await pack.gather('depth', node),
    type: await pack.gather('type', node),
    childCount: pick(child_count, node, new Uint32Array(rows)),
    leaves: pick(leaves, node, new Uint32Array(rows)),
    keywords: pick(keywords, node, new Uint32Array(rows)),
    volume: pick(volume, node, new Float64Array(rows)),
    volumeKnown: await pack.gather('volume_known', node),
    childKeywords: await pack.gather('child_keywords', node),
    childVolume: await pack.gather('child_volume', node),
    difficulty: await pack.gather('difficulty', node),
    difficultyKnown: await pack.gather('difficulty_known', node),
    cpc: await pack.gather('cpc', node),
    cpcKnown: await pack.gather('cpc_known', node),
    intent: await gatherIntents(pack, node),
    address: swapHalves(await pack.gather('address', node)),
    nameStart: Uint32Array.from(start),
    names: bytes,
    types: pack.metadata.types,
  };
}

function checkQuery({ node, budget, skip }: SliceQuery, nodes: number): void {
  if (!Number.isInteger(node) || node < 0 || node >= nodes) throw new RangeError(`Node ${node} of ${nodes}`);
  if (!Number.isInteger(budget) || budget < 1) throw new RangeError(`Budget ${budget}`);
  if (!Number.isInteger(skip) || skip < 0) throw new RangeError(`Skip ${skip}`);
}

function pick<T extends Uint32Array | Float64Array>(column: T, rows: Uint32Array, into: T): T {
  for (let index = 0; index < rows.length; index++) into[index] = column[rows[index]!]!;
  return into;
}

/** Pack rows of parents → slice rows. Breadth first, so parents rise as rows do and one walk finds all. */
function placeInSlice(node: Uint32Array, parent: Uint32Array): Uint32Array {
  const places = new Uint32Array(node.length);
  let place = 0;
  for (let row = 1; row < node.length; row++) {
    while (node[place]! < parent[row]!) place++;
    places[row] = place;
  }
  return places;
}

async function gatherIntents(pack: PackReader, rows: Uint32Array): Promise<Uint32Array> {
  const intents = new Uint32Array(4 * rows.length);
  const names = ['informational', 'navigational', 'commercial', 'transactional'] as const;
  for (const [kind, name] of names.entries()) {
    const column = await pack.gather(name, rows);
    for (let row = 0; row < rows.length; row++) intents[4 * row + kind] = column[row]!;
  }
  return intents;
}

/** Packs hold 64 bits low half first, slices high half first. */
function swapHalves(pairs: Uint32Array): Uint32Array {
  for (let low = 0; low < pairs.length; low += 2) {
    const half = pairs[low]!;
    pairs[low] = pairs[low + 1]!;
    pairs[low + 1] = half;
  }
  return pairs;
}
