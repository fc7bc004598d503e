import { sayRefusal } from '@kc/rules/all-messages';
import { afterEach, expect, test, vi } from 'vitest';
import { availableTools, ToolsOfJob } from './cluster-tools.ts';
import { modelRuntime } from './model-runtime.ts';

/** As on a platform that a package has no code for. */
function withoutPackages(...names: readonly string[]): void {
  for (const name of names)
    vi.doMock(name, () => {
      throw new Error(`${name} has nothing for this platform`);
    });
}
afterEach(() => {
  vi.doUnmock('onnxruntime-node');
  vi.doUnmock('onnxruntime-web');
  vi.resetModules();
});

test('native code runs models, and WebAssembly if it is asked for', async () => {
  expect((await modelRuntime()).name).toBe(`onnxruntime-node 1.30.0 ${process.platform}-${process.arch}`);
  expect((await modelRuntime('native')).name).toBe((await modelRuntime()).name);
  expect((await modelRuntime('wasm')).name).toBe('onnxruntime-web 1.30.0');
});

test('where native code cannot be loaded, WebAssembly runs the same model, and nobody has to be told', async () => {
  withoutPackages('onnxruntime-node');
  const job = new ToolsOfJob('built-in', () => undefined);
  expect((await job.load('en')).encoder?.id).toMatch(/ onnxruntime-web 1\.30\.0$/);
  expect(job.warnings).toEqual([]);
});

test('where no runtime can be loaded, keywords are grouped by wording, and a person is told', async () => {
  withoutPackages('onnxruntime-node', 'onnxruntime-web');
  const { encoder, multiply, fault } = await availableTools();
  expect([encoder, multiply, fault]).toEqual([undefined, undefined, expect.any(Error)]);
  const job = new ToolsOfJob('built-in', () => undefined);
  await job.load('en');
  expect(job.warnings.map(sayRefusal)).toEqual([
    'The language model is not available on this server. Keywords are grouped by wording.',
  ]);
});

test('a runtime that was asked for is not replaced by another one', async () => {
  withoutPackages('onnxruntime-node');
  await expect(availableTools('built-in', 'native')).rejects.toThrow(
    'The native runtime of language models cannot be loaded on this machine',
  );
});
