import { elementType, OnnxGraph } from '@kc/cluster/encoder/onnx';
import { expect, test } from 'vitest';
import { modelRuntime, runtimeKinds } from './model-runtime.ts';
import { type ModelRunner, modelThreads } from './model-threads.ts';

/** A model that doubles the numbers of its tokens. */
function doubling(): Uint8Array {
  const graph = new OnnxGraph();
  const doubled = graph.node('Add', ['tokens', 'tokens']);
  return graph.model(
    [{ name: 'tokens', type: elementType.float, shape: ['texts', 'length'] }],
    [{ name: doubled, type: elementType.float, shape: ['texts', 'length'] }],
  );
}

test.each(runtimeKinds)('threads run a model side by side, with %s code', async (kind) => {
  const runtime = await modelRuntime(kind);
  const runBy = (runner: ModelRunner) => async (tokens: BigInt64Array, texts: number, length: number) => {
    const found = await runner.run({ tokens: new runtime.Tensor('float32', floatsOf(tokens), [texts, length]) });
    return Object.values(found)[0]!.data as Float32Array;
  };
  const inThreads = modelThreads(runtime, doubling(), runBy, 3);
  const found: Float32Array[] = [];
  await inThreads?.(async (runs) => {
    found.push(...(await Promise.all(runs.map((run, at) => run(BigInt64Array.of(1n, BigInt(at)), 1, 2)))));
  });
  expect(found).toEqual([Float32Array.of(2, 0), Float32Array.of(2, 2), Float32Array.of(2, 4)]);
});

test('one processor, or a model too large to be held twice, has no threads', async () => {
  const runtime = await modelRuntime();
  const hasThreads = (bytes: number, processors: number): boolean =>
    modelThreads(runtime, new Uint8Array(bytes), () => async () => new Float32Array(), processors) !== undefined;
  expect(hasThreads(1, 1)).toBe(false);
  expect(hasThreads(1, 2)).toBe(true);
  expect(hasThreads(2 ** 27 + 1, 8)).toBe(false);
});

test('a thread that fails while it runs the model says why', async () => {
  const runtime = await modelRuntime();
  // The model takes other numbers.
  const tokens = new runtime.Tensor('int64', BigInt64Array.of(1n), [1, 1]);
  const runBy = (runner: ModelRunner) => async () => {
    await runner.run({ tokens });
    return new Float32Array();
  };
  const inThreads = modelThreads(runtime, doubling(), runBy, 2);
  const running = inThreads?.(
    async (runs) => void (await Promise.all(runs.map((run) => run(new BigInt64Array(), 0, 0)))),
  );
  await expect(running).rejects.toThrow(/input/i);
});

test('threads that cannot start are left out', async () => {
  const inThreads = modelThreads(await modelRuntime(), new Uint8Array(100), () => async () => new Float32Array(), 2);
  const runners: number[] = [];
  await inThreads?.(async (runs) => void runners.push(runs.length));
  expect(runners).toEqual([0]);
});

const floatsOf = (tokens: BigInt64Array): Float32Array => Float32Array.from(tokens, Number);
