import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLatin, liteEncoder, modelEncoder, type RunModel, sentenceOf } from './encoder.ts';
import { bytes, elementType, float, integer, joined, message, OnnxGraph, type Parts } from './onnx.ts';
import { sentencePieces, type Vocabulary } from './sentence-pieces.ts';
import { textWidth } from './use-lite.ts';

const blank = '\u2581';
const signs: Vocabulary = Array.from({ length: 6 }, (_, number) => [`<${number}>`, 0] as const);
const vocabulary: Vocabulary = [
  ...signs,
  [blank, -2],
  [`${blank}ab`, -3],
  ['a', -4],
  ['b', -4.5],
  ['abc', -5.25],
  ['c', -6],
  ['bc', -7],
];

describe('sentence pieces', () => {
  const piecesOf = sentencePieces(vocabulary);

  test('are the most likely ones', () => {
    expect(piecesOf('ab')).toEqual([7]);
    expect(piecesOf('abc')).toEqual([6, 10]);
    expect(piecesOf('ab ab')).toEqual([7, 7]);
  });
  test('number 0 stands for a run of unknown letters', () => {
    expect(piecesOf('xyz')).toEqual([6, 0]);
    expect(piecesOf('axya')).toEqual([6, 8, 0, 8]);
  });
  test('no other way to cut a text is more likely', () => {
    const chance = new Map(vocabulary.slice(6).map(([piece, value]) => [piece, value]));
    const best = (text: string): number => {
      if (text === '') return 0;
      const ways = Array.from({ length: text.length }, (_, at) => {
        const known = chance.get(text.slice(0, at + 1));
        return known === undefined ? Number.NEGATIVE_INFINITY : known + best(text.slice(at + 1));
      });
      return Math.max(...ways, -20 + best(text.slice(1)));
    };
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 8 }), (text) => {
        const found = piecesOf(text).map((piece) => vocabulary[piece]![1]);
        expect(found.reduce((sum, value) => sum + value, 0)).toBeCloseTo(best(blank + text.replaceAll(' ', blank)));
      }),
    );
  });
});

describe('texts for the encoder', () => {
  test.each([
    ['How do I pay?', 'How do I pay'],
    ['how do i pay', 'How do I pay'],
    ['  spaced  ', 'Spaced'],
    ['Ｆｕｌｌ width', 'Full width'],
    ['éclair', 'Éclair'],
    ['wi-fi in miami', 'Wi-fi in miami'],
    ['???', ''],
    ['', ''],
  ])('%s begins as a sentence: %s', (text, sentence) => {
    expect(sentenceOf(text)).toBe(sentence);
  });

  test('of one length are run together, always as many, and progress counts them', async () => {
    const sizes: (readonly [texts: number, length: number])[] = [];
    const encoder = liteEncoder('made', vocabulary, async (tokens, texts, length) => {
      sizes.push([texts, length]);
      const vectors = new Float32Array(texts * textWidth);
      for (let row = 0; row < texts; row++) vectors[row * textWidth] = Number(tokens[row * length]!) * 0.5;
      return vectors;
    });
    const heard: number[] = [];
    const texts = ['ab', '???', ...Array.from({ length: 40 }, () => 'ab ab'), 'ab'];
    const vectors = await encoder.embed(texts, (done) => heard.push(done));
    expect(sizes.every(([count]) => count === 16)).toBe(true);
    expect(heard.at(-1)).toBe(42);
    const first = texts.map((_, row) => vectors[row * textWidth]);
    expect(first).toEqual(texts.map((text) => (text === '???' ? 0 : 127)));
  });
});

test.each([
  ['running shoes', true],
  ['café ñandú', true],
  ['ｆｕｌｌ 𝐰𝐢𝐝𝐭𝐡', true],
  ['β carotene', true],
  ['24/7 ?!', true],
  ['', true],
  ['купить iphone', false],
  ['купить', false],
  ['кроссовки nike', false],
  ['靴 nike', true],
  ['ラーメン', false],
  ['รองเท้า', false],
  ['أحذية', false],
])('%s is Latin: %s', (text, latin) => {
  expect(isLatin(text)).toBe(latin);
});

describe('protocol buffers', () => {
  test('are written as their specification shows', () => {
    const written = (parts: Parts) => [...joined(parts)];
    expect(written(integer(1, 150))).toEqual([0x08, 0x96, 0x01]);
    expect(written(bytes(2, 'testing'))).toEqual([0x12, 0x07, ...Buffer.from('testing')]);
    expect(written(bytes(3, integer(1, 150)))).toEqual([0x1a, 0x03, 0x08, 0x96, 0x01]);
    expect(written(integer(1, -1))).toEqual([0x08, ...Array(9).fill(0xff), 0x01]);
    expect(written(float(1, 1))).toEqual([0x0d, 0, 0, 0x80, 0x3f]);
    expect(written(message(integer(1, 0), integer(2, 127)))).toEqual([0x08, 0, 0x10, 0x7f]);
  });
});

test('a graph gives each value a name of its own', () => {
  const graph = new OnnxGraph();
  const [one, two] = [graph.floats([1], Float32Array.of(1)), graph.node('Abs', ['tokens'])];
  expect(new Set([one, two, ...graph.nodeWith(3, 'Split', [one])]).size).toBe(5);
  const model = graph.model([], [{ name: two, type: elementType.float, shape: [1] }]);
  expect(Buffer.from(model).includes('Abs')).toBe(true);
});

describe('texts that are encoded in threads', () => {
  /** A vector of a text: the numbers of its two tokens. */
  const run: RunModel = async (tokens) => Float32Array.from(tokens, Number);
  const model = {
    id: 'two numbers',
    languages: 'all',
    dimensions: 2,
    reads: () => true,
    tokensOf: (text: string) => [127, Number(text)],
    batchSize: 4,
    run,
  } as const;
  const textsOf = (count: number) => Array.from({ length: count }, (_, at) => String(at % 120));

  test('have the vectors that they have in one, and count once', async () => {
    const texts = textsOf(1000);
    const batches = [0, 0, 0];
    const encoder = modelEncoder({
      ...model,
      run: () => Promise.reject(new Error('The threads run the model')),
      inThreads: (work) =>
        work(
          batches.map((_, thread) => async (tokens, count, length) => {
            batches[thread]!++;
            await new Promise((resolve) => setImmediate(resolve));
            return run(tokens, count, length);
          }),
        ),
    });
    const done: number[] = [];
    const found = await encoder.embed(texts, (count) => done.push(count));
    expect(found).toEqual(await modelEncoder(model).embed(texts));
    expect(done).toEqual(Array.from({ length: 250 }, (_, at) => 4 * (at + 1)));
    expect(batches.reduce((sum, count) => sum + count)).toBe(250);
    expect(Math.min(...batches)).toBeGreaterThan(50);
  });

  test('are encoded here if no thread could start', async () => {
    const encoder = modelEncoder({ ...model, inThreads: (work) => work([]) });
    expect(await encoder.embed(textsOf(1000))).toEqual(await modelEncoder(model).embed(textsOf(1000)));
  });

  test('are too few for threads if the list is short', async () => {
    const encoder = modelEncoder({ ...model, inThreads: () => Promise.reject(new Error('No thread is started')) });
    expect(await encoder.embed(textsOf(100))).toEqual(await modelEncoder(model).embed(textsOf(100)));
  });
});
