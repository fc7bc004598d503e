// The part of the WebAssembly API used here. Node's types leave it to the DOM types.
type Types = {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  readonly Instance: new (module: object, imports: { env: { memory: object } }) => { readonly exports: unknown };
  readonly CompileError: new () => Error;
};

export const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: Types };

/** Compiles a binary. Returns undefined if it cannot run: no SIMD, or a policy that forbids it. */
export function compiled(binary: Uint8Array<ArrayBuffer>): object | undefined {
  try {
    return new WebAssembly.Module(binary);
  } catch (error) {
    if (error instanceof WebAssembly.CompileError) return undefined;
    throw error;
  }
}
