import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { randomNumbers } from '../communities/random.ts';

/** A matrix, known only by its products. The other factor and the product have `width` columns and are stored row by row. */
export type LinearMap = {
  readonly rows: number;
  readonly columns: number;
  /** @param right columns × width. @returns rows × width */
  times(right: Float32Array, width: number): Float32Array;
  /** Multiplies the transposed matrix. @param right rows × width. @returns columns × width */
  transposedTimes(right: Float32Array, width: number): Float32Array;
};

export type SingularVectors = {
  /** How many there are: fewer than wanted if the rank of the matrix is lower. */
  readonly rank: number;
  /** Columns × rank, of length 1 and perpendicular. */
  readonly right: Float32Array;
  /** The singular values, descending. */
  readonly values: Float64Array;
};

const oversampling = 8;
const defaultIterations = 2;

/**
 * Computes the largest singular values of a matrix and their right vectors, by random projection (Halko, Martinsson and Tropp, 2011).
 *
 * @param powerIterations each one separates large values further from small ones
 */
export function singularVectors(
  matrix: LinearMap,
  wanted: number,
  seed: number,
  powerIterations = defaultIterations,
): SingularVectors {
  const width = Math.min(wanted + oversampling, matrix.rows, matrix.columns);
  if (width === 0) return { rank: 0, right: new Float32Array(), values: new Float64Array() };
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
  const significant = order.slice(0, wanted).filter((index) => realEigenvalues[index]! > 1e-9 * largest);
  const values = Float64Array.from(significant, (index) => Math.sqrt(realEigenvalues[index]!));
  const directions = significant.map((index) => eigenvectorMatrix.getColumn(index));
  return { rank: significant.length, right: projectedColumns(shadow, width, directions, values), values };
}

/** Multiplies rows × width with some directions, and divides each column by its size. @returns rows × directions */
function projectedColumns(
  from: Float32Array,
  width: number,
  directions: readonly (readonly number[])[],
  sizes: Float64Array,
): Float32Array {
  const found = new Float32Array((from.length / width) * directions.length);
  directions.forEach((direction, rank) => {
    const factors = Float64Array.from(direction, (factor) => factor / sizes[rank]!);
    for (let row = 0, start = 0; start < from.length; row++, start += width) {
      let sum = 0;
      for (let at = 0; at < width; at++) sum += from[start + at]! * factors[at]!;
      found[row * directions.length + rank] = sum;
    }
  });
  return found;
}

/** The Gram matrix: the products of all pairs of columns. */
function gram(columns: Float32Array, width: number): Matrix {
  const sums = new Float64Array(width * width);
  const rows = columns.length / width;
  const inFours = rows - (rows % 4);
  // Four rows at a time, which saves three quarters of the reads and writes of sums.
  for (let row = 0; row < inFours; row += 4) {
    const [one, two, three, four] = [row * width, (row + 1) * width, (row + 2) * width, (row + 3) * width];
    for (let at = 0; at < width; at++) {
      const [a, b, c, d] = [columns[one + at]!, columns[two + at]!, columns[three + at]!, columns[four + at]!];
      for (let other = at; other < width; other++)
        sums[at * width + other]! +=
          a * columns[one + other]! +
          b * columns[two + other]! +
          c * columns[three + other]! +
          d * columns[four + other]!;
    }
  }
  for (let start = inFours * width; start < columns.length; start += width)
    for (let at = 0; at < width; at++)
      for (let other = at; other < width; other++)
        sums[at * width + other]! += columns[start + at]! * columns[start + other]!;
  const matrix = Matrix.zeros(width, width);
  for (let a = 0; a < width; a++) {
    for (let b = a; b < width; b++) {
      matrix.set(a, b, sums[a * width + b]!);
      matrix.set(b, a, sums[a * width + b]!);
    }
  }
  return matrix;
}

/** Makes columns perpendicular and of length 1, in place (Cholesky QR). A column that depends on earlier ones becomes almost zero. */
function orthonormalise(columns: Float32Array, width: number): void {
  const products = gram(columns, width);
  const floor = 1e-9 * (products.trace() || 1);
  const factor = new Float64Array(width * width);
  for (let row = 0; row < width; row++) {
    for (let column = 0; column <= row; column++) {
      let rest = products.get(row, column) + (row === column ? floor : 0);
      for (let at = 0; at < column; at++) rest -= factor[row * width + at]! * factor[column * width + at]!;
      factor[row * width + column] =
        row === column ? Math.sqrt(Math.max(rest, floor)) : rest / factor[column * width + column]!;
    }
  }
  solve(columns, width, factor);
}

/**
 * Divides rows by the transpose of a lower triangular matrix, in place (forward substitution). Four rows at a time, because each value has to wait
 * for the earlier ones of its own row only.
 */
function solve(columns: Float32Array, width: number, factor: Float64Array): void {
  const inFours = columns.length - (columns.length % (4 * width));
  for (let one = 0; one < inFours; one += 4 * width) {
    const [two, three, four] = [one + width, one + 2 * width, one + 3 * width];
    for (let column = 0; column < width; column++) {
      const first = column * width;
      let [a, b, c, d] = [
        columns[one + column]!,
        columns[two + column]!,
        columns[three + column]!,
        columns[four + column]!,
      ];
      for (let at = 0; at < column; at++) {
        const share = factor[first + at]!;
        a -= share * columns[one + at]!;
        b -= share * columns[two + at]!;
        c -= share * columns[three + at]!;
        d -= share * columns[four + at]!;
      }
      const own = factor[first + column]!;
      columns[one + column] = a / own;
      columns[two + column] = b / own;
      columns[three + column] = c / own;
      columns[four + column] = d / own;
    }
  }
  for (let row = inFours; row < columns.length; row += width) {
    for (let column = 0; column < width; column++) {
      let rest = columns[row + column]!;
      for (let at = 0; at < column; at++) rest -= factor[column * width + at]! * columns[row + at]!;
      columns[row + column] = rest / factor[column * width + column]!;
    }
  }
}
