import {
  type BinaryOperator,
  compareStrength,
  type Expression,
  type FormulaFigure,
  type FunctionName,
  figuresIn,
  formulaFigures,
  functionArguments,
  functionNames,
  notStrength,
  powerStrength,
  signStrength,
  strengths,
} from './expression.ts';
import { type FormulaProblem, FormulaRefused, refuseAt } from './formula-problem.ts';
import { writeFormula } from './formula-text.ts';
import { type Sign, type Token, tokensOf } from './formula-tokens.ts';
import { nearName } from './near-name.ts';

const formulaLimits = { characters: 500, parts: 100, depth: 16 } as const;

/** The figures of a file that formulas can use. */
export type FileFigures = {
  has(figure: FormulaFigure): boolean;
  /** The names of its numeric fields, for suggestions. */
  readonly fields: readonly string[];
  /** The figure that a name stands for in exports of keyword tools, such as `difficulty` for `kd`; for suggestions. */
  standardName(name: string): string | undefined;
};

type ParsedFormula =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly problem: FormulaProblem };

/**
 * Parses a formula. The precedence, from the weakest: `or`, `and`, `not`, one comparison, sums, products, a sign, powers. A formula is
 * never run as code.
 *
 * @param file refuses figures that this file lacks; without it every figure is accepted
 */
export function parseFormula(text: string, file?: FileFigures): ParsedFormula {
  try {
    const length = Array.from(text).length;
    if (length > formulaLimits.characters) refuseLong(length);
    const expression = new Parser(tokensOf(text), file).whole();
    // The canonical text may be longer than what was typed, and must not exceed the limit either when it is parsed again.
    const canonical = Array.from(writeFormula(expression)).length;
    if (canonical > formulaLimits.characters) refuseLong(length + 1);
    return { ok: true, expression };
  } catch (error) {
    if (error instanceof FormulaRefused) return { ok: false, problem: error.problem };
    throw error;
  }
}

function refuseLong(length: number): never {
  const maxLength = formulaLimits.characters;
  const at = Math.min(length, maxLength + 1);
  return refuseAt({ at, length: Math.max(0, length - maxLength) }, { kind: 'too-long', most: maxLength });
}

/** The binding strength of signs that are binary operators. */
const strengthOf: Readonly<Partial<Record<Sign, number>>> = strengths;

const figureByName = new Map<string, FormulaFigure>(formulaFigures.map((name) => [name.toLowerCase(), name]));
const functionByName = new Map<string, FunctionName>(functionNames.map((name) => [name.toLowerCase(), name]));

class Parser {
  readonly #tokens: readonly Token[];
  readonly #file: FileFigures | undefined;
  #next = 0;
  #parts = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], file: FileFigures | undefined) {
    this.#tokens = tokens;
    this.#file = file;
  }

  whole(): Expression {
    const first = this.#tokens[0]!;
    if (first.kind === 'end') refuseAt(first, { kind: 'empty' });
    const expression = this.#binary(0);
    const rest = this.#peek();
    if (rest.kind !== 'end') refuseAt(rest, { kind: 'unexpected', text: writtenOf(rest) });
    return expression;
  }

  /** Parses an expression as far as its operators bind more strongly than `minStrength`. */
  #binary(minStrength: number): Expression {
    let left = this.#operand(minStrength);
    for (;;) {
      const token = this.#peek();
      const strength = token.kind === 'sign' ? (strengthOf[token.text] ?? 0) : 0;
      if (strength <= minStrength) return left;
      this.#take();
      const operator = token.text as BinaryOperator;
      // The exponent may have a sign, and powers group from the right.
      const right = strength === powerStrength ? this.#binary(signStrength - 1) : this.#binary(strength);
      left = this.#part(token, { kind: 'binary', operator, left, right });
      // Comparisons do not chain: 1 < 2 < 3 would compare a test with a number.
      const after = this.#peek();
      if (strength === compareStrength && after.kind === 'sign' && strengthOf[after.text] === compareStrength)
        refuseAt(after, { kind: 'unexpected', text: writtenOf(after) });
    }
  }

  #operand(minStrength: number): Expression {
    const token = this.#take();
    if (token.kind === 'number') return this.#part(token, { kind: 'number', value: token.value });
    if (token.kind === 'name') return this.#named(token);
    if (token.kind === 'end') refuseAt(token, { kind: 'incomplete' });
    if (token.kind === 'sign') {
      if (token.text === '(') return this.#inBrackets(token, () => this.#binary(0));
      // One sign per operand, and `not` only where a whole comparison may stand.
      if (token.text === 'not' && minStrength < notStrength)
        return this.#part(token, { kind: 'unary', operator: 'not', of: this.#binary(notStrength) });
      if (token.text === '-' && minStrength < signStrength)
        return this.#part(token, { kind: 'unary', operator: '-', of: this.#binary(signStrength) });
    }
    return refuseAt(token, { kind: 'unexpected', text: writtenOf(token) });
  }

  #named(token: Token): Expression {
    const next = this.#peek();
    const name = token.text.toLowerCase();
    if (next.kind === 'sign' && next.text === '(') {
      const called = functionByName.get(name);
      if (!called) {
        const suggestion = nearName(token.text, functionNames);
        refuseAt(token, { kind: 'unknown-function', text: token.text, ...(suggestion && { suggestion }) });
      }
      return this.#call(token, called);
    }
    return this.#part(token, { kind: 'figure', figure: this.#figure(token) });
  }

  #figure(token: Token): FormulaFigure {
    const figure = figureByName.get(token.text.toLowerCase());
    if (figure) return this.#requireFigure(token, figure, token.text);
    const suggestion = this.#suggest(token.text);
    return refuseAt(token, { kind: 'unknown-name', text: token.text, ...(suggestion && { suggestion }) });
  }

  /** What to write instead of an unknown name: the figure that it stands for in other tools, a field of the file, or the closest name. */
  #suggest(text: string): string | undefined {
    const file = this.#file;
    const standard = file?.standardName(text);
    const figures = formulaFigures.filter((figure) => file?.has(figure) ?? true);
    const known = figures.find((figure) => figure === standard);
    if (known) return known;
    const fields = file?.fields ?? [];
    const field = fields.find((name) => name.toLowerCase() === text.toLowerCase()) ?? nearName(text, fields);
    return nearName(text, [...figures, ...functionNames]) ?? (field === undefined ? undefined : fieldCall(field));
  }

  #requireFigure(token: Pick<Token, 'at' | 'length'>, figure: FormulaFigure, text: string): FormulaFigure {
    if (!this.#file || this.#file.has(figure)) return figure;
    const near = figure.startsWith('field:') ? nearName(text, this.#file.fields) : undefined;
    return refuseAt(token, { kind: 'missing-figure', text, ...(near && { suggestion: fieldCall(near) }) });
  }

  #call(token: Token, name: FunctionName): Expression {
    const open = this.#take();
    if (name === 'field')
      return this.#part(
        token,
        this.#inBrackets(open, () => this.#field(token)),
      );
    if (name === 'knownShare')
      return this.#part(
        token,
        this.#inBrackets(open, () => this.#knownShare(token)),
      );
    const args = this.#inBrackets(open, () => this.#arguments());
    const [least, most] = functionArguments[name];
    if (args.length < least || args.length > most)
      refuseAt(token, { kind: 'arguments', text: name, least, most, given: args.length });
    if (name !== 'intentWeight') return this.#part(token, { kind: 'call', name, args });
    const [i, n, c, t] = args as [Expression, Expression, Expression, Expression];
    if (args.some((argument) => !isFixed(argument))) refuseAt(token, { kind: 'not-a-number', text: name });
    return this.#part(token, { kind: 'intentWeight', weights: [i, n, c, t] });
  }

  #arguments(): Expression[] {
    const args: Expression[] = [];
    if (this.#isSign(')')) return args;
    do args.push(this.#binary(0));
    while (this.#skip(','));
    return args;
  }

  #field(name: Token): Expression {
    const token = this.#take();
    if (token.kind !== 'text') refuseAt(token.kind === 'end' ? token : name, { kind: 'not-a-text', text: 'field' });
    return { kind: 'figure', figure: this.#requireFigure(token, `field:${token.text}`, token.text) };
  }

  #knownShare(name: Token): Expression {
    const token = this.#take();
    if (token.kind !== 'name') refuseAt(token.kind === 'end' ? token : name, { kind: 'not-a-figure', text: name.text });
    if (token.text.toLowerCase() !== 'field' || !this.#isSign('('))
      return { kind: 'knownShare', figure: this.#figure(token) };
    const field = this.#inBrackets(this.#take(), () => this.#field(token)) as Expression & { kind: 'figure' };
    return { kind: 'knownShare', figure: field.figure };
  }

  #inBrackets<T>(open: Token, inside: () => T): T {
    if (++this.#depth > formulaLimits.depth) refuseAt(open, { kind: 'too-deep', most: formulaLimits.depth });
    const found = inside();
    this.#depth--;
    const close = this.#peek();
    if (close.kind === 'end') refuseAt(open, { kind: 'missing-bracket' });
    if (!this.#skip(')')) refuseAt(close, { kind: 'unexpected', text: writtenOf(close) });
    return found;
  }

  #part(token: Token, expression: Expression): Expression {
    if (++this.#parts > formulaLimits.parts) refuseAt(token, { kind: 'too-many-parts', most: formulaLimits.parts });
    return expression;
  }

  #peek = (): Token => this.#tokens[this.#next]!;

  /** Returns the next token and moves on, but never past the end. */
  #take(): Token {
    const token = this.#peek();
    if (token.kind !== 'end') this.#next++;
    return token;
  }

  #isSign(sign: Sign): boolean {
    const token = this.#peek();
    return token.kind === 'sign' && token.text === sign;
  }

  #skip(sign: Sign): boolean {
    const isSign = this.#isSign(sign);
    if (isSign) this.#next++;
    return isSign;
  }
}

/** Whether an expression has the same value at every node. */
const isFixed = (expression: Expression): boolean =>
  figuresIn(expression).size === 0 && !writeFormula(expression).includes('intentWeight');

const fieldCall = (name: string): string => writeFormula({ kind: 'figure', figure: `field:${name}` });

const writtenOf = (token: Token): string => (token.kind === 'sign' ? token.written : token.text);
