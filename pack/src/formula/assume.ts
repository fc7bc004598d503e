import { type Expression, type FormulaFigure, figuresIn } from './expression.ts';

/**
 * The formula with a number in place of a figure where that is unknown. Where the formula itself handles the unknown figure, in
 * `ifUnknown`, `isKnown` and `knownShare`, it stays as it is.
 */
export function assuming(expression: Expression, figure: FormulaFigure, value: number): Expression {
  if (expression.kind === 'figure' && expression.figure === figure)
    return { kind: 'call', name: 'ifUnknown', args: [expression, { kind: 'number', value }] };
  switch (expression.kind) {
    case 'unary':
      return { ...expression, of: assuming(expression.of, figure, value) };
    case 'binary':
      return {
        ...expression,
        left: assuming(expression.left, figure, value),
        right: assuming(expression.right, figure, value),
      };
    case 'call':
      return {
        ...expression,
        args: handlesUnknown(expression.name)
          ? [expression.args[0]!, ...expression.args.slice(1).map((argument) => assuming(argument, figure, value))]
          : expression.args.map((argument) => assuming(argument, figure, value)),
      };
    default:
      return expression;
  }
}

const handlesUnknown = (name: string): boolean => name === 'ifUnknown' || name === 'isKnown';

/** Usual assumptions about unknown figures; absent for figures that cannot be guessed. */
export const defaultAssumptions: Readonly<Partial<Record<FormulaFigure, number>>> = { difficulty: 50, position: 100 };

/** The figures of a formula that have a default assumption and are used without one. */
export const assumable = (expression: Expression): FormulaFigure[] =>
  [...figuresIn(expression)].filter((figure) => defaultAssumptions[figure] !== undefined && isOpen(expression, figure));

/** Whether a figure is used in a place where its being unknown is not handled. */
function isOpen(expression: Expression, figure: FormulaFigure): boolean {
  switch (expression.kind) {
    case 'figure':
      return expression.figure === figure;
    case 'unary':
      return isOpen(expression.of, figure);
    case 'binary':
      return isOpen(expression.left, figure) || isOpen(expression.right, figure);
    case 'call':
      return expression.args.some(
        (argument, at) => !(at === 0 && handlesUnknown(expression.name)) && isOpen(argument, figure),
      );
    default:
      return false;
  }
}
