import { createHash } from 'node:crypto';
import { createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import type { RunModel } from '@kc/cluster/encoder/encoder';
import type { Refusal } from '@kc/rules/result';
import * as z from 'zod/mini';

/** A model folder that cannot be used, and why. */
export class UnusableModel extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(`The model folder cannot be used: ${refusal.code}`);
    this.refusal = refusal;
  }
}

/**
 * A static model: a vector for each token, and nothing that runs. A text has the mean of its tokens' vectors (model2vec;
 * Tulkens and van Dongen, 2024).
 */
type StaticModel = {
  /** SHA-256 of the file, as 64 hexadecimal digits. */
  readonly hash: string;
  readonly dimensions: number;
  /** Tokens from 0 that have a vector. */
  readonly tokens: number;
  readonly run: RunModel;
};

/** What vectors are allowed to have. */
export const maxDimensions = 4096;
/** Of a header, in bytes: one that names three tensors has a few hundred. */
const mostHeader = 2 ** 20;

/** How numbers are stored; all are little-endian. */
type NumberKind = { readonly bytes: number; readonly at: (data: DataView, place: number) => number };

const fractions: Readonly<Record<string, NumberKind>> = {
  F64: { bytes: 8, at: (data, place) => data.getFloat64(place, true) },
  F32: { bytes: 4, at: (data, place) => data.getFloat32(place, true) },
  F16: { bytes: 2, at: (data, place) => halfFloat(data.getUint16(place, true)) },
  I8: { bytes: 1, at: (data, place) => data.getInt8(place) },
};
const integers: Readonly<Record<string, NumberKind>> = {
  I64: { bytes: 8, at: (data, place) => Number(data.getBigInt64(place, true)) },
  I32: { bytes: 4, at: (data, place) => data.getInt32(place, true) },
};

/** The value of 16 bits (IEEE 754 binary16): a sign, 5 bits of exponent, 10 of fraction. */
function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/**
 * Opens the matrix of a static model: `embeddings`, or `embedding.weight` as Sentence Transformers call it. Where there are
 * `weights`, the vector of a token is multiplied by its own; where there is a `mapping`, it says which row a token has.
 *
 * A row is read when a text first needs it, and kept: published matrices have half a gigabyte, of which a list needs a few
 * megabytes. The file stays open as long as the process, as the session of a model that runs does.
 *
 * @throws UnusableModel
 */
export async function staticModel(path: string): Promise<StaticModel> {
  const file = openTensors(path);
  const matrix = file.tensors.get('embeddings') ?? file.tensors.get('embedding.weight');
  if (!matrix) throw unusableMatrix([...file.tensors.keys()].join(', ') || 'nothing');
  const [rows = 0, dimensions = 0] = matrix.shape;
  const kind = fractions[matrix.dtype];
  if (!kind || matrix.shape.length !== 2 || dimensions < 2 || dimensions > maxDimensions)
    throw unusableMatrix(`${matrix.dtype} of ${matrix.shape.join(' × ')}`);
  const [begin, end] = matrix.data_offsets;
  if (end - begin !== rows * dimensions * kind.bytes) throw damaged();
  const weights = columnOf(file, 'weights', fractions);
  const mapping = columnOf(file, 'mapping', integers);
  if (mapping?.some((row) => row < 0 || row >= rows)) throw unusableMatrix('a mapping to rows that it has not');

  const read = (token: number): Float32Array => {
    const data = numbersAt(file, matrix, kind, (mapping?.[token] ?? token) * dimensions, dimensions);
    const weight = weights?.[token] ?? 1;
    const vector = Float32Array.from(data, (value) => weight * value);
    if (!vector.every(Number.isFinite)) throw unusableMatrix('values that are no numbers');
    return vector;
  };
  const known = new Map<number, Float32Array>();
  const vectorOf = (token: number): Float32Array => {
    const vector = known.get(token) ?? read(token);
    known.set(token, vector);
    return vector;
  };
  return {
    hash: await hashOf(path),
    dimensions,
    tokens: Math.min(mapping?.length ?? rows, weights?.length ?? Number.POSITIVE_INFINITY),
    async run(tokens, texts, length) {
      const means = new Float32Array(texts * dimensions);
      for (let text = 0; text < texts; text++) {
        for (let place = text * length; place < (text + 1) * length; place++) {
          const vector = vectorOf(Number(tokens[place]));
          for (let at = 0; at < dimensions; at++) means[text * dimensions + at]! += vector[at]! / length;
        }
      }
      return means;
    },
  };
}

const damaged = (): UnusableModel => new UnusableModel({ code: 'list/model-tensors' });
const unusableMatrix = (found: string): UnusableModel =>
  new UnusableModel({ code: 'list/model-matrix', params: { found } });

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

const tensor = z.object({
  dtype: z.string(),
  shape: z.array(z.int().check(z.gte(0))),
  /** Where it begins and ends among the data, in bytes. */
  data_offsets: z.tuple([z.int().check(z.gte(0)), z.int().check(z.gte(0))]),
});
type Tensor = z.infer<typeof tensor>;

/** An open file of tensors (safetensors: the length of a header, the header as JSON, the data). */
type TensorFile = {
  readonly fd: number;
  /** Where the data begin, in bytes. */
  readonly start: number;
  readonly tensors: ReadonlyMap<string, Tensor>;
};

/** @throws UnusableModel if there is no such file, or it is damaged or not complete */
function openTensors(path: string): TensorFile {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    throw new UnusableModel({ code: 'list/model-file', params: { file: 'model.safetensors' } });
  }
  const whole = fstatSync(fd).size;
  if (whole < 8) throw damaged();
  const header = Number(bytesAt(fd, 0, 8).getBigUint64(0, true));
  const start = 8 + header;
  if (header > mostHeader || start > whole) throw damaged();
  const found = z.record(z.string(), z.unknown()).safeParse(jsonOf(bytesAt(fd, 8, header)));
  if (!found.success) throw damaged();
  const { __metadata__: _, ...named } = found.data;
  const tensors = new Map<string, Tensor>();
  for (const [name, about] of Object.entries(named)) {
    const parsed = tensor.safeParse(about);
    if (!parsed.success || parsed.data.data_offsets[1] > whole - start) throw damaged();
    tensors.set(name, parsed.data);
  }
  return { fd, start, tensors };
}

function jsonOf(data: DataView): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(data)) as unknown;
  } catch {
    return undefined;
  }
}

/** A tensor of one dimension, or undefined if there is none of this name. @throws UnusableModel */
function columnOf(
  file: TensorFile,
  name: string,
  kinds: Readonly<Record<string, NumberKind>>,
): Float64Array | undefined {
  const found = file.tensors.get(name);
  if (!found) return undefined;
  const kind = kinds[found.dtype];
  if (!kind || found.shape.length !== 1) throw unusableMatrix(`${name} that are ${found.dtype}`);
  return numbersAt(file, found, kind, 0, found.shape[0]!);
}

/** @param first of the numbers. @throws UnusableModel if the tensor has fewer */
function numbersAt(
  { fd, start }: TensorFile,
  { data_offsets: [begin, end] }: Tensor,
  { bytes, at }: NumberKind,
  first: number,
  count: number,
): Float64Array {
  const from = begin + first * bytes;
  if (from + count * bytes > end) throw damaged();
  const data = bytesAt(fd, start + from, count * bytes);
  return Float64Array.from({ length: count }, (_, index) => at(data, index * bytes));
}

function bytesAt(fd: number, from: number, length: number): DataView {
  const bytes = new Uint8Array(length);
  for (let end = 0; end < length; ) {
    const read = readSync(fd, bytes, end, length - end, from + end);
    if (read === 0) throw damaged();
    end += read;
  }
  return new DataView(bytes.buffer);
}
