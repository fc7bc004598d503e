const maxVolume = 2 ** 31 - 1;
/** Shorter runs are sorted faster by insertion. */
const fewLeaves = 32;

/**
 * Sorts siblings that are all leaves: by known volume, then keywords before others, then document order. Volume and
 * kind are combined into one 32-bit key for a radix sort, which needs no call per pair.
 *
 * @param branch the branch of each node, -1 for a leaf
 * @param keyword the keyword number of each node, -1 for none
 * @param volume NaN if unknown; absent if no volume is known
 * @returns a function that sorts a run in document order. It returns false and changes nothing if the run contains
 *   branches, or volumes that are not integers below 2^31.
 */
export function leafSort(
  branch: Int32Array,
  keyword: Int32Array,
  volume: Float64Array | undefined,
): (run: Uint32Array) => boolean {
  let keys = new Uint32Array(0);
  let sort = digitSort(0);
  return (run) => {
    const { length } = run;
    if (length > keys.length) {
      keys = new Uint32Array(2 * length);
      sort = digitSort(2 * length);
    }
    let isSorted = true;
    let differing = 0;
    let before = 0;
    for (let at = 0; at < length; at++) {
      const node = run[at]!;
      if (branch[node]! >= 0) return false;
      const isKeyword = keyword[node]! >= 0;
      const searches = (isKeyword && volume ? volume[node]! : 0) || 0;
      if (searches > maxVolume || Math.floor(searches) !== searches) return false;
      const key = (maxVolume - searches) * 2 + (isKeyword ? 0 : 1);
      keys[at] = key;
      differing |= key ^ keys[0]!;
      if (key < before) isSorted = false;
      before = key;
    }
    // Files often list the heaviest first, so nothing needs to move.
    if (isSorted) return true;
    if (length < fewLeaves) insertionSort(keys, run);
    else sort(keys, run, differing);
    return true;
  };
}

/** Stable. */
function insertionSort(keys: Uint32Array, run: Uint32Array): void {
  for (let from = 1; from < run.length; from++) {
    const key = keys[from]!;
    const node = run[from]!;
    let to = from;
    for (; to > 0 && keys[to - 1]! > key; to--) {
      keys[to] = keys[to - 1]!;
      run[to] = run[to - 1]!;
    }
    keys[to] = key;
    run[to] = node;
  }
}

/**
 * Sorts by the lowest eight bits, then by the next ones; equal keys keep their order.
 *
 * @param maxNodes the maximum number of nodes in a run
 * @returns a function that sorts a run by its keys, given the bits in which any two keys differ. It overwrites the
 *   keys.
 */
export function digitSort(maxNodes: number): (keys: Uint32Array, run: Uint32Array, differing: number) => void {
  const otherKeys = new Uint32Array(maxNodes);
  const otherNodes = new Uint32Array(maxNodes);
  const starts = new Uint32Array(256);
  return (keys, run, differing) => {
    let fromKeys = keys;
    let fromNodes = run;
    let toKeys: Uint32Array = otherKeys;
    let toNodes: Uint32Array = otherNodes;
    for (let shift = 0; shift < 32; shift += 8) {
      if (((differing >>> shift) & 0xff) === 0) continue;
      starts.fill(0);
      for (let at = 0; at < run.length; at++) starts[(fromKeys[at]! >>> shift) & 0xff]! += 1;
      let start = 0;
      for (let digit = 0; digit < 256; digit++) {
        const count = starts[digit]!;
        starts[digit] = start;
        start += count;
      }
      for (let at = 0; at < run.length; at++) {
        const key = fromKeys[at]!;
        const to = starts[(key >>> shift) & 0xff]!++;
        toKeys[to] = key;
        toNodes[to] = fromNodes[at]!;
      }
      [fromKeys, fromNodes, toKeys, toNodes] = [toKeys, toNodes, fromKeys, fromNodes];
    }
    if (fromNodes !== run) run.set(fromNodes.subarray(0, run.length));
  };
}
