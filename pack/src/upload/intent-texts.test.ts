import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sampled } from '../../test/support/sampled.ts';
import { intentsOfCodes, intentsOfText } from './intent-texts.ts';
import { simdLoop } from './json-loop-simd.ts';
import { createUploadReader } from './upload-reader.ts';

const [I, N, C, T] = [1, 2, 4, 8];

const written: readonly (readonly [string, number])[] = [
  ['Informational', I],
  ['informational, navigational', I | N],
  ['I,C', I | C],
  ['I, C', I | C],
  ['I C', I | C],
  ['IC', I | C],
  ['INCT', I | N | C | T],
  ['i', I],
  ['info', I],
  ['nav', N],
  ['trans', T],
  ['Commercial Investigation', C],
  ['Informational intent', I],
  ['Commercial/Transactional', C | T],
  ['Informational & Commercial', I | C],
  ['Informational and Commercial', I | C],
  ['Informational|Navigational', I | N],
  ['Commercial; Transactional', C | T],
  ['Do (Transactional)', T],
  ['Know (Informational)', I],
  ['Website (Navigational)', N],
  ['Informational,Commercial,Non-branded,Non-local', I | C],
  ['Transaktional', T],
  ['Transactionnelle', T],
  ['Comercial', C],
  ['Informationsorientiert', I],
  ['Navegación', N],
  ['Коммерческий', C],
  ['取引型', T],
  [' informational ', I],
  ['N/A', 0],
  ['n/a', 0],
  ['n.a.', 0],
  ['n. a.', 0],
  ['#N/A', 0],
  ['na', 0],
  ['none', 0],
  ['-', 0],
  ['?', 0],
  ['', 0],
  ['not i', 0],
  ['not informational', 0],
  ['non-commercial', 0],
  ['no intent', 0],
  ['T-shirt', 0],
  ['in', 0],
  ['it', 0],
  ['tic', 0],
  ['C++', 0],
  ['mixed (i)', 0],
  ['Do (Informational)', 0],
  ['branded', 0],
];

test.each(written)('%j means the intents %d', (text, bits) => {
  expect(intentsOfText(text)).toBe(bits);
});

test('codes are distinguished from everything else', () => {
  const codes = { '0': C, '1': I, '2': N, '3': T, '1,0': I | C, ' 1 3 ': I | T, '4': 0, '10': 0, '1,4': 0, 'top 1': 0 };
  for (const [text, bits] of Object.entries(codes)) expect([text, intentsOfCodes(text)]).toEqual([text, bits]);
});

const intent = fc.constantFrom(...written.filter(([, bits]) => bits !== 0).map(([text]) => text.trim()));
/** Words that are neither intents, nor an "and" between intents, nor remarks that may follow an intent. */
const word = fc
  .stringMatching(/^[\p{L}\p{N}.!*'-]{2,8}$/u)
  .filter((text) => intentsOfText(text) === 0 && !/^(?:and|intent)$/iu.test(text));
const between = fc.constantFrom(' ', '/', ' / ', ' & ', '+', '-', '.', '_', ': ');

test('other texts never become an intent, even if they contain one', () => {
  const part = fc
    .tuple(
      word,
      between,
      intent.filter((text) => !/[,;|]/u.test(text)),
    )
    .chain(([other, sign, name]) =>
      fc.constantFrom(`${other}${sign}${name}`, `${name}${sign}${other}`, `${other} (${name})`, `${name}${other}`),
    );
  fc.assert(
    fc.property(part, (text) => intentsOfText(text) === 0),
    { numRuns: sampled(20_000), seed: 1 },
  );
});

test('in a list with other parts only intents count', () => {
  fc.assert(
    fc.property(word, intent, fc.constantFrom(',', ', ', ';', ' | '), (other, name, sign) => {
      expect(intentsOfText(`${other}${sign}${name}`)).toBe(intentsOfText(name));
    }),
    { numRuns: sampled(2000), seed: 1 },
  );
});

const simd = simdLoop(readFileSync(new URL('../../dist/json-loop.wasm', import.meta.url)))!;

describe.each([
  ['TypeScript', undefined],
  ['WebAssembly', simd],
] as const)('read by %s', (_, loop) => {
  const intentsOf = (...entries: readonly object[]) => {
    const reader = createUploadReader({ loop });
    const file = { keywords: entries.map((entry) => ({ keyword: 'a', ...entry })), hierarchy: { name: 'root' } };
    reader.push(new TextEncoder().encode(JSON.stringify(file)));
    const result = reader.finish();
    if (!result.ok) throw new Error(result.problem.what);
    return [...(result.tables.keywords.metrics.intent ?? [])];
  };

  test('every text means the same as a member, in a list, and when repeated', () => {
    for (const [text, bits] of written) {
      // The first entry has a known value, so that there is a column.
      const entries = [{ Intent: 'I' }, { Intent: text }, { Intent: [text] }, { Intent: text }, { intents: [text] }];
      expect([text, intentsOf(...entries)]).toEqual([text, [I, bits, bits, bits, bits]]);
    }
  });

  test('a code has a meaning only in "Intent", as a number and as a text', () => {
    const codes = [{ Intent: 1 }, { Intent: '1' }, { Intent: [1] }, { Intent: ['1'] }, { Intent: '1,0' }];
    expect(intentsOf(...codes, ...codes)).toEqual([I, I, I, I, I | C, I, I, I, I, I | C]);
    const others = [{ searchIntent: 1 }, { searchIntent: '1' }, { searchIntent: [1] }, { searchIntent: ['1'] }];
    expect(intentsOf({ Intent: '1' }, ...others, ...others)).toEqual([I, 0, 0, 0, 0, 0, 0, 0, 0]);
  });
});
