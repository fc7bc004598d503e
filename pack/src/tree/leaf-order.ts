/** The place of a child in its run takes so many of a key's 53 bits, a weight the rest. */
const maxRun = 2 ** 21;
const maxVolume = 2 ** 31 - 1;

/**
 * Sorts siblings that are all leaves: known volume, then keywords before others, then document order. Each one's weight
 * and place are one number, and numbers are sorted without a call for each pair.
 *
 * @param branch the branch of a node, -1 for a leaf
 * @param keyword number of a node's keyword, -1 for none
 * @param volume NaN where unknown; absent where none is known
 * @returns what sorts a run that stands in document order, and answers false for one with branches, with volumes that are
 *   no whole numbers below 2^31, or of more than 2^21 nodes: it leaves that as it is
 */
export function leafSort(
  branch: Int32Array,
  keyword: Int32Array,
  volume: Float64Array | undefined,
): (run: Uint32Array) => boolean {
  let buffer = new Float64Array(256);
  return (run) => {
    const { length } = run;
    if (length > maxRun) return false;
    if (length > buffer.length) buffer = new Float64Array(2 * length);
    let isSorted = true;
    let before = -1;
    for (let at = 0; at < length; at++) {
      const node = run[at]!;
      if (branch[node]! >= 0) return false;
      const isKeyword = keyword[node]! >= 0;
      const searches = (isKeyword && volume ? volume[node]! : 0) || 0;
      if (searches > maxVolume || Math.floor(searches) !== searches) return false;
      const key = ((maxVolume - searches) * 2 + (isKeyword ? 0 : 1)) * maxRun + at;
      buffer[at] = key;
      if (key < before) isSorted = false;
      before = key;
    }
    // Files often list the heaviest first already; then nothing moves.
    if (isSorted) return true;
    const keys = buffer.subarray(0, length).sort();
    const nodes = run.slice();
    for (let at = 0; at < length; at++) run[at] = nodes[keys[at]! % maxRun]!;
    return true;
  };
}
