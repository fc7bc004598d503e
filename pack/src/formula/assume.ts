import { type Expression, type FormulaFigure, figuresIn } from './expression.ts';

/**
 * A formula that uses a number wherever a figure is unknown. Where the formula already handles the unknown figure, in
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

/** What people usually assume of a figure that is unknown; nothing for figures that nobody can guess. */
export const defaultAssumptions: Readonly<Partial<Record<FormulaFigure, number>>> = { difficulty: 50, position: 100 };

/** The figures of a formula for which something can be assumed and is not yet. */
export const assumable = (expression: Expression): FormulaFigure[] =>
  [...figuresIn(expression)].filter((figure) => defaultAssumptions[figure] !== undefined && isOpen(expression, figure));

/** Whether a figure is used where nothing handles that it is unknown. */
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
