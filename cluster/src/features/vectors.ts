/** One vector per row: that of row `i` is `values[i * dimensions] … values[(i + 1) * dimensions - 1]`. */
export type Vectors<Values = Float32Array> = { readonly values: Values; readonly dimensions: number };

export const rowCount = ({ values, dimensions }: Vectors<ArrayLike<number>>): number => values.length / dimensions;

/** Scales every vector to length 1, in place. A vector of zeros stays one. */
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
 * Puts vectors of length 1 side by side, so that the cosine of the results is the weighted mean of the cosines.
 *
 * @param parts of the same rows; weights sum to 1
 */
export function sideBySide(parts: readonly { readonly vectors: Vectors; readonly weight: number }[]): Vectors {
  const dimensions = parts.reduce((sum, { vectors }) => sum + vectors.dimensions, 0);
  const rows = rowCount(parts[0]!.vectors);
  const values = new Float32Array(rows * dimensions);
  let first = 0;
  for (const { vectors, weight } of parts) {
    const scale = Math.sqrt(weight);
    for (let row = 0; row < rows; row++)
      for (let at = 0; at < vectors.dimensions; at++)
        values[row * dimensions + first + at] = scale * vectors.values[row * vectors.dimensions + at]!;
    first += vectors.dimensions;
  }
  return normalised({ values, dimensions });
}

/** Vectors in a quarter of the memory: each row's largest coordinate becomes 127 or −127, so that only directions stay. */
export function packed({ values, dimensions }: Vectors): Vectors<Int8Array> {
  const steps = new Int8Array(values.length);
  for (let row = 0; row < values.length; row += dimensions) {
    let largest = 0;
    for (let at = row; at < row + dimensions; at++) {
      const size = Math.abs(values[at]!);
      if (size > largest) largest = size;
    }
    const scale = largest > 0 ? 127 / largest : 0;
    for (let at = row; at < row + dimensions; at++) steps[at] = Math.round(scale * values[at]!);
  }
  return { values: steps, dimensions };
}

/** The length of a row. */
export function lengthOf({ values, dimensions }: Vectors<Int8Array | Float32Array>, row: number): number {
  let square = 0;
  for (let at = row * dimensions; at < (row + 1) * dimensions; at++) square += values[at]! ** 2;
  return Math.sqrt(square);
}
