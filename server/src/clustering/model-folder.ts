import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { defaultBatch, type Encoder, modelEncoder, type RunModel } from '@kc/cluster/encoder/encoder';
import * as z from 'zod/mini';
import type { ModelRuntime, Session } from './model-runtime.ts';
import { type ModelRunner, modelThreads } from './model-threads.ts';
import { maxDimensions, staticModel, UnusableModel } from './static-model.ts';

const description = z.strictObject({
  /** ISO 639-1 codes. */
  languages: z.union([
    z.literal('all'),
    z.array(z.string().check(z.regex(/^[a-z]{2}$/))).check(z.minLength(1), z.maxLength(200)),
  ]),
  /** What becomes of the vectors of tokens; `none` if the model makes one vector of each text itself. */
  pooling: z.enum(['mean', 'cls', 'none']),
  /** Written before every text, as some models expect. */
  prefix: z.optional(z.string().check(z.maxLength(200))),
  maxTokens: z.optional(z.number().check(z.int(), z.gte(4), z.lte(8192))),
});
type Description = z.infer<typeof description>;

const defaultMaxTokens = 128;
/** Two texts to try a model with. */
const probes = ['red running shoes', 'garden hose'];

/**
 * A sentence encoder of somebody's own: `model.onnx`, or else `model.safetensors` of a static model; `tokenizer.json` in the
 * format of Hugging Face; and `model.json`, which says what it is.
 *
 * @throws UnusableModel
 */
export async function modelFolderEncoder(folder: string, runtime: ModelRuntime): Promise<Encoder> {
  const names = await readdir(folder).catch((): string[] => []);
  const isStatic = names.includes('model.safetensors') && !names.includes('model.onnx');
  return isStatic ? staticEncoder(folder) : runningEncoder(folder, runtime);
}

/** Its vectors are sums in a fixed order, which every machine rounds alike, so its id names no runtime. */
async function staticEncoder(folder: string): Promise<Encoder> {
  const [about, tokenizerJson] = await Promise.all([readDescription(folder), readJson(folder, 'tokenizer.json')]);
  if (about.pooling !== 'mean')
    throw new UnusableModel({ code: 'list/model-description', params: { member: 'pooling' } });
  const tokenizer = openTokenizer(tokenizerJson);
  const { hash, dimensions, tokens, run } = await staticModel(join(folder, 'model.safetensors'));
  const known = tokenizer.get_vocab().size;
  if (known > tokens) throw new UnusableModel({ code: 'list/model-vocabulary', params: { known, tokens } });
  return modelEncoder({
    id: `${basename(folder)} sha256:${joinedHash(hash, tokenizerJson, about)} static`,
    languages: about.languages,
    dimensions,
    reads: () => true,
    tokensOf: tokensWithoutSigns(tokenizer, tokenizerJson, about),
    batchSize: defaultBatch,
    run,
  });
}

const joinedHash = (model: string | Uint8Array, tokenizerJson: unknown, about: Description): string =>
  createHash('sha256').update(model).update(JSON.stringify(tokenizerJson)).update(JSON.stringify(about)).digest('hex');

/**
 * A model that is run. If its vectors depend on the other texts of a batch, texts are run one by one, so that equal
 * texts always have equal vectors.
 */
async function runningEncoder(folder: string, runtime: ModelRuntime): Promise<Encoder> {
  const [about, tokenizerJson, onnx] = await Promise.all([
    readDescription(folder),
    readJson(folder, 'tokenizer.json'),
    readBytes(folder, 'model.onnx'),
  ]);
  const tokensOf = tokensBy(openTokenizer(tokenizerJson), about);
  const session = await openSession(runtime, onnx);
  const runBy = (runner: ModelRunner) => modelRun(runner, session, about, runtime);
  const run = runBy(session);
  const dimensions = await dimensionsOf(run, tokensOf, about);
  const batchSize = (await isFreeOfItsBatch(run, tokensOf, dimensions)) ? defaultBatch : 1;
  return modelEncoder({
    id: `${basename(folder)} sha256:${joinedHash(onnx, tokenizerJson, about)} ${runtime.name} by ${batchSize}`,
    languages: about.languages,
    dimensions,
    reads: () => true,
    tokensOf,
    batchSize,
    run,
    inThreads: modelThreads(runtime, onnx, runBy),
  });
}

async function readBytes(folder: string, name: string): Promise<Buffer> {
  try {
    return await readFile(join(folder, name));
  } catch {
    throw new UnusableModel({ code: 'list/model-file', params: { file: name } });
  }
}

async function readJson(folder: string, name: string): Promise<unknown> {
  const text = (await readBytes(folder, name)).toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UnusableModel({ code: 'list/model-json', params: { file: name } });
  }
}

/** @throws UnusableModel */
export async function readDescription(folder: string): Promise<Description> {
  const parsed = description.safeParse(await readJson(folder, 'model.json'));
  if (parsed.success) return parsed.data;
  const member = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new UnusableModel({ code: 'list/model-description', params: { member } });
}

function openTokenizer(json: unknown): Tokenizer {
  try {
    const tokenizer = new Tokenizer(json as object, {});
    for (const probe of probes) tokenizer.encode(probe);
    return tokenizer;
  } catch {
    throw new UnusableModel({ code: 'list/model-tokenizer' });
  }
}

/** The numbers of a text's tokens. Where there are too many, the last one stays: it closes the text. */
function tokensBy(tokenizer: Tokenizer, { prefix = '', maxTokens = defaultMaxTokens }: Description) {
  return (text: string): readonly number[] => {
    if (text.trim() === '') return [];
    const { ids } = tokenizer.encode(prefix + text);
    return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), ids.at(-1)!];
  };
}

/** The same for a static model, whose signs at both ends and for unknown words mean nothing. */
function tokensWithoutSigns(
  tokenizer: Tokenizer,
  tokenizerJson: unknown,
  { prefix = '', maxTokens = defaultMaxTokens }: Description,
) {
  const model = withUnknown.safeParse(tokenizerJson).data?.model;
  const unknown = typeof model?.unk_token === 'string' ? tokenizer.token_to_id(model.unk_token) : model?.unk_id;
  return (text: string): readonly number[] => {
    if (text.trim() === '') return [];
    const { ids } = tokenizer.encode(prefix + text, { add_special_tokens: false });
    return (ids as readonly number[]).filter((id) => id !== unknown).slice(0, maxTokens);
  };
}

/** What a tokenizer makes of words that it does not know, by the kind of its model. */
const withUnknown = z.object({
  model: z.object({ unk_token: z.optional(z.nullable(z.string())), unk_id: z.optional(z.nullable(z.number())) }),
});

function modelRun(
  runner: ModelRunner,
  { inputNames, outputNames }: Pick<Session, 'inputNames' | 'outputNames'>,
  { pooling }: Description,
  { Tensor }: ModelRuntime,
): RunModel {
  return async (tokens, texts, length) => {
    const shape = [texts, length];
    const found = await runner.run(
      Object.fromEntries(inputNames.map((name) => [name, new Tensor('int64', inputOf(name, tokens), shape)])),
    );
    const { data, dims } = found[outputOf(outputNames, pooling)]!;
    if (!(data instanceof Float32Array)) throw new UnusableModel({ code: 'list/model-output' });
    return pooled(data, dims, pooling, texts);
  };
}

async function openSession({ open }: ModelRuntime, onnx: Uint8Array) {
  const session = await open(onnx).catch(() => {
    throw new UnusableModel({ code: 'list/model-onnx' });
  });
  const unknown = session.inputNames.find((name) => !knownInputs.has(name));
  if (unknown !== undefined || !session.inputNames.includes('input_ids'))
    throw new UnusableModel({ code: 'list/model-input', params: { names: session.inputNames.join(', ') } });
  return session;
}

const knownInputs: ReadonlySet<string> = new Set(['input_ids', 'attention_mask', 'token_type_ids']);

/** Texts of a batch are equally long, so that nothing has to be masked. */
function inputOf(name: string, tokens: BigInt64Array): BigInt64Array {
  if (name === 'input_ids') return tokens;
  return new BigInt64Array(tokens.length).fill(name === 'attention_mask' ? 1n : 0n);
}

/** The usual names of what a sentence encoder returns, else the first. */
function outputOf(names: readonly string[], pooling: Description['pooling']): string {
  const usual =
    pooling === 'none' ? ['sentence_embedding', 'pooler_output'] : ['last_hidden_state', 'token_embeddings'];
  return usual.find((name) => names.includes(name)) ?? names[0]!;
}

/** @returns texts × dimensions */
function pooled(
  data: Float32Array,
  dims: readonly number[],
  pooling: Description['pooling'],
  texts: number,
): Float32Array {
  const ofTexts = pooling === 'none';
  const dimensions = dims.at(-1) ?? 0;
  const isExpected = dims[0] === texts && dims.length === (ofTexts ? 2 : 3);
  if (!isExpected || dimensions < 2 || dimensions > maxDimensions)
    throw new UnusableModel({ code: 'list/model-output' });
  if (ofTexts) return data;
  const length = dims[1]!;
  const pooledTokens = pooling === 'cls' ? 1 : length;
  const vectors = new Float32Array(texts * dimensions);
  for (let text = 0; text < texts; text++)
    for (let token = 0; token < pooledTokens; token++)
      for (let at = 0; at < dimensions; at++)
        vectors[text * dimensions + at]! += data[(text * length + token) * dimensions + at]! / pooledTokens;
  return vectors;
}

type TokensOf = (text: string) => readonly number[];

/** Tries a model with a short and with the longest text. @throws UnusableModel if it cannot be run, or returns no numbers */
async function dimensionsOf(
  run: RunModel,
  tokensOf: TokensOf,
  { maxTokens = defaultMaxTokens }: Description,
): Promise<number> {
  const tokens = tokensOf(probes[0]!);
  const longest = Array.from({ length: maxTokens }, (_, at) => tokens[at % tokens.length]!);
  let vector: Float32Array;
  try {
    await run(BigInt64Array.from(longest, BigInt), 1, maxTokens);
    vector = await run(BigInt64Array.from(tokens, BigInt), 1, tokens.length);
  } catch (error) {
    if (error instanceof UnusableModel) throw error;
    throw new UnusableModel({ code: 'list/model-onnx' });
  }
  if (!vector.every(Number.isFinite)) throw new UnusableModel({ code: 'list/model-output' });
  return vector.length;
}

/** Whether a text has the same vector in another batch. Models with dynamic quantisation have one scale for all texts. */
async function isFreeOfItsBatch(run: RunModel, tokensOf: TokensOf, dimensions: number): Promise<boolean> {
  const [one, other] = probes.map((probe) => tokensOf(probe));
  const length = Math.min(one!.length, other!.length);
  const batch = async (rest: readonly number[]) => {
    const tokens = new BigInt64Array(defaultBatch * length);
    for (let row = 0; row < defaultBatch; row++)
      tokens.set((row === 0 ? one! : rest).slice(0, length).map(BigInt), row * length);
    return (await run(tokens, defaultBatch, length)).subarray(0, dimensions);
  };
  const [alone, together] = [await batch(one!), await batch(other!)];
  return alone.every((value, at) => value === together[at]);
}
