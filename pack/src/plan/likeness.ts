import { listKeywords } from '../detail/list-keywords.ts';
import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { halfSipHash } from '../names/half-sip-hash.ts';
import { formatAddress } from '../names/path-hash.ts';
import { TextKey } from '../names/text-key.ts';

/** A node that an upload no longer has: its kind, and the hashes of its heaviest keywords, see `fingerprintOf`. */
export type Missing = { readonly kind: 'branch' | 'keyword'; readonly fingerprint: readonly string[] };

/** A row that may be the missing node, and the Jaccard index of the keywords in the fingerprints of both. */
type LikeRow = { readonly row: number; readonly overlap: number };

/** Of the branches that share keywords with a missing one, at most this many are compared exactly. */
const maxCompared = 12;

/**
 * For each missing node, the rows that may be it, the most similar first: for a keyword, the leaves with the same text; for
 * a branch, the branches that share its keywords.
 *
 * Cost: one pass over the names of the keywords, and a fingerprint for at most {@link maxCompared} branches of each
 * missing one.
 *
 * @param isFree which rows may be suggested; the root is never one of them
 */
export async function findAlike(
  pack: PackReader,
  missing: readonly Missing[],
  isFree: (row: number) => boolean,
  pause: Pause = noPause,
): Promise<LikeRow[][]> {
  const places = await placesOf(pack, new Set(missing.flatMap(({ fingerprint }) => fingerprint)), pause);
  const [parent, branch] = [await pack.column('parent'), await pack.column('branch')];
  const isBranch = (row: number) => branch[row] !== branch[row + 1];
  const found: LikeRow[][] = [];
  for (const { kind, fingerprint } of missing) {
    await pause();
    if (kind === 'keyword') {
      const rows = places.get(fingerprint[0] ?? '') ?? [];
      found.push(rows.filter((row) => !isBranch(row) && isFree(row)).map((row) => ({ row, overlap: 1 })));
      continue;
    }
    const shared = new Map<number, number>();
    for (const hash of fingerprint) {
      for (const row of branchesAround(places.get(hash) ?? [])) shared.set(row, (shared.get(row) ?? 0) + 1);
    }
    found.push(await compareBranches(pack, new Set(fingerprint), [...shared], isFree));
  }
  return found;

  /** The branches that contain any of some rows, without the root. */
  function branchesAround(rows: readonly number[]): ReadonlySet<number> {
    const around = new Set<number>();
    for (const row of rows) {
      for (let at = isBranch(row) ? row : parent[row]!; at > 0 && !around.has(at); at = parent[at]!) around.add(at);
    }
    return around;
  }
}

/**
 * How much of their earlier content branches still have: for each, the share of its fingerprint's keywords that occur anywhere below
 * its row. 1 for an empty fingerprint.
 *
 * Cost: one pass over the names of the keywords.
 */
export async function keptShares(
  pack: PackReader,
  branches: readonly { readonly row: number; readonly fingerprint: readonly string[] }[],
  pause: Pause = noPause,
): Promise<number[]> {
  const places = await placesOf(pack, new Set(branches.flatMap(({ fingerprint }) => fingerprint)), pause);
  const parent = await pack.column('parent');
  /** Whether a row is `branch` or below it. A parent has a smaller number than its children. */
  const isBelow = (row: number, branch: number): boolean => {
    let at = row;
    while (at > branch) at = parent[at]!;
    return at === branch;
  };
  return branches.map(({ row, fingerprint }) => {
    const present = fingerprint.filter((hash) => places.get(hash)?.some((place) => isBelow(place, row)));
    return fingerprint.length === 0 ? 1 : present.length / fingerprint.length;
  });
}

async function compareBranches(
  pack: PackReader,
  wanted: ReadonlySet<string>,
  shared: readonly (readonly [row: number, common: number])[],
  isFree: (row: number) => boolean,
): Promise<LikeRow[]> {
  const free = shared.filter(([row]) => isFree(row));
  const branches = await pack.branchesOf(Uint32Array.from(free, ([row]) => row));
  const keywords = await pack.gather('keywords', branches);
  // The size of a branch's fingerprint, from which an upper bound of its similarity follows.
  const size = (at: number) => Math.min(fingerprintKeywords, keywords[at]!);
  const likely = free
    .map(([row, common], at) => ({ row, bound: common / Math.max(1, wanted.size + size(at) - common) }))
    .sort((one, other) => other.bound - one.bound || one.row - other.row)
    .slice(0, maxCompared);
  const compared: LikeRow[] = [];
  for (const { row } of likely) {
    const own = await fingerprintOf(pack, row);
    const common = own.filter((hash) => wanted.has(hash)).length;
    if (common > 0) compared.push({ row, overlap: common / (wanted.size + own.length - common) });
  }
  return compared.sort((one, other) => other.overlap - one.overlap || one.row - other.row);
}

/** By hash: the rows of the keywords that have it. */
async function placesOf(
  pack: PackReader,
  wanted: ReadonlySet<string>,
  pause: Pause,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const places = new Map<string, number[]>();
  if (wanted.size === 0) return places;
  // The last 16 bits of their hash rule out most keywords.
  const isLast = new Uint8Array(2 ** 16);
  for (const hash of wanted) isLast[Number.parseInt(hash.slice(-4), 16)] = 1;
  const [isKeyword, { start, bytes }] = [await pack.column('is_keyword'), await pack.texts('name')];
  const hash = new KeywordHash();
  await eachPiece(pack.metadata.nodes, pause, (from, end) => {
    for (let row = from; row < end; row++) {
      if (isKeyword[row] === 0) continue;
      const [low, high] = hash.words(bytes, start[row]!, start[row + 1]!);
      if (isLast[low! & 0xffff] === 0) continue;
      const text = formatAddress(high!, low!);
      if (!wanted.has(text)) continue;
      const rows = places.get(text);
      if (rows) rows.push(row);
      else places.set(text, [row]);
    }
  });
  return places;
}

/** The number of a branch's heaviest keywords by which it is recognised in another upload. */
const fingerprintKeywords = 200;

/**
 * Hashes of keywords: 16 hex digits, equal for texts that are the same keyword. The key is fixed and not secret, because hashes
 * are stored and compared with those of later uploads.
 */
class KeywordHash {
  readonly #key = new TextKey();
  readonly #out = new Uint32Array(2);

  /** The two words of a keyword's hash, low half first, valid until the next call. */
  words(names: Uint8Array, start: number, end: number): Uint32Array {
    const length = this.#key.write(names, start, end);
    halfSipHash(0x706c616e, 0, this.#key.buffer.view, 0, length, this.#out, 0);
    return this.#out;
  }

  text(names: Uint8Array, start: number, end: number): string {
    const [low, high] = this.words(names, start, end);
    return formatAddress(high!, low!);
  }
}

/** The hashes of the heaviest keywords in a branch, ascending and without duplicates; for a keyword, its own hash. */
export async function fingerprintOf(pack: PackReader, row: number): Promise<string[]> {
  const { rows } = await listKeywords(pack, row, fingerprintKeywords);
  const { start, bytes } = await pack.gatherTexts('name', rows.toSorted());
  const hash = new KeywordHash();
  const found = new Set<string>();
  for (let at = 0; at < rows.length; at++) found.add(hash.text(bytes, start[at]!, start[at + 1]!));
  return [...found].sort();
}
