import type { BinaryOperator, Expression, FormulaFigure } from './expression.ts';
import { compareStrength, notStrength, powerStrength, signStrength, strengths } from './expression.ts';

/**
 * The text of a formula that links and caches use: without blanks, with the fewest brackets, in the usual spelling.
 * Equal expressions have equal texts, and parsing a text gives its expression again.
 */
export const writeFormula = (expression: Expression): string => write(expression, compact, 0);

/**
 * The text of a formula for people: with spaces around operators, and words for logic.
 *
 * @param figureAs replaces the names of figures, by their values for example
 */
export const writeReadable = (
  expression: Expression,
  figureAs: (figure: FormulaFigure) => string = figureText,
): string => write(expression, { ...readable, figureAs }, 0);

type Style = {
  readonly comma: string;
  readonly not: string;
  sign(operator: BinaryOperator): string;
  readonly figureAs?: (figure: FormulaFigure) => string;
};

const logic: Readonly<Partial<Record<BinaryOperator, string>>> = { and: '&&', or: '||' };
const compact: Style = { comma: ',', not: '!', sign: (operator) => logic[operator] ?? operator };
const readable: Style = {
  comma: ', ',
  not: 'not ',
  sign: (operator) => (operator === '^' ? '^' : ` ${operator} `),
};

/** @param minStrength the binding strength that the context requires; weaker expressions get brackets */
function write(expression: Expression, style: Style, minStrength: number): string {
  const { text, strength } = render(expression, style);
  return strength < minStrength ? `(${text})` : text;
}

const atom = 9;

function render(expression: Expression, style: Style): { readonly text: string; readonly strength: number } {
  switch (expression.kind) {
    case 'number':
      return { text: numberText(expression.value), strength: atom };
    case 'figure':
      return { text: (style.figureAs ?? figureText)(expression.figure), strength: atom };
    case 'knownShare':
      return { text: `knownShare(${figureText(expression.figure)})`, strength: atom };
    case 'intentWeight':
      return { text: `intentWeight(${list(expression.weights, style)})`, strength: atom };
    case 'call':
      return { text: `${expression.name}(${list(expression.args, style)})`, strength: atom };
    case 'unary':
      return expression.operator === 'not'
        ? { text: `${style.not}${write(expression.of, style, compareStrength)}`, strength: notStrength }
        : { text: `-${write(expression.of, style, powerStrength)}`, strength: signStrength };
    case 'binary': {
      const { operator, left, right } = expression;
      const strength = strengths[operator];
      const isPower = operator === '^';
      // Comparisons do not chain, and powers group from the right.
      const ofLeft = isPower || strength === compareStrength ? strength + 1 : strength;
      const ofRight = isPower ? signStrength : strength + 1;
      const text = `${write(left, style, ofLeft)}${style.sign(operator)}${write(right, style, ofRight)}`;
      return { text, strength };
    }
  }
}

const list = (args: readonly Expression[], style: Style): string =>
  args.map((argument) => write(argument, style, 0)).join(style.comma);

/** The shorter of the plain and the exponential form. */
function numberText(value: number): string {
  const [plain, exponential] = [String(value), value.toExponential().replace('+', '')];
  return exponential.length < plain.length ? exponential : plain;
}

const figureText = (figure: FormulaFigure): string =>
  figure.startsWith('field:') ? `field("${figure.slice('field:'.length).replaceAll('"', '""')}")` : figure;
