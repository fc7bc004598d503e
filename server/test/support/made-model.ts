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

/** A model that looks up a vector for each token: the subject of its word, and the word itself. */
export function madeOnnx({
  input = 'input_ids',
  dependsOnBatch = false,
  isBroken = false,
}: MadeGraph = {}): Uint8Array {
  const graph = new OnnxGraph();
  const table = new Float32Array((signs.length + words.length) * madeDimensions);
  words.forEach((word, at) => {
    const start = (signs.length + at) * madeDimensions;
    table[start + (animals.has(word) ? 0 : 1)] = 3;
    table[start + 2 + (at % 6)] = 1;
  });
  let state = graph.node('Gather', [graph.floats([signs.length + words.length, madeDimensions], table), input]);
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
