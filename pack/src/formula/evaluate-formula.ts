import { type BinaryOperator, type Expression, type FormulaFigure, type PlainFunction, partsOf } from './expression.ts';
import { greatestNumber } from './formula-tokens.ts';

/**
 * A column that a formula reads, one number per node, NaN for unknown: a column of numbers, a table of numbers indexed
 * by a column of small numbers, or the same number everywhere.
 */
export type FormulaColumn =
  | { readonly kind: 'numbers'; readonly numbers: ArrayLike<number> }
  | { readonly kind: 'table'; readonly indexes: Uint8Array; readonly table: Float64Array }
  | { readonly kind: 'same'; readonly number: number };

/** The columns for the parts of a formula that differ between nodes. */
export type FormulaColumns = {
  figure(figure: FormulaFigure): FormulaColumn;
  /** From 0 to 1. */
  knownShare(figure: FormulaFigure): FormulaColumn;
  intentWeight(weights: IntentWeights): FormulaColumn;
};

/** The weights of the four intents, in the order of a pack's `own_intent`. */
export type IntentWeights = readonly [number, number, number, number];

/**
 * Computes a formula for the nodes `from` to before `end`, and writes the results to `out` from its start.
 *
 * Unknown is NaN: an operator or function with an unknown argument is unknown, except `unknown and 0`, `unknown or 1`,
 * the side of `if` that is not taken, `ifUnknown`, `isKnown` and `knownShare`. Division by zero, a logarithm or root
 * outside its range and results beyond ±2^53 are unknown. A test is 1 or 0; every number except 0 is true.
 */
type Evaluator = (from: number, end: number, out: Float64Array) => void;

/** The number of nodes that all steps of a formula process together, so that their numbers stay in the cache. */
const blockLength = 1024;

/** Prepares a formula for some columns. Cost: a few nanoseconds per node and part. Memory: 8 KiB per part. */
export function evaluatorOf(expression: Expression, columns: FormulaColumns): Evaluator {
  const compute = stepOf(expression, columns);
  return (from, end, out) => {
    for (let start = from; start < end; start += blockLength) {
      const count = Math.min(blockLength, end - start);
      const results = compute(start, count);
      out.set(results.length === count ? results : results.subarray(0, count), start - from);
    }
  };
}

/** The weights of an `intentWeight`, which contain no figures. */
export const weightsOf = (weights: readonly [Expression, Expression, Expression, Expression]): IntentWeights =>
  weights.map(fixedValue) as unknown as IntentWeights;

function fixedValue(expression: Expression): number {
  const refuse = () => {
    throw new Error('A weight depends on a figure');
  };
  const value = new Float64Array(1);
  evaluatorOf(expression, { figure: refuse, knownShare: refuse, intentWeight: refuse })(0, 1, value);
  return value[0]!;
}

/** The results for `count` nodes from `from`. Must not be modified; the array is reused by the next call. */
type Step = (from: number, count: number) => Float64Array;

function stepOf(expression: Expression, columns: FormulaColumns): Step {
  switch (expression.kind) {
    case 'number':
      return readStep({ kind: 'same', number: expression.value });
    case 'figure':
      return readStep(columns.figure(expression.figure));
    case 'knownShare':
      return readStep(columns.knownShare(expression.figure));
    case 'intentWeight':
      return readStep(columns.intentWeight(weightsOf(expression.weights)));
    default: {
      const steps = partsOf(expression).map((part) => stepOf(part, columns));
      const out = new Float64Array(blockLength);
      const run = kernelOf(expression);
      return (from, count) => {
        const args = steps.map((step) => step(from, count));
        run(args, out, count);
        return out;
      };
    }
  }
}

function readStep(column: FormulaColumn): Step {
  const out = new Float64Array(blockLength);
  if (column.kind === 'same') {
    out.fill(column.number);
    return () => out;
  }
  if (column.kind === 'numbers') {
    const { numbers } = column;
    // No copy is needed.
    if (numbers instanceof Float64Array) return (from, count) => numbers.subarray(from, from + count);
    return (from, count) => {
      for (let at = 0; at < count; at++) out[at] = numbers[from + at]!;
      return out;
    };
  }
  const { indexes, table } = column;
  return (from, count) => {
    for (let at = 0; at < count; at++) out[at] = table[indexes[from + at]!]!;
    return out;
  };
}

/** Writes a result for each of `count` nodes. */
type Kernel = (args: readonly Float64Array[], out: Float64Array, count: number) => void;

function kernelOf(expression: Exclude<Expression, { kind: 'number' | 'figure' | 'knownShare' | 'intentWeight' }>) {
  if (expression.kind === 'binary') return binaryKernels[expression.operator];
  if (expression.kind === 'unary') return expression.operator === '-' ? one((a) => -a) : one(not);
  return functionKernels[expression.name];
}

const one =
  (of: (a: number) => number): Kernel =>
  ([a], out, count) => {
    for (let at = 0; at < count; at++) out[at] = of(a![at]!);
  };
const two =
  (of: (a: number, b: number) => number): Kernel =>
  ([a, b], out, count) => {
    for (let at = 0; at < count; at++) out[at] = of(a![at]!, b![at]!);
  };
const three =
  (of: (a: number, b: number, c: number) => number): Kernel =>
  ([a, b, c], out, count) => {
    for (let at = 0; at < count; at++) out[at] = of(a![at]!, b![at]!, c![at]!);
  };
/** A function of any number of arguments that combines them from first to last. */
const all =
  (of: (a: number, b: number) => number): Kernel =>
  ([first, ...others], out, count) => {
    out.set(first!.subarray(0, count));
    for (const other of others) for (let at = 0; at < count; at++) out[at] = of(out[at]!, other[at]!);
  };

/** NaN for a result beyond ±2^53, which a column cannot represent exactly; NaN stays NaN. */
const bounded = (value: number): number => (Math.abs(value) <= greatestNumber ? value : Number.NaN);
const isUnknown = (a: number, b: number): boolean => Number.isNaN(a) || Number.isNaN(b);
const test = (a: number, b: number, holds: boolean): number => (isUnknown(a, b) ? Number.NaN : Number(holds));
const not = (a: number): number => (Number.isNaN(a) ? Number.NaN : Number(a === 0));

/** Applies {@link bounded} to the results of arithmetic, which also covers division by zero. Such results are rare, so they are counted first. */
const exact =
  (run: Kernel): Kernel =>
  (args, out, count) => {
    run(args, out, count);
    let beyond = 0;
    for (let at = 0; at < count; at++) beyond += Number(Math.abs(out[at]!) > greatestNumber);
    for (let at = 0; beyond > 0 && at < count; at++) out[at] = bounded(out[at]!);
  };

const binaryKernels: Readonly<Record<BinaryOperator, Kernel>> = {
  or: two((a, b) => {
    if ((a !== 0 && !Number.isNaN(a)) || (b !== 0 && !Number.isNaN(b))) return 1;
    return isUnknown(a, b) ? Number.NaN : 0;
  }),
  and: two((a, b) => {
    if (a === 0 || b === 0) return 0;
    return isUnknown(a, b) ? Number.NaN : 1;
  }),
  '=': two((a, b) => test(a, b, a === b)),
  '!=': two((a, b) => test(a, b, a !== b)),
  '<': two((a, b) => test(a, b, a < b)),
  '<=': two((a, b) => test(a, b, a <= b)),
  '>': two((a, b) => test(a, b, a > b)),
  '>=': two((a, b) => test(a, b, a >= b)),
  // Loops of their own without calls and branches: a call for each number would take most of the time of an ordinary score, and so would a
  // branch, because it is hard to predict what is unknown.
  '+': exact(([a, b], out, count) => {
    for (let at = 0; at < count; at++) out[at] = a![at]! + b![at]!;
  }),
  '-': exact(([a, b], out, count) => {
    for (let at = 0; at < count; at++) out[at] = a![at]! - b![at]!;
  }),
  '*': exact(([a, b], out, count) => {
    for (let at = 0; at < count; at++) out[at] = a![at]! * b![at]!;
  }),
  '/': exact(([a, b], out, count) => {
    for (let at = 0; at < count; at++) out[at] = a![at]! / b![at]!;
  }),
  // In JavaScript, NaN to the power of 0 is 1.
  '^': two((a, b) => (isUnknown(a, b) ? Number.NaN : bounded(a ** b))),
};

const functionKernels: Readonly<Record<PlainFunction, Kernel>> = {
  min: all((a, b) => Math.min(a, b)),
  max: all((a, b) => Math.max(a, b)),
  abs: one((a) => Math.abs(a)),
  round: (args, out, count) => (args.length === 1 ? one((a) => roundTo(a, 0)) : two(roundTo))(args, out, count),
  floor: one((a) => Math.floor(a)),
  ceil: one((a) => Math.ceil(a)),
  sqrt: one((a) => Math.sqrt(a)),
  ln: one((a) => bounded(Math.log(a))),
  log: one((a) => bounded(Math.log10(a))),
  clamp: three((a, low, high) => Math.min(Math.max(a, low), high)),
  if: three((a, then, otherwise) => (Number.isNaN(a) ? Number.NaN : a === 0 ? otherwise : then)),
  ifUnknown: two((a, fallback) => (Number.isNaN(a) ? fallback : a)),
  isKnown: one((a) => Number(!Number.isNaN(a))),
  ctrAt: one(clickRateAt),
};

/** Rounds half away from zero, to at most 15 digits after or before the decimal point. */
function roundTo(value: number, digits: number): number {
  if (isUnknown(value, digits)) return Number.NaN;
  const by = 10 ** Math.max(-15, Math.min(15, Math.trunc(digits)));
  const scaled = Math.abs(value) * by;
  // Larger numbers have no digits left to round.
  if (scaled > greatestNumber) return value;
  return (Math.sign(value) * Math.round(scaled)) / by + 0;
}

/**
 * The share of searches that click on a result by its position. An assumption of the product, which the editor states:
 * real rates differ by search and by year.
 */
const clickRates = [0.28, 0.15, 0.11, 0.08, 0.06, 0.05, 0.04, 0.03, 0.03, 0.02] as const;
/** The share at positions 11 to 20. Beyond, it is 0. */
const secondPage = 0.01;

const rateAtWhole = (position: number): number =>
  position <= 10 ? clickRates[Math.max(1, position) - 1]! : position <= 20 ? secondPage : 0;

/** Interpolates linearly between whole positions. Positions below 1 count as 1. */
function clickRateAt(position: number): number {
  if (Number.isNaN(position)) return position;
  if (position >= 21) return 0;
  const above = Math.floor(Math.max(1, position));
  const past = Math.max(1, position) - above;
  return rateAtWhole(above) * (1 - past) + rateAtWhole(above + 1) * past;
}
