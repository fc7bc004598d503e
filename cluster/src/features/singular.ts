import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { randomNumbers } from '../communities/random.ts';

/** A matrix that is only ever multiplied. `width` columns of the other factor are stored row by row. */
export type LinearMap = {
  readonly rows: number;
  readonly columns: number;
  /** @param right columns × width. @returns rows × width */
  times(right: Float32Array, width: number): Float32Array;
  /** Multiplies the transposed matrix. @param right rows × width. @returns columns × width */
  transposedTimes(right: Float32Array, width: number): Float32Array;
};

export type SingularVectors = {
  /** How many there are; fewer than asked for when the matrix has no more. */
  readonly rank: number;
  /** Rows × rank: each row's coordinates, the singular values included. */
  readonly left: Float32Array;
  /** Columns × rank, of length 1 and perpendicular. */
  readonly right: Float32Array;
  /** Falling. */
  readonly values: Float64Array;
};

const oversampling = 8;
const powerIterations = 2;

/** The largest singular values of a matrix with their vectors, by random projection (Halko, Martinsson and Tropp, 2011). */
export function singularVectors(matrix: LinearMap, wanted: number, seed: number): SingularVectors {
  const width = Math.min(wanted + oversampling, matrix.rows, matrix.columns);
  if (width === 0) return { rank: 0, left: new Float32Array(), right: new Float32Array(), values: new Float64Array() };
  const random = randomNumbers(seed);
  let basis = matrix.times(
    Float32Array.from({ length: matrix.columns * width }, () => random() - 0.5),
    width,
  );
  for (let iteration = 0; iteration < powerIterations; iteration++) {
    orthonormalise(basis, width);
    basis = matrix.times(matrix.transposedTimes(basis, width), width);
  }
  orthonormalise(basis, width);
  // The matrix is close to basis × shadowᵀ, so the eigenvectors of shadowᵀ × shadow give those of the matrix.
  const shadow = matrix.transposedTimes(basis, width);
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(gram(shadow, width), {
    assumeSymmetric: true,
  });
  const order = realEigenvalues.map((_, index) => index).sort((a, b) => realEigenvalues[b]! - realEigenvalues[a]!);
  const largest = realEigenvalues[order[0]!] ?? 0;
  const kept = order.slice(0, wanted).filter((index) => realEigenvalues[index]! > 1e-9 * largest);
  const values = Float64Array.from(kept, (index) => Math.sqrt(realEigenvalues[index]!));
  const turned = (from: Float32Array, scale: (rank: number) => number): Float32Array => {
    const found = new Float32Array((from.length / width) * kept.length);
    for (let row = 0; row < from.length / width; row++) {
      kept.forEach((index, rank) => {
        let sum = 0;
        for (let at = 0; at < width; at++) sum += from[row * width + at]! * eigenvectorMatrix.get(at, index);
        found[row * kept.length + rank] = sum * scale(rank);
      });
    }
    return found;
  };
  return {
    rank: kept.length,
    left: turned(basis, (rank) => values[rank]!),
    right: turned(shadow, (rank) => 1 / values[rank]!),
    values,
  };
}

/** The products of all pairs of columns. */
function gram(columns: Float32Array, width: number): Matrix {
  const sums = new Float64Array(width * width);
  for (let row = 0; row < columns.length; row += width) {
    for (let a = 0; a < width; a++) {
      const value = columns[row + a]!;
      if (value === 0) continue;
      for (let b = a; b < width; b++) sums[a * width + b]! += value * columns[row + b]!;
    }
  }
  const matrix = Matrix.zeros(width, width);
  for (let a = 0; a < width; a++) {
    for (let b = a; b < width; b++) {
      matrix.set(a, b, sums[a * width + b]!);
      matrix.set(b, a, sums[a * width + b]!);
    }
  }
  return matrix;
}

/** Makes columns perpendicular and of length 1, in place (Cholesky QR). A column that adds nothing becomes almost zero. */
function orthonormalise(columns: Float32Array, width: number): void {
  const products = gram(columns, width);
  const least = 1e-9 * (products.trace() || 1);
  const factor = new Float64Array(width * width);
  for (let row = 0; row < width; row++) {
    for (let column = 0; column <= row; column++) {
      let rest = products.get(row, column) + (row === column ? least : 0);
      for (let at = 0; at < column; at++) rest -= factor[row * width + at]! * factor[column * width + at]!;
      factor[row * width + column] =
        row === column ? Math.sqrt(Math.max(rest, least)) : rest / factor[column * width + column]!;
    }
  }
  for (let row = 0; row < columns.length; row += width) {
    for (let column = 0; column < width; column++) {
      let rest = columns[row + column]!;
      for (let at = 0; at < column; at++) rest -= factor[column * width + at]! * columns[row + at]!;
      columns[row + column] = rest / factor[column * width + column]!;
    }
  }
}
