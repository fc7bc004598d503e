import type { ByteSource } from './byte-source.ts';
import { noRow, PackDamaged, type PackField, rootSliceRows } from './pack-format.ts';
import { openPack, type PackReader } from './pack-reader.ts';
import { rollUpsOf } from './rolled-rows.ts';
import { encodeSlice } from './slice-wire.ts';
import { takeSlice } from './take-slice.ts';
import { trendMonths } from './trend-text.ts';

/**
 * Opens a pack and verifies all of it: every block, the shape of the tree, the roll-ups that follow from others, and
 * the counts, and that the slice it has ready is the one it would give. What the writer's side asks before a pack is published.
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
  for (const field of pack.metadata.fields) await checkField(pack, field);
  if (pack.metadata.trend) await checkTrend(pack);
  await checkRootSlice(pack);
  return pack;
}

/** Breadth first: runs of children follow each other in the order of their parents and fill all rows. */
async function checkShape(pack: PackReader): Promise<void> {
  const { nodes, branches, depth: deepest, types } = pack.metadata;
  const [parent, branch, firstChild, childCount, depth, type] = await Promise.all([
    pack.column('parent'),
    pack.column('branch'),
    pack.column('first_child'),
    pack.column('child_count'),
    pack.column('depth'),
    pack.column('type'),
  ]);
  if (nodes < 1 || depth[0] !== 0 || parent[0] !== 0) throw new PackDamaged('no root');
  let next = 1;
  let branchesSeen = 0;
  for (let row = 0; row < pack.rows; row++) {
    if (branch[row] !== branchesSeen) throw new PackDamaged(`branch of row ${row}`);
    if (type[row]! >= types.length) throw new PackDamaged(`row ${row} has type ${type[row]}`);
    if (branch[row + 1] === branchesSeen) continue;
    const at = branchesSeen++;
    if (row >= nodes || firstChild[at] !== next || next <= row || childCount[at]! < 1) {
      throw new PackDamaged(`children of row ${row} are not in their place`);
    }
    for (const end = next + childCount[at]!; next < end; next++) {
      if (next >= nodes || parent[next] !== row) throw new PackDamaged(`row ${next} is no child of row ${row}`);
      if (depth[next] !== depth[row]! + 1) throw new PackDamaged(`row ${next} has depth ${depth[next]}`);
    }
  }
  if (branch[pack.rows] !== branches) throw new PackDamaged(`${branch[pack.rows]} branches, expected ${branches}`);
  if (next !== nodes) throw new PackDamaged(`${nodes} nodes, of which ${next} hang together`);
  if (depth[nodes - 1] !== deepest) throw new PackDamaged(`depth ${depth[nodes - 1]}, expected ${deepest}`);
}

async function checkTexts(pack: PackReader): Promise<void> {
  const folded = await pack.column('folded');
  for (let row = 0; row < pack.rows; row++) {
    const folds = folded[row + 1]! - folded[row]!;
    if (folds !== 0 && folds !== 1) throw new PackDamaged(`folded name of row ${row}`);
  }
  for (const [name, count] of [['name', pack.rows] as const, ['fold', folded[pack.rows]!] as const]) {
    const { start, bytes } = await pack.texts(name);
    if (start.length !== count + 1) throw new PackDamaged(`${start.length - 1} texts of ${name}, expected ${count}`);
    for (let text = 0; text < count; text++) {
      if (start[text + 1]! < start[text]!) throw new PackDamaged(`${name} ${text}`);
    }
    if (start[0] !== 0 || start[count] !== bytes.length) throw new PackDamaged(`${name}s do not fill their place`);
  }
}

/** Columns that are sums over children add up: branch by branch, with what the leaves among the children bring. */
async function checkSums(pack: PackReader): Promise<void> {
  const { nodes, branches } = pack.metadata;
  const [parent, branch, isKeyword, ownVolume] = await Promise.all([
    pack.column('parent'),
    pack.column('branch'),
    pack.column('is_keyword'),
    pack.column('own_volume'),
  ]);
  const sums = new Float64Array(branches);
  const check = (
    what: string,
    column: ArrayLike<number>,
    child: ArrayLike<number>,
    ofLeaf: (row: number) => number,
    own: number,
  ) => {
    sums.fill(own);
    for (let row = 1; row < nodes; row++) {
      const isLeaf = branch[row] === branch[row + 1];
      sums[branch[parent[row]!]!]! += isLeaf ? ofLeaf(row) : child[branch[row]!]! || 0;
    }
    for (let at = 0; at < branches; at++) {
      const expected = sums[at]!;
      // Volumes need not be whole, and sums of fractions depend on their order.
      if (Math.abs(column[at]! - expected) > 1e-9 * Math.abs(expected)) {
        throw new PackDamaged(`${what} of branch ${at} is ${column[at]}, expected ${expected}`);
      }
    }
  };
  const branchNodes = await pack.column('nodes');
  check('nodes', branchNodes, branchNodes, () => 1, 1);
  const leaves = await pack.column('leaves');
  check('leaves', leaves, leaves, () => 1, 0);
  check(
    'child_keywords',
    await pack.column('child_keywords'),
    await pack.column('keywords'),
    (row) => isKeyword[row]!,
    0,
  );
  const volumeOf = (row: number) => (ownVolume && isKeyword[row] === 1 ? ownVolume[row]! || 0 : 0);
  check('child_volume', await pack.column('child_volume'), await pack.column('volume'), volumeOf, 0);
}

/** The root counts every keyword node once or as a repeat; with those no node names that is all of them. */
async function checkKeywords(pack: PackReader): Promise<void> {
  const { nodes } = pack.metadata;
  const isKeyword = await pack.column('is_keyword');
  const root = await rollUpsOf(pack, Uint32Array.of(0));
  const [counted] = await root.column('keywords');
  const [repeats] = await root.column('repeats');
  let found = 0;
  for (let row = 0; row < nodes; row++) found += isKeyword[row]!;
  if (counted! + repeats! !== found) throw new PackDamaged(`${found} keyword nodes, the root counts ${counted}`);
  await checkPrevious(pack, repeats!);
}

/** Every repeat leads to an earlier keyword of the file, no two to the same one, and the root counts as many. */
async function checkPrevious(pack: PackReader, repeats: number): Promise<void> {
  const { nodes } = pack.metadata;
  const [previous, isKeyword, start] = await Promise.all([
    pack.column('previous'),
    pack.column('is_keyword'),
    pack.column('node_start'),
  ]);
  const isTaken = new Uint8Array(nodes);
  let found = 0;
  for (let row = 0; previous && row < nodes; row++) {
    const before = previous[row]!;
    if (before === noRow) continue;
    const isRight = isKeyword[row] === 1 && isKeyword[before] === 1 && start[before]! < start[row]!;
    if (!isRight || isTaken[before] === 1) throw new PackDamaged(`the keyword of row ${row} stood in row ${before}`);
    isTaken[before] = 1;
    found++;
  }
  if (found !== repeats) throw new PackDamaged(`${found} further occurrences, the root counts ${repeats}`);
}

async function checkRanges(pack: PackReader): Promise<void> {
  for (const [start, end] of [['node_start', 'node_end'] as const, ['keyword_start', 'keyword_end'] as const]) {
    const from = await pack.column(start);
    const to = await pack.column(end);
    if (!from || !to) continue;
    for (let row = 0; row < pack.rows; row++) {
      if (from[row]! > to[row]! || to[row]! > pack.metadata.sourceBytes)
        throw new PackDamaged(`byte range of row ${row}`);
    }
  }
}

/** Categories are ones the metadata lists, and a branch knows a field of as many keywords as it has at most. */
async function checkField(pack: PackReader, field: PackField): Promise<void> {
  const { name } = field;
  const values = (await pack.column(`field:${name}`))!;
  const known = (await pack.column(`known:${name}`))!;
  const keywords = await pack.column('keywords');
  for (let at = 0; at < known.length; at++) {
    if (known[at]! > keywords[at]!) throw new PackDamaged(`${name} of branch ${at} is known of ${known[at]} keywords`);
  }
  if (field.kind === 'number') {
    const sum = (await pack.column(`sum:${name}`))!;
    for (let at = 0; at < known.length; at++) {
      if (Number.isNaN(sum[at]) !== (known[at] === 0)) throw new PackDamaged(`${name} of branch ${at} is ${sum[at]}`);
    }
    return;
  }
  for (let row = 0; row < pack.rows; row++) {
    if (values[row]! >= field.values.length) throw new PackDamaged(`${name} of row ${row} is value ${values[row]}`);
  }
  const counted = field.counts.reduce((sum, count) => sum + count, 0);
  if (field.counts.length !== field.values.length || (known.length > 0 && counted !== known[0])) {
    throw new PackDamaged(`${name} counts ${counted} keywords`);
  }
  const top = (await pack.column(`top:${name}`))!;
  const count = (await pack.column(`top_count:${name}`))!;
  for (let at = 0; at < known.length; at++) {
    const isThere = top[at]! > 0 && top[at]! < field.values.length && count[at]! > 0;
    if (count[at]! > known[at]! || isThere !== known[at]! > 0) throw new PackDamaged(`${name} of branch ${at}`);
  }
}

/** Of every row and branch twelve months or none; of a branch some where any keyword has them. */
async function checkTrend(pack: PackReader): Promise<void> {
  const [known, keywords] = await Promise.all([pack.column('trend_known'), pack.column('keywords')]);
  for (const [list, months] of [['own_trend', 'own_month'] as const, ['trend', 'month'] as const]) {
    const start = (await pack.column(list))!;
    for (let at = 1; at < start.length; at++) {
      const length = start[at]! - start[at - 1]!;
      const isDue =
        list === 'own_trend'
          ? length === 0 || length === trendMonths
          : length === trendMonths * Number(known![at - 1]! > 0);
      if (!isDue) throw new PackDamaged(`${length} months in ${list} ${at - 1}`);
    }
    if (start.at(-1) !== (await pack.column(months))!.length) throw new PackDamaged(`months of ${list}`);
  }
  for (let at = 0; at < known!.length; at++) {
    if (known![at]! > keywords[at]!) throw new PackDamaged(`the trend of branch ${at} is of ${known![at]} keywords`);
  }
}

/** The slice that is ready is the one that would be taken. */
export async function checkRootSlice(pack: PackReader): Promise<void> {
  const found = encodeSlice(await takeSlice(pack, { node: 0, budget: rootSliceRows, skip: 0 }));
  const { rootSlice } = pack;
  if (found.length !== rootSlice.length || found.some((byte, index) => byte !== rootSlice[index])) {
    throw new PackDamaged('the slice of the root is another one');
  }
}
