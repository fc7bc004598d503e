import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sayRefusal } from '@kc/rules/all-messages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type MadeModel,
  type MadeStatic,
  madeColumn,
  madeDimensions,
  madeMatrix,
  madeModel,
  madeOnnx,
  madeStatic,
  madeTokenizer,
  safetensors,
} from '../../test/support/made-model.ts';
import { availableTools } from './cluster-tools.ts';
import { modelFolderEncoder } from './model-folder.ts';
import { modelRuntime, runtimeKinds } from './model-runtime.ts';
import { UnusableModel } from './static-model.ts';

let directory: string;
let folders = 0;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kc-model-'));
});
afterAll(() => rm(directory, { recursive: true }));

const encoderOf = async (made?: MadeModel) =>
  modelFolderEncoder(await madeModel(join(directory, `m${folders++}`), made), await modelRuntime());
const row = (vectors: Int8Array, at: number) => vectors.subarray(at * madeDimensions, (at + 1) * madeDimensions);
const texts = ['Rot Schuh', 'red shoe', 'katze', 'rot', '', 'blau Stiefel rot', 'unknown words'];

describe('a language model in a folder', () => {
  test('is described by its file, and named by its content', async () => {
    const encoder = await encoderOf();
    expect(encoder).toMatchObject({ languages: ['de', 'en'], dimensions: madeDimensions });
    const other = await encoderOf({ description: { languages: 'all', pooling: 'cls' } });
    expect(other.languages).toBe('all');
    const hashOf = ({ id }: { id: string }) => /sha256:([0-9a-f]{64}) onnxruntime-node/.exec(id)?.[1];
    expect(hashOf(encoder)).toBeDefined();
    expect(hashOf(encoder)).not.toBe(hashOf(other));
    expect(hashOf(await encoderOf())).toBe(hashOf(encoder));
  });

  test('takes the mean of the tokens, or the first one', async () => {
    // [CLS] and [SEP] have zeros, and case does not matter.
    const mean = await (await encoderOf()).embed(texts);
    expect([...row(mean, 0)]).toEqual([...row(await (await encoderOf()).embed(['rot schuh']), 0)]);
    expect(row(mean, 0)[1]).toBe(127);
    expect(row(mean, 2)[0]).toBe(127);
    expect(row(mean, 4).every((value) => value === 0)).toBe(true);
    const first = await (await encoderOf({ description: { languages: ['de'], pooling: 'cls' } })).embed(texts);
    expect(first.every((value) => value === 0)).toBe(true);
  });

  test('runs as WebAssembly, too', async () => {
    const model = await madeModel(join(directory, `m${folders++}`));
    const [native, wasm] = await Promise.all(
      runtimeKinds.map(async (kind) => modelFolderEncoder(model, await modelRuntime(kind))),
    );
    expect(await wasm!.embed(texts)).toEqual(await native!.embed(texts));
    expect(wasm!.id).toMatch(/ onnxruntime-web /);
  });

  test('writes the prefix before each text', async () => {
    const plain = await (await encoderOf()).embed(['katze schuh']);
    const prefixed = await encoderOf({ description: { languages: ['de'], pooling: 'mean', prefix: 'katze ' } });
    expect(await prefixed.embed(['schuh'])).toEqual(plain);
  });

  test('reads so many tokens of a long text', async () => {
    const short = await encoderOf({ description: { languages: ['de'], pooling: 'mean', maxTokens: 4 } });
    expect(await short.embed(['rot schuh katze hund futter'])).toEqual(await short.embed(['rot schuh']));
  });

  test.each([
    ['whose vectors do not depend on the batch', madeOnnx()],
    ['whose vectors depend on the batch', madeOnnx({ dependsOnBatch: true })],
  ])('%s: a text has the same bytes in any company', async (_, onnx) => {
    const encoder = await encoderOf({ onnx });
    const together = await encoder.embed(texts);
    const backwards = await encoder.embed(texts.toReversed());
    for (const [at, text] of texts.entries()) {
      expect(row(backwards, texts.length - 1 - at)).toEqual(row(together, at));
      expect(await encoder.embed([text])).toEqual(row(together, at));
    }
  });

  test.each<[string, MadeModel]>([
    ['The folder of the language model has no model.json that can be read.', { without: 'model.json' }],
    ['The folder of the language model has no model.onnx that can be read.', { without: 'model.onnx' }],
    ['tokenizer.json of the language model is not valid JSON.', { tokenizer: '{"model":' }],
    [
      'model.json of the language model is not valid: see “pooling”. docs/keyword-lists.md says what it holds.',
      { description: { languages: ['de'], pooling: 'max' } },
    ],
    [
      'model.json of the language model is not valid: see its members. docs/keyword-lists.md says what it holds.',
      { description: { languages: ['de'], pooling: 'mean', pool: 1 } },
    ],
    [
      'tokenizer.json of the language model is of a kind that is not supported.',
      { tokenizer: { ...madeTokenizer, model: { type: 'Morse' } } },
    ],
    ['model.onnx of the language model cannot be run.', { onnx: Buffer.from('not a model') }],
    [
      'model.onnx of the language model takes pixels, attention_mask. Supported are input_ids, attention_mask and token_type_ids.',
      { onnx: madeOnnx({ input: 'pixels' }) },
    ],
    [
      'model.onnx of the language model does not return what the “pooling” in model.json says: one vector per text, or one per token.',
      { description: { languages: ['de'], pooling: 'none' } },
    ],
    [
      'model.onnx of the language model does not return what the “pooling” in model.json says: one vector per text, or one per token.',
      { onnx: madeOnnx({ isBroken: true }) },
    ],
  ])('that cannot be used says "%s"', async (text, made) => {
    const failure: unknown = await encoderOf(made).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UnusableModel);
    expect(sayRefusal((failure as UnusableModel).refusal)).toBe(text);
  });

  test('is not replaced by anything else when it cannot be used', async () => {
    await expect(availableTools({ folder: join(directory, 'none') })).rejects.toThrow(UnusableModel);
  });
});

describe('a static model in a folder', () => {
  const staticOf = async (made?: MadeStatic) =>
    modelFolderEncoder(await madeStatic(join(directory, `m${folders++}`), made), await modelRuntime());
  /** The numbers of the tokens in the made tokenizer: 3 for "rot", 5 for "schuh", and so on. */
  const tokens = Object.keys(madeTokenizer.model.vocab).length;

  test('gives a text the mean of its tokens’ vectors', async () => {
    const encoder = await staticOf();
    expect(encoder).toMatchObject({ languages: ['de', 'en'], dimensions: madeDimensions });
    expect(encoder.id).toMatch(/ sha256:[0-9a-f]{64} static$/);
    // "rot" has 3 in the column of things and 1 in its own, "schuh" likewise: the mean is 3, 0.5, 0.5.
    expect([...(await encoder.embed(['rot schuh']))]).toEqual([0, 127, 21, 0, 21, 0, 0, 0]);
  });

  test('leaves out the signs at both ends, and unknown words', async () => {
    const odd = madeMatrix();
    odd.bytes.set(new Uint8Array(Float32Array.from({ length: 3 * madeDimensions }, () => 9).buffer));
    const encoder = await staticOf({ file: safetensors({ embeddings: odd }) });
    expect(await encoder.embed(['rot xyz schuh'])).toEqual(await (await staticOf()).embed(['rot schuh']));
    expect((await encoder.embed(['xyz', ''])).every((value) => value === 0)).toBe(true);
  });

  test.each(['F64', 'F16', 'I8'] as const)('may store numbers as %s', async (dtype) => {
    const encoder = await staticOf({ file: safetensors({ embeddings: madeMatrix(dtype) }) });
    expect(await encoder.embed(texts)).toEqual(await (await staticOf()).embed(texts));
  });

  test('may call its matrix as Sentence Transformers do', async () => {
    const encoder = await staticOf({ file: safetensors({ 'embedding.weight': madeMatrix() }) });
    expect(await encoder.embed(texts)).toEqual(await (await staticOf()).embed(texts));
  });

  test('may weigh tokens, and let several have one row', async () => {
    // Only "schuh" weighs anything, and it has the row of "katze".
    const weights = Array.from({ length: tokens }, (_, token) => (token === 5 ? 1 : 0));
    const mapping = Array.from({ length: tokens }, (_, token) => (token === 5 ? 10 : token));
    const encoder = await staticOf({
      file: safetensors({
        embeddings: madeMatrix(),
        weights: madeColumn('F32', weights),
        mapping: madeColumn('I64', mapping),
      }),
    });
    expect(await encoder.embed(['rot schuh'])).toEqual(await (await staticOf()).embed(['katze']));
  });

  test('is another one when its numbers differ', async () => {
    const other = await staticOf({ file: safetensors({ embeddings: madeMatrix('I8') }) });
    const idOf = ({ id }: { id: string }) => id.split(' ').slice(1).join(' ');
    expect(idOf(other)).not.toBe(idOf(await staticOf()));
    expect(idOf(await staticOf())).toBe(idOf(await staticOf()));
  });

  test('does not replace model.onnx', async () => {
    const folder = await madeModel(join(directory, `m${folders++}`));
    await writeFile(join(folder, 'model.safetensors'), 'the weights that model.onnx was made of');
    expect((await modelFolderEncoder(folder, await modelRuntime())).id).toMatch(/ onnxruntime-node /);
  });

  const whole = safetensors({ embeddings: madeMatrix() });
  const matrixNeeded =
    '. Supported is a matrix “embeddings” or “embedding.weight” of F64, F32, F16 or I8 with 2 to 4096 columns.';
  test.each<[string, MadeStatic]>([
    ['model.safetensors of the language model is damaged or not complete.', { file: Buffer.from('text') }],
    ['model.safetensors of the language model is damaged or not complete.', { file: whole.subarray(0, -1) }],
    ['model.safetensors of the language model is damaged or not complete.', { file: Buffer.alloc(64, 255) }],
    [
      'model.safetensors of the language model is damaged or not complete.',
      { file: safetensors({ embeddings: { ...madeMatrix('I8'), dtype: 'F32' } }) },
    ],
    [
      `model.safetensors of the language model has layers${matrixNeeded}`,
      { file: safetensors({ layers: madeMatrix() }) },
    ],
    [
      `model.safetensors of the language model has U8 of 16 × 8${matrixNeeded}`,
      { file: safetensors({ embeddings: { ...madeMatrix('I8'), dtype: 'U8' } }) },
    ],
    [
      `model.safetensors of the language model has F32 of 128${matrixNeeded}`,
      { file: safetensors({ embeddings: { ...madeMatrix(), shape: [128] } }) },
    ],
    [
      `model.safetensors of the language model has a mapping to rows that it has not${matrixNeeded}`,
      { file: safetensors({ embeddings: madeMatrix(), mapping: madeColumn('I64', new Array(tokens).fill(tokens)) }) },
    ],
    [
      `model.safetensors of the language model has weights that are I64${matrixNeeded}`,
      { file: safetensors({ embeddings: madeMatrix(), weights: madeColumn('I64', new Array(tokens).fill(1)) }) },
    ],
    [
      'tokenizer.json of the language model has 16 tokens, and model.safetensors has vectors of 15.',
      { file: safetensors({ embeddings: madeMatrix(), weights: madeColumn('F32', new Array(tokens - 1).fill(1)) }) },
    ],
    [
      'model.json of the language model is not valid: see “pooling”. docs/keyword-lists.md says what it holds.',
      { description: { languages: ['de'], pooling: 'cls' } },
    ],
  ])('that cannot be used says "%s"', async (text, made) => {
    const failure: unknown = await staticOf(made).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UnusableModel);
    expect(sayRefusal((failure as UnusableModel).refusal)).toBe(text);
  });

  test('with values that are no numbers is refused as soon as a text needs them', async () => {
    const broken = madeMatrix();
    broken.bytes.set([0, 0, 0xc0, 0x7f], 5 * madeDimensions * 4);
    const encoder = await staticOf({ file: safetensors({ embeddings: broken }) });
    await encoder.embed(['rot']);
    await expect(encoder.embed(['schuh'])).rejects.toThrow(UnusableModel);
  });
});
