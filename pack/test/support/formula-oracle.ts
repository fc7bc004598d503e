import fc from 'fast-check';

/**
 * What a formula reads at one node. Undefined is unknown.
 *
 * @param weights of the four intents
 */
export type PlainNodeFigures = {
  figure(name: string): number | undefined;
  knownShare(name: string): number | undefined;
  intentWeight(weights: readonly number[]): number | undefined;
};

/** A formula in some spelling, and its value at a node: evaluated by the arithmetic of the design, without product code. */
export type PlainFormula = { readonly text: string; value(of: PlainNodeFigures): number | undefined };

type Maybe = number | undefined;

const most = 2 ** 53;
const bounded = (value: number): Maybe => (Number.isNaN(value) || Math.abs(value) > most ? undefined : value);
/** Unknown if any argument is. */
const ifAll = (args: readonly Maybe[], of: (...known: number[]) => Maybe): Maybe =>
  args.some((one) => one === undefined) ? undefined : of(...(args as number[]));

const rates = [28, 15, 11, 8, 6, 5, 4, 3, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0].map((percent) => percent / 100);
function rateAt(position: number): number {
  const at = Math.min(21, Math.max(1, position));
  const [low, high] = [Math.floor(at), Math.ceil(at)];
  return rates[low - 1]! + (rates[high - 1]! - rates[low - 1]!) * (at - low);
}

/** The meaning of each function. */
const functions: Readonly<Record<string, (args: readonly Maybe[]) => Maybe>> = {
  min: (args) => ifAll(args, (...known) => known.reduce((a, b) => (b < a ? b : a))),
  max: (args) => ifAll(args, (...known) => known.reduce((a, b) => (b > a ? b : a))),
  abs: (args) => ifAll(args, (a) => (a! < 0 ? -a! : a!)),
  floor: (args) => ifAll(args, (a) => a! - (((a! % 1) + 1) % 1)),
  ceil: (args) => ifAll(args, (a) => -(-a! - (((-a! % 1) + 1) % 1))),
  sqrt: (args) => ifAll(args, (a) => (a! < 0 ? undefined : a! ** 0.5)),
  ln: (args) => ifAll(args, (a) => (a! > 0 ? Math.log(a!) : undefined)),
  log: (args) => ifAll(args, (a) => (a! > 0 ? Math.log(a!) / Math.LN10 : undefined)),
  clamp: (args) => ifAll(args, (a, low, high) => (a! < low! ? (low! > high! ? high : low) : a! > high! ? high : a)),
  if: ([test, yes, no]) => (test === undefined ? undefined : test === 0 ? no : yes),
  ifUnknown: ([a, other]) => (a === undefined ? other : a),
  isKnown: ([a]) => (a === undefined ? 0 : 1),
  ctrAt: (args) => ifAll(args, (a) => rateAt(a!)),
};
const argumentCounts: Readonly<Record<string, number>> = { clamp: 3, if: 3, ifUnknown: 2, min: 2, max: 3 };

const operators: Readonly<Record<string, (a: Maybe, b: Maybe) => Maybe>> = {
  '+': (...args) => ifAll(args, (a, b) => bounded(a! + b!)),
  '-': (...args) => ifAll(args, (a, b) => bounded(a! - b!)),
  '*': (...args) => ifAll(args, (a, b) => bounded(a! * b!)),
  '/': (...args) => ifAll(args, (a, b) => (b === 0 ? undefined : bounded(a! / b!))),
  '^': (...args) => ifAll(args, (a, b) => bounded(a! ** b!)),
  '<': (...args) => ifAll(args, (a, b) => (a! < b! ? 1 : 0)),
  '<=': (...args) => ifAll(args, (a, b) => (a! > b! ? 0 : 1)),
  '>': (...args) => ifAll(args, (a, b) => (a! > b! ? 1 : 0)),
  '>=': (...args) => ifAll(args, (a, b) => (a! < b! ? 0 : 1)),
  '=': (...args) => ifAll(args, (a, b) => (a! === b! ? 1 : 0)),
  '!=': (...args) => ifAll(args, (a, b) => (a! === b! ? 0 : 1)),
  and: (a, b) => (a === 0 || b === 0 ? 0 : a === undefined || b === undefined ? undefined : 1),
  or: (a, b) => (a || b ? 1 : a === undefined || b === undefined ? undefined : 0),
};
const spellings: Readonly<Record<string, readonly string[]>> = {
  '*': ['*', '×'],
  '/': ['/', '÷'],
  '-': ['-', '−'],
  '<=': ['<=', '≤'],
  '>=': ['>=', '≥'],
  '=': ['=', '=='],
  and: [' and ', '&&', ' AND '],
  or: [' or ', '||'],
};

const blank = fc.constantFrom('', ' ', '  ');
const number = fc
  .oneof(
    fc.integer({ min: 0, max: 12 }),
    fc.integer({ min: 0, max: 40 }).map((n) => n / 8),
    fc.constant(2 ** 53),
  )
  .map((value): PlainFormula => ({ text: String(value), value: () => value }));

/** Formulas with brackets around every operator, over some figures. @param fields numeric fields of the file */
export function anyFormula(names: readonly string[], fields: readonly string[]): fc.Arbitrary<PlainFormula> {
  const spelled = fc.tuple(fc.constantFrom(...names), fc.constantFrom(0, 1, 2)).map(([name, how]) => ({
    name,
    text: how === 0 ? name.toUpperCase() : name,
  }));
  const ofFile = fc
    .constantFrom(...fields, 'none')
    .map((name) => ({ name: `field:${name}`, text: `field("${name}")` }));
  const named = fields.length > 0 ? fc.oneof(spelled, spelled, ofFile) : spelled;
  const leaf = fc.oneof(
    { weight: 5, arbitrary: named.map(({ name, text }): PlainFormula => ({ text, value: (of) => of.figure(name) })) },
    { weight: 3, arbitrary: number },
    {
      weight: 1,
      arbitrary: named.map(
        ({ name, text }): PlainFormula => ({ text: `knownshare(${text})`, value: (of) => of.knownShare(name) }),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(...[0, 1, 2, 3].map(() => fc.integer({ min: -2, max: 2 }))).map(
        (weights): PlainFormula => ({
          text: `intentWeight(${weights.join(', ')})`,
          value: (of) => of.intentWeight(weights),
        }),
      ),
    },
  );
  const { formula } = fc.letrec<{ formula: PlainFormula }>((tie) => ({
    formula: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      fc
        .tuple(fc.constantFrom(...Object.keys(operators)), tie('formula'), tie('formula'), blank, fc.nat({ max: 9 }))
        .map(([operator, a, b, space, how]): PlainFormula => {
          const ways = spellings[operator] ?? [operator];
          return {
            text: `(${a.text}${space}${ways[how % ways.length]!}${space}${b.text})`,
            value: (of) => operators[operator]!(a.value(of), b.value(of)),
          };
        }),
      fc.tuple(fc.constantFrom('-', '−', 'not ', '!'), tie('formula')).map(([sign, a]): PlainFormula => {
        const isMinus = sign === '-' || sign === '−';
        return {
          text: `(${sign}${a.text})`,
          value: (of) => ifAll([a.value(of)], (one) => (isMinus ? -one! : one === 0 ? 1 : 0)),
        };
      }),
      fc
        .tuple(fc.constantFrom(...Object.keys(functions)), tie('formula'), tie('formula'), tie('formula'))
        .map(([name, ...parts]): PlainFormula => {
          const args = parts.slice(0, argumentCounts[name] ?? 1);
          return {
            text: `${name}(${args.map(({ text }) => text).join(', ')})`,
            value: (of) => functions[name]!(args.map((one) => one.value(of))),
          };
        }),
    ),
  }));
  return formula;
}
