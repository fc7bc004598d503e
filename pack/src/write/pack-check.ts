import type { ByteSource } from '../format/byte-source.ts';
import { blockBytes, noRow, PackDamaged, type PackField, rootSliceRows } from '../format/pack-format.ts';
import { openPack, type PackReader } from '../format/pack-reader.ts';
import { rollUpsOf } from '../slice/rolled-rows.ts';
import { encodeSlice } from '../slice/slice-wire.ts';
import { takeSlice } from '../slice/take-slice.ts';
import { lastMember } from '../upload/member-sets.ts';
import { release } from '../upload/release.ts';
import { trendMonths } from '../upload/trend-text.ts';

/**
 * Opens a pack and verifies all of it: every block, the shape of the tree, the roll-ups that follow from others, and
 * the counts, and that the slice it has ready is the one it would give. What the writer's side asks before a pack is published.
 *
 * Cost: one pass over the file; at most 30 bytes a row at a time.
 * @throws PackDamaged naming the first thing that is wrong
 */
export async function checkPack(source: ByteSource): Promise<PackReader> {
  const pack = await openPack(source, checkCacheBytes);
  await checkShape(pack);
  await checkTexts(pack);
  await checkSums(pack);
  await checkKeywords(pack);
  await checkRanges(pack);
  for (const field of pack.metadata.fields) await checkField(pack, field);
  if (pack.metadata.trend) await checkTrend(pack);
  await checkRootSlice(pack);
  // The last: each block that was read so far was checked as it was read, and is not read again.
  await pack.checkBlocks();
  return pack;
}

/** Columns are read whole, one after the other; blocks are for the slice of the root alone. */
const checkCacheBytes = 16 * blockBytes;

/** Breadth first: runs of children follow each other in the order of their parents and fill all rows. */
async function checkShape(pack: PackReader): Promise<void> {
  const { nodes, branches, depth: deepest, types } = pack.metadata;
  const [parent, branch, firstChild, childCount, depth, type] = await Promise.all([
    pack.readColumn('parent'),
    pack.readColumn('branch'),
    pack.readColumn('first_child'),
    pack.readColumn('child_count'),
    pack.readColumn('depth'),
    pack.readColumn('type'),
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
  release(parent, branch, depth, type);
}

async function checkTexts(pack: PackReader): Promise<void> {
  const folded = await pack.readColumn('folded');
  for (let row = 0; row < pack.rows; row++) {
    const folds = folded[row + 1]! - folded[row]!;
    if (folds !== 0 && folds !== 1) throw new PackDamaged(`folded name of row ${row}`);
  }
  for (const [name, count] of [['name', pack.rows] as const, ['fold', folded[pack.rows]!] as const]) {
    const { starts, bytes } = await pack.readStarts(name);
    if (starts.length !== 2 * (count + 1)) {
      throw new PackDamaged(`${starts.length / 2 - 1} texts of ${name}, expected ${count}`);
    }
    let before = 0;
    for (let text = 0; text <= count; text++) {
      const start = starts[2 * text]! + starts[2 * text + 1]! * 2 ** 32;
      if (start < before || (text === 0 && start > 0)) throw new PackDamaged(`${name} ${text}`);
      before = start;
    }
    if (before !== bytes) throw new PackDamaged(`${name}s do not fill their place`);
    release(starts);
  }
}

/** Columns that are sums over children add up: branch by branch, with what the leaves among the children bring. */
async function checkSums(pack: PackReader): Promise<void> {
  const [branch, firstChild, childCount, isKeyword, ownVolume] = await Promise.all([
    pack.readColumn('branch'),
    pack.readColumn('first_child'),
    pack.readColumn('child_count'),
    pack.readColumn('is_keyword'),
    pack.readColumn('own_volume'),
  ]);
  const [nodes, leaves, keywords, volume, childKeywords, childVolume] = await Promise.all([
    pack.readColumn('nodes'),
    pack.readColumn('leaves'),
    pack.readColumn('keywords'),
    pack.readColumn('volume'),
    pack.readColumn('child_keywords'),
    pack.readColumn('child_volume'),
  ]);
  for (let at = 0; at < nodes.length; at++) {
    let nodesBelow = 1;
    let leavesBelow = 0;
    let keywordsBelow = 0;
    let volumeBelow = 0;
    const first = firstChild[at]!;
    for (let row = first; row < first + childCount[at]!; row++) {
      const child = branch[row]!;
      const isLeaf = child === branch[row + 1]!;
      nodesBelow += isLeaf ? 1 : nodes[child]!;
      leavesBelow += isLeaf ? 1 : leaves[child]!;
      keywordsBelow += isLeaf ? isKeyword[row]! : keywords[child]!;
      if (!isLeaf) volumeBelow += volume[child]! || 0;
      else if (ownVolume && isKeyword[row] === 1) volumeBelow += ownVolume[row]! || 0;
    }
    checkSum('nodes', at, nodes[at]!, nodesBelow);
    checkSum('leaves', at, leaves[at]!, leavesBelow);
    checkSum('child_keywords', at, childKeywords[at]!, keywordsBelow);
    checkSum('child_volume', at, childVolume[at]!, volumeBelow);
  }
  release(branch, isKeyword);
  if (ownVolume) release(ownVolume);
}

function checkSum(what: string, branch: number, found: number, expected: number): void {
  // Volumes need not be whole, and sums of fractions depend on their order.
  if (Math.abs(found - expected) > 1e-9 * Math.abs(expected)) {
    throw new PackDamaged(`${what} of branch ${branch} is ${found}, expected ${expected}`);
  }
}

/** The root counts every keyword node once or as a repeat; with those no node names that is all of them. */
async function checkKeywords(pack: PackReader): Promise<void> {
  const { nodes } = pack.metadata;
  const isKeyword = await pack.readColumn('is_keyword');
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
    pack.readColumn('previous'),
    pack.readColumn('is_keyword'),
    pack.readColumn('node_start'),
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
    const from = await pack.readColumn(start);
    const to = await pack.readColumn(end);
    if (!from || !to) continue;
    for (let row = 0; row < pack.rows; row++) {
      if (from[row]! > to[row]! || to[row]! > pack.metadata.sourceBytes)
        throw new PackDamaged(`byte range of row ${row}`);
    }
    release(from, to);
  }
}

/** Values are ones the metadata lists, and a branch knows a field of as many keywords as it has at most. */
async function checkField(pack: PackReader, field: PackField): Promise<void> {
  const { name } = field;
  const values = (await pack.readColumn(`field:${name}`))!;
  const known = (await pack.readColumn(`known:${name}`))!;
  const keywords = await pack.readColumn('keywords');
  for (let at = 0; at < known.length; at++) {
    if (known[at]! > keywords[at]!) throw new PackDamaged(`${name} of branch ${at} is known of ${known[at]} keywords`);
  }
  if (field.kind === 'number') {
    const sum = (await pack.readColumn(`sum:${name}`))!;
    for (let at = 0; at < known.length; at++) {
      if (Number.isNaN(sum[at]) !== (known[at] === 0)) throw new PackDamaged(`${name} of branch ${at} is ${sum[at]}`);
    }
    return;
  }
  const isSet = field.kind === 'set';
  for (let row = 0; row < pack.rows; row++) {
    const value = isSet ? lastMember(values[2 * row]!, values[2 * row + 1]!) : values[row]!;
    if (value >= field.values.length) throw new PackDamaged(`${name} of row ${row} is value ${value}`);
  }
  const counted = isSet ? Math.max(...field.counts) : field.counts.reduce((sum, count) => sum + count, 0);
  const isRight = isSet ? counted <= known[0]! : counted === known[0];
  if (field.counts.length !== field.values.length || (known.length > 0 && !isRight)) {
    throw new PackDamaged(`${name} counts ${counted} keywords`);
  }
  const top = (await pack.readColumn(`top:${name}`))!;
  const count = (await pack.readColumn(`top_count:${name}`))!;
  for (let at = 0; at < known.length; at++) {
    const isThere = top[at]! > 0 && top[at]! < field.values.length && count[at]! > 0;
    if (count[at]! > known[at]! || isThere !== known[at]! > 0) throw new PackDamaged(`${name} of branch ${at}`);
  }
}

/** Of every row and branch twelve months or none; of a branch some where any keyword has them. */
async function checkTrend(pack: PackReader): Promise<void> {
  const [known, keywords] = await Promise.all([pack.readColumn('trend_known'), pack.readColumn('keywords')]);
  for (const [list, months] of [['own_trend', 'own_month'] as const, ['trend', 'month'] as const]) {
    const start = (await pack.readColumn(list))!;
    for (let at = 1; at < start.length; at++) {
      const length = start[at]! - start[at - 1]!;
      const isDue =
        list === 'own_trend'
          ? length === 0 || length === trendMonths
          : length === trendMonths * Number(known![at - 1]! > 0);
      if (!isDue) throw new PackDamaged(`${length} months in ${list} ${at - 1}`);
    }
    if (start.at(-1) !== (await pack.readColumn(months))!.length) throw new PackDamaged(`months of ${list}`);
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
