import { JsonMemory, stackAt } from '../json/json-memory.ts';
import { compiled, WebAssembly } from '../json/web-assembly.ts';
import { memoryPagesWithNames, type NameKernels, NameLoop, type UploadLoop } from './name-loop.ts';
import { type FillRows, UploadRows } from './upload-rows.ts';

/**
 * The WebAssembly version of the loop, with SIMD, built from `pack/assembly`. It also fills rows and hashes and folds
 * names. Each instance has its own memory of 1.6 MB.
 *
 * @param binary the bytes of `pack/dist/json-loop.wasm`
 * @returns undefined if it cannot run: no SIMD, or a policy that forbids it
 * @throws Error if the binary was built from other sources
 */
export function simdLoop(binary: Uint8Array<ArrayBuffer>): UploadLoop | undefined {
  const module = compiled(binary);
  if (!module) return undefined;
  const memory = new WebAssembly.Memory({ initial: memoryPagesWithNames, maximum: memoryPagesWithNames });
  const instance = new WebAssembly.Instance(module, { env: { memory } });
  const { read, fillRows, STACK, ...names } = instance.exports as Exports;
  if (STACK.value !== stackAt) throw new Error('json-loop.wasm was built of other sources');
  const rows = new UploadRows(memory.buffer, fillRows);
  return { memory: new JsonMemory(memory.buffer), read, rows, names: new NameLoop(memory.buffer, rows, names) };
}

type Exports = NameKernels & {
  readonly read: () => void;
  readonly fillRows: FillRows;
  readonly STACK: { readonly value: number };
};
