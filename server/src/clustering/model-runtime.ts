/** ONNX Runtime: native code, or WebAssembly that runs everywhere and takes about three times as long. */
export const runtimeKinds = ['native', 'wasm'] as const;
export type RuntimeKind = (typeof runtimeKinds)[number];

type Onnx = Pick<typeof import('onnxruntime-node'), 'InferenceSession' | 'Tensor'>;
export type Session = Awaited<ReturnType<Onnx['InferenceSession']['create']>>;

/** What runs models. A session computes in one thread, so that equal inputs give equal outputs. */
export type ModelRuntime = Pick<Onnx, 'Tensor'> & {
  readonly kind: RuntimeKind;
  /** Vectors of runtimes with different names must not be compared. */
  readonly name: string;
  /** @throws if the model is not valid */
  open(model: Uint8Array): Promise<Session>;
};

export type Tensor = InstanceType<ModelRuntime['Tensor']>;

/** What a model takes or returns, by name, as threads exchange it. */
export type Tensors = Readonly<Record<string, Pick<Tensor, 'type' | 'data' | 'dims'>>>;

/** What a thread that runs a model begins with. */
export type ThreadData = { readonly kind: RuntimeKind; readonly model: Uint8Array };

/** Tensors without their methods, which cannot be sent. */
export const plain = (tensors: Tensors): Tensors =>
  Object.fromEntries(Object.entries(tensors).map(([name, { type, data, dims }]) => [name, { type, data, dims }]));

/**
 * @param kind which one; by default native code, or WebAssembly where the platform has no native code
 * @throws if it is not installed, or not for this platform
 */
export async function modelRuntime(kind?: RuntimeKind): Promise<ModelRuntime> {
  try {
    return await (kind === 'wasm' ? wasmRuntime() : nativeRuntime());
  } catch (cause) {
    if (kind === undefined) return await modelRuntime('wasm');
    throw new Error(`The ${kind} runtime of language models cannot be loaded on this machine`, { cause });
  }
}

/** Its name holds the platform, since other processors may round differently. */
async function nativeRuntime(): Promise<ModelRuntime> {
  const { InferenceSession, Tensor, env } = await import('onnxruntime-node');
  return {
    kind: 'native',
    name: `onnxruntime-node ${env.versions.node ?? ''} ${process.platform}-${process.arch}`,
    Tensor,
    open: (model) =>
      InferenceSession.create(model, { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'sequential' }),
  };
}

/** WebAssembly rounds in one way everywhere. */
async function wasmRuntime(): Promise<ModelRuntime> {
  const { InferenceSession, Tensor, env } = await import('onnxruntime-web');
  env.wasm.numThreads = 1;
  return {
    kind: 'wasm',
    name: `onnxruntime-web ${env.versions.web ?? ''}`,
    Tensor,
    open: (model) => InferenceSession.create(model, { executionProviders: ['wasm'], executionMode: 'sequential' }),
  };
}
