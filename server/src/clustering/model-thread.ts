import { parentPort, workerData } from 'node:worker_threads';
import { modelRuntime, plain, type Tensors, type ThreadData } from './model-runtime.ts';

// A thread that runs a model, batch by batch. See model-threads.ts.

const { kind, model } = workerData as ThreadData;
const { Tensor, open } = await modelRuntime(kind);
const session = await open(model);

parentPort?.on('message', async (inputs: Tensors) => {
  const tensors = Object.entries(inputs).map(([name, { type, data, dims }]) => [name, new Tensor(type, data, dims)]);
  parentPort?.postMessage(plain(await session.run(Object.fromEntries(tensors))));
});
parentPort?.postMessage('ready');
