import { JsonMemory, stackAt } from './json-memory.ts';
import { type FileRows, memoryPagesWithRows, type UploadLoop, UploadRows } from './upload-rows.ts';
import { compiled, WebAssembly } from './web-assembly.ts';

/**
 * The loop in WebAssembly with SIMD, made of `pack/assembly`, which also files rows. Each has a memory of its own, 0.7 MB.
 *
 * @param binary the bytes of `pack/dist/json-loop.wasm`
 * @returns undefined where it cannot run: no SIMD, or a policy that forbids it
 * @throws Error for bytes that were built of other sources
 */
export function simdLoop(binary: Uint8Array<ArrayBuffer>): UploadLoop | undefined {
  const module = compiled(binary);
  if (!module) return undefined;
  const memory = new WebAssembly.Memory({ initial: memoryPagesWithRows, maximum: memoryPagesWithRows });
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  const { read, fileRows, STACK } = exports as { read: () => void; fileRows: FileRows; STACK: { value: number } };
  if (STACK.value !== stackAt) throw new Error('json-loop.wasm was built of other sources');
  return { memory: new JsonMemory(memory.buffer), read, rows: new UploadRows(memory.buffer, fileRows) };
}
