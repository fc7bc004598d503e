/** One vector per row: that of row `i` is `values[i * dimensions] … values[(i + 1) * dimensions - 1]`. */
export type Vectors<Values = Float32Array> = { readonly values: Values; readonly dimensions: number };

export const rowCount = ({ values, dimensions }: Vectors<ArrayLike<number>>): number => values.length / dimensions;

/** The arrays that vectors are stored in. */
type Sliced<Own> = { subarray(start: number, end: number): Own } & ArrayLike<number>;

/** Copies some of the rows, one after the other. @param into receives them: rows × dimensions */
export function rowsAt<Into extends { set(values: ArrayLike<number>, at: number): void }>(
  { values, dimensions }: Vectors<Sliced<ArrayLike<number>>>,
  rows: ArrayLike<number>,
  into: Into,
): Vectors<Into> {
  for (let at = 0; at < rows.length; at++)
    into.set(values.subarray(rows[at]! * dimensions, (rows[at]! + 1) * dimensions), at * dimensions);
  return { values: into, dimensions };
}

/** Overwrites rows of `into`: the first one of `rows` with the first vector, and so on. `into` may have more dimensions. */
export function putAt(
  into: Vectors<{ set(values: ArrayLike<number>, at: number): void }>,
  rows: ArrayLike<number>,
  { values, dimensions }: Vectors<Sliced<ArrayLike<number>>>,
): void {
  for (let at = 0; at < rows.length; at++)
    into.values.set(values.subarray(at * dimensions, (at + 1) * dimensions), rows[at]! * into.dimensions);
}

/** Scales every vector to length 1, in place. A vector of zeros stays as it is. */
export function normalised(vectors: Vectors): Vectors {
  const { values, dimensions } = vectors;
  for (let row = 0; row < values.length; row += dimensions) {
    let square = 0;
    for (let at = row; at < row + dimensions; at++) square += values[at]! ** 2;
    if (square === 0) continue;
    const scale = 1 / Math.sqrt(square);
    for (let at = row; at < row + dimensions; at++) values[at]! *= scale;
  }
  return vectors;
}

/**
 * Concatenates vectors of length 1 so that the cosine of two results is the weighted mean of the cosines of their parts.
 *
 * @param parts of the same rows; weights sum to 1
 */
export function sideBySide(...parts: readonly (readonly [vectors: Vectors, weight: number])[]): Vectors {
  const dimensions = parts.reduce((sum, [vectors]) => sum + vectors.dimensions, 0);
  const rows = rowCount(parts[0]![0]);
  const values = new Float32Array(rows * dimensions);
  let first = 0;
  for (const [vectors, weight] of parts) {
    const scale = Math.sqrt(weight);
    for (let row = 0; row < rows; row++)
      for (let at = 0; at < vectors.dimensions; at++)
        values[row * dimensions + first + at] = scale * vectors.values[row * vectors.dimensions + at]!;
    first += vectors.dimensions;
  }
  return normalised({ values, dimensions });
}

/**
 * Rounds vectors to bytes, a quarter of the memory. Each row is scaled so that its largest coordinate is 127 or −127: its length is lost, its
 * direction stays.
 *
 * @param steps receives them, from its start
 */
export function packed(
  { values, dimensions }: Vectors,
  steps: Int8Array = new Int8Array(values.length),
): Vectors<Int8Array> {
  for (let row = 0; row < values.length; row += dimensions) {
    let largest = 0;
    for (let at = row; at < row + dimensions; at++) {
      const size = Math.abs(values[at]!);
      if (size > largest) largest = size;
    }
    const scale = largest > 0 ? 127 / largest : 0;
    // As Math.round does, in a third of the time.
    for (let at = row; at < row + dimensions; at++) steps[at] = Math.floor(scale * values[at]! + 0.5);
  }
  return { values: steps, dimensions };
}

/** The Euclidean length of a row. */
export function lengthOf({ values, dimensions }: Vectors<Int8Array | Float32Array>, row: number): number {
  let square = 0;
  for (let at = row * dimensions; at < (row + 1) * dimensions; at++) square += values[at]! ** 2;
  return Math.sqrt(square);
}
