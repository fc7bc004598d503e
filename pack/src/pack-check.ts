import type { ByteSource } from './byte-source.ts';
import { PackDamaged } from './pack-format.ts';
import { openPack, type PackReader } from './pack-reader.ts';

/**
 * Opens a pack and verifies all of it: every block, the shape of the tree, the roll-ups that follow from others, and
 * the counts. What the writer's side asks before a pack is published.
 *
 * Cost: one pass over the file; about 60 bytes a row.
 * @throws PackDamaged naming the first thing that is wrong
 */
export async function checkPack(source: ByteSource): Promise<PackReader> {
  const pack = await openPack(source);
  await pack.checkBlocks();
  await checkShape(pack);
  await checkTexts(pack);
  await checkSums(pack);
  await checkKeywords(pack);
  await checkRanges(pack);
  return pack;
}

/** Breadth first: runs of children follow each other in the order of their parents and fill all rows. */
async function checkShape(pack: PackReader): Promise<void> {
  const { nodes, depth: deepest, types } = pack.metadata;
  const [parent, firstChild, childCount, depth, type] = await Promise.all([
    pack.column('parent'),
    pack.column('first_child'),
    pack.column('child_count'),
    pack.column('depth'),
    pack.column('type'),
  ]);
  if (nodes < 1 || depth[0] !== 0 || parent[0] !== 0) throw new PackDamaged('no root');
  let next = 1;
  for (let row = 0; row < nodes; row++) {
    if (type[row]! >= types.length) throw new PackDamaged(`row ${row} has type ${type[row]}`);
    if (childCount[row] === 0) continue;
    if (firstChild[row] !== next || next <= row) throw new PackDamaged(`children of row ${row} are not in their place`);
    for (const end = next + childCount[row]!; next < end; next++) {
      if (next >= nodes || parent[next] !== row) throw new PackDamaged(`row ${next} is no child of row ${row}`);
      if (depth[next] !== depth[row]! + 1) throw new PackDamaged(`row ${next} has depth ${depth[next]}`);
    }
  }
  if (next !== nodes) throw new PackDamaged(`${nodes} nodes, of which ${next} hang together`);
  if (depth[nodes - 1] !== deepest) throw new PackDamaged(`depth ${depth[nodes - 1]}, expected ${deepest}`);
}

async function checkTexts(pack: PackReader): Promise<void> {
  for (const name of ['name', 'folded'] as const) {
    const { start, bytes } = await pack.texts(name);
    for (let row = 0; row < pack.rows; row++) {
      if (start[row + 1]! < start[row]!) throw new PackDamaged(`${name} of row ${row}`);
    }
    if (start[0] !== 0 || start[pack.rows] !== bytes.length) throw new PackDamaged(`${name}s do not fill their place`);
  }
}

/** Columns that are sums over children add up. */
async function checkSums(pack: PackReader): Promise<void> {
  const { nodes } = pack.metadata;
  const parent = await pack.column('parent');
  const childCount = await pack.column('child_count');
  const sums = new Float64Array(nodes);
  const check = (what: string, column: ArrayLike<number>, child: ArrayLike<number>, own: (row: number) => number) => {
    sums.fill(0);
    for (let row = nodes - 1; row > 0; row--) sums[parent[row]!]! += child[row]! || 0;
    for (let row = 0; row < nodes; row++) {
      const expected = sums[row]! + own(row);
      // Volumes need not be whole, and sums of fractions depend on their order.
      if (Math.abs(column[row]! - expected) > 1e-9 * Math.abs(expected)) {
        throw new PackDamaged(`${what} of row ${row} is ${column[row]}, expected ${expected}`);
      }
    }
  };
  const branchNodes = await pack.column('nodes');
  check('nodes', branchNodes, branchNodes, () => 1);
  const leaves = await pack.column('leaves');
  check('leaves', leaves, leaves, (row) => Number(childCount[row] === 0));
  check('child_keywords', await pack.column('child_keywords'), await pack.column('keywords'), () => 0);
  check('child_volume', await pack.column('child_volume'), await pack.column('volume'), () => 0);
}

/** The root counts every keyword node once or as a repeat; with those no node names that is all of them. */
async function checkKeywords(pack: PackReader): Promise<void> {
  const { nodes } = pack.metadata;
  const isKeyword = await pack.column('is_keyword');
  const [counted] = await pack.gather('keywords', Uint32Array.of(0));
  const [repeats] = await pack.gather('repeats', Uint32Array.of(0));
  let found = 0;
  for (let row = 0; row < nodes; row++) found += isKeyword[row]!;
  if (counted! + repeats! !== found) throw new PackDamaged(`${found} keyword nodes, the root counts ${counted}`);
}

async function checkRanges(pack: PackReader): Promise<void> {
  for (const [start, end] of [['node_start', 'node_end'] as const, ['keyword_start', 'keyword_end'] as const]) {
    const from = await pack.column(start);
    const to = await pack.column(end);
    for (let row = 0; row < pack.rows; row++) {
      const first = from[2 * row]! + from[2 * row + 1]! * 2 ** 32;
      const last = to[2 * row]! + to[2 * row + 1]! * 2 ** 32;
      if (first > last || last > pack.metadata.sourceBytes) throw new PackDamaged(`byte range of row ${row}`);
    }
  }
}
