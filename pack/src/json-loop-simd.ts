import { JsonMemory, stackAt } from './json-memory.ts';
import { type FileRows, memoryPagesWithRows, type UploadLoop, UploadRows } from './upload-rows.ts';

// What of it is used here; Node's types leave it to those of the browser.
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  readonly Instance: new (module: object, imports: { env: { memory: object } }) => { readonly exports: unknown };
  readonly CompileError: new () => Error;
};

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

function compiled(binary: Uint8Array<ArrayBuffer>): object | undefined {
  try {
    return new WebAssembly.Module(binary);
  } catch (error) {
    if (error instanceof WebAssembly.CompileError) return undefined;
    throw error;
  }
}
