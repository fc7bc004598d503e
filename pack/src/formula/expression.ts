/** A figure of a node that a formula can name, or a numeric field of the file as `field:NAME`. */
export type FormulaFigure = (typeof formulaFigures)[number] | `field:${string}`;

/** The figures with a name of their own, in the order of suggestions. */
export const formulaFigures = [
  'volume',
  'difficulty',
  'cpc',
  'competition',
  'position',
  'traffic',
  'trafficPotential',
  'clicks',
  'impressions',
  'keywords',
  'informational',
  'navigational',
  'commercial',
  'transactional',
  'growth',
  'words',
  'level',
] as const;

const binaryOperators = ['or', 'and', '=', '!=', '<', '<=', '>', '>=', '+', '-', '*', '/', '^'] as const;
export type BinaryOperator = (typeof binaryOperators)[number];

/** A parsed formula. Contains no positions: equal formulas are equal trees, however they were typed. */
export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'figure'; readonly figure: FormulaFigure }
  /** The share of a node's keywords for which a figure is known, by volume: see docs/glossary.md "Known share". */
  | { readonly kind: 'knownShare'; readonly figure: FormulaFigure }
  /** The weights of the four intents, in the order of a pack's `own_intent`; without figures. */
  | { readonly kind: 'intentWeight'; readonly weights: readonly [Expression, Expression, Expression, Expression] }
  | { readonly kind: 'unary'; readonly operator: '-' | 'not'; readonly of: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'call'; readonly name: PlainFunction; readonly args: readonly Expression[] };

/** Functions of numbers, with the minimum and maximum number of arguments. */
const plainFunctions = {
  min: [1, 100],
  max: [1, 100],
  abs: [1, 1],
  round: [1, 2],
  floor: [1, 1],
  ceil: [1, 1],
  sqrt: [1, 1],
  ln: [1, 1],
  log: [1, 1],
  clamp: [3, 3],
  if: [3, 3],
  ifUnknown: [2, 2],
  isKnown: [1, 1],
  ctrAt: [1, 1],
} as const satisfies Readonly<Record<string, readonly [number, number]>>;
export type PlainFunction = keyof typeof plainFunctions;

/** All functions, those with special arguments included. */
export const functionArguments: Readonly<Record<FunctionName, readonly [number, number]>> = {
  ...plainFunctions,
  knownShare: [1, 1],
  intentWeight: [4, 4],
  field: [1, 1],
};
export type FunctionName = PlainFunction | 'knownShare' | 'intentWeight' | 'field';
export const functionNames = Object.keys(functionArguments) as readonly FunctionName[];

/** Every figure that a formula uses, each once. */
export function figuresIn(expression: Expression): ReadonlySet<FormulaFigure> {
  const found = new Set<FormulaFigure>();
  const visit = (one: Expression): void => {
    if (one.kind === 'figure' || one.kind === 'knownShare') found.add(one.figure);
    for (const part of partsOf(one)) visit(part);
  };
  visit(expression);
  return found;
}

/** The expressions that an expression directly consists of. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'unary':
      return [expression.of];
    case 'binary':
      return [expression.left, expression.right];
    case 'call':
      return expression.args;
    case 'intentWeight':
      return expression.weights;
    default:
      return [];
  }
}

/** How strongly each operator binds, for reading a formula and for writing one. */
export const strengths: Readonly<Record<BinaryOperator, number>> = {
  or: 1,
  and: 2,
  '=': 4,
  '!=': 4,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '^': 8,
};
export const [notStrength, compareStrength, signStrength, powerStrength] = [3, 4, 7, 8] as const;
