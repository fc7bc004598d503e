/**
 * The name closest to a misspelled one: at most a third of its characters differ, a swap of neighbours counts as one.
 * The first of equally close names.
 */
export function nearName(written: string, names: readonly string[]): string | undefined {
  const text = written.toLowerCase();
  const maxDistance = Math.max(1, Math.floor(text.length / 3));
  let nearest: string | undefined;
  let minDistance = maxDistance + 1;
  for (const name of names) {
    const distance = editDistance(text, name.toLowerCase(), maxDistance);
    if (distance < minDistance) [nearest, minDistance] = [name, distance];
  }
  return nearest;
}

/** Insertions, deletions, replacements and swaps of neighbours between two short texts; may be anything above `maxDistance`. */
function editDistance(one: string, other: string, maxDistance: number): number {
  if (Math.abs(one.length - other.length) > maxDistance) return maxDistance + 1;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = last[j - 1]! + Number(one[i - 1] !== other[j - 1]);
      row[j] = Math.min(replaced, last[j]! + 1, row[j - 1]! + 1);
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isSwap) row[j] = Math.min(row[j]!, before[j - 2]! + 1);
    }
    [before, last] = [last, row];
  }
  return last[other.length]!;
}
