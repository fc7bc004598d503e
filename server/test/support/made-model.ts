import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { elementType, OnnxGraph } from '@kc/cluster/encoder/onnx';

/** What a made model folder holds; every part can be replaced or left out. */
export type MadeModel = {
  readonly description?: unknown;
  readonly tokenizer?: unknown;
  readonly onnx?: Uint8Array;
  readonly without?: 'model.json' | 'tokenizer.json' | 'model.onnx';
};

/** Words of two subjects, in two languages. */
const words = [
  'rot',
  'blau',
  'schuh',
  'stiefel',
  'red',
  'shoe',
  'boot',
  'katze',
  'hund',
  'cat',
  'dog',
  'futter',
  'food',
];
const animals: ReadonlySet<string> = new Set(['katze', 'hund', 'cat', 'dog', 'futter', 'food']);
const signs = ['[UNK]', '[CLS]', '[SEP]'];
export const madeDimensions = 8;

/** A tokenizer of whole words, as BERT has it. */
export const madeTokenizer = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: [],
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: { type: 'BertProcessing', sep: ['[SEP]', 2], cls: ['[CLS]', 1] },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries([...signs, ...words].map((word, number) => [word, number])),
  },
};

type MadeGraph = {
  /** The name of the input with the tokens. */
  readonly input?: string;
  /** Shifts all vectors by what is in the batch, as dynamic quantisation does. */
  readonly dependsOnBatch?: boolean;
  /** Divides by zero. */
  readonly isBroken?: boolean;
};

/** A vector for each token: the subject of its word, and the word itself. Signs have zeros. */
function madeTable(): Float32Array {
  const table = new Float32Array((signs.length + words.length) * madeDimensions);
  words.forEach((word, at) => {
    const start = (signs.length + at) * madeDimensions;
    table[start + (animals.has(word) ? 0 : 1)] = 3;
    table[start + 2 + (at % 6)] = 1;
  });
  return table;
}

/** A model that looks up the vector of each token. */
export function madeOnnx({
  input = 'input_ids',
  dependsOnBatch = false,
  isBroken = false,
}: MadeGraph = {}): Uint8Array {
  const graph = new OnnxGraph();
  let state = graph.node('Gather', [graph.floats([signs.length + words.length, madeDimensions], madeTable()), input]);
  if (dependsOnBatch) {
    const sum = graph.node('ReduceSum', [state], { keepdims: 0 });
    state = graph.node('Add', [state, graph.node('Mul', [sum, graph.floats([], Float32Array.of(0.01))])]);
  }
  if (isBroken) state = graph.node('Div', [state, graph.floats([], Float32Array.of(0))]);
  return graph.model(
    [input, 'attention_mask'].map((name) => ({ name, type: elementType.int64, shape: ['texts', 'length'] })),
    [{ name: state, type: elementType.float, shape: ['texts', 'length', madeDimensions] }],
  );
}

/** Writes a model folder. */
export async function madeModel(folder: string, made: MadeModel = {}): Promise<string> {
  const {
    description = { languages: ['de', 'en'], pooling: 'mean' },
    tokenizer = madeTokenizer,
    onnx = madeOnnx(),
  } = made;
  await mkdir(folder, { recursive: true });
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  const files = { 'model.json': text(description), 'tokenizer.json': text(tokenizer), 'model.onnx': onnx };
  for (const [name, content] of Object.entries(files))
    if (name !== made.without) await writeFile(join(folder, name), content);
  return folder;
}

/** What a made static folder holds beside the words of {@link madeModel}. */
export type MadeStatic = Pick<MadeModel, 'description' | 'tokenizer'> & {
  /** The file itself; by default {@link safetensors} of a vector for each token. */
  readonly file?: Uint8Array;
};

/** The numbers of a tensor, as they are stored. */
type MadeTensor = { readonly dtype: string; readonly shape: readonly number[]; readonly bytes: Uint8Array };

const asBytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView<ArrayBuffer>): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** The matrix of {@link madeOnnx}, stored as numbers of a kind. */
export function madeMatrix(dtype: 'F64' | 'F32' | 'F16' | 'I8' = 'F32'): MadeTensor {
  const table = madeTable();
  // The table holds 0, 1 and 3 only.
  const halves = new Map([
    [0, 0x0000],
    [1, 0x3c00],
    [3, 0x4200],
  ]);
  const stored = {
    F64: () => Float64Array.from(table),
    F32: () => table,
    F16: () => Uint16Array.from(table, (value) => halves.get(value)!),
    I8: () => Int8Array.from(table),
  };
  const shape = [table.length / madeDimensions, madeDimensions];
  return { dtype, shape, bytes: asBytes(stored[dtype]() as ArrayBufferView<ArrayBuffer>) };
}

export const madeColumn = (dtype: 'F32' | 'I64', values: readonly number[]): MadeTensor => ({
  dtype,
  shape: [values.length],
  bytes: asBytes(dtype === 'F32' ? Float32Array.from(values) : BigInt64Array.from(values, BigInt)),
});

/** A file of named tensors: the length of the header, the header, the numbers of each. */
export function safetensors(tensors: Readonly<Record<string, MadeTensor>>): Uint8Array {
  let end = 0;
  const header: Record<string, unknown> = { __metadata__: { format: 'pt' } };
  for (const [name, { dtype, shape, bytes }] of Object.entries(tensors)) {
    header[name] = { dtype, shape, data_offsets: [end, end + bytes.length] };
    end += bytes.length;
  }
  const about = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(about.length));
  return Buffer.concat([length, about, ...Object.values(tensors).map(({ bytes }) => bytes)]);
}

/** Writes the folder of a static model. */
export async function madeStatic(folder: string, made: MadeStatic = {}): Promise<string> {
  const { file = safetensors({ embeddings: madeMatrix() }), ...rest } = made;
  await madeModel(folder, { ...rest, without: 'model.onnx' });
  await writeFile(join(folder, 'model.safetensors'), file);
  return folder;
}
