import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sayRefusal } from '@kc/rules/all-messages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MadeModel, madeDimensions, madeModel, madeOnnx, madeTokenizer } from '../../test/support/made-model.ts';
import { availableTools } from './cluster-tools.ts';
import { modelFolderEncoder, UnusableModel } from './model-folder.ts';
import { modelRuntime, runtimeKinds } from './model-runtime.ts';

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
