import type { Encoder } from '@kc/cluster/encoder/encoder';
import { portableNeighbours } from '@kc/cluster/neighbours/inverted-file';
import type { NeighbourSearch } from '@kc/cluster/neighbours/neighbours';
import { nativeEncoder } from './native-encoder.ts';
import { nativeNeighbours } from './native-neighbours.ts';

/** What this machine can cluster with, and why something is missing. */
export type AvailableTools = {
  readonly neighbours: NeighbourSearch;
  /** Missing where ONNX Runtime does not run: then keywords are grouped by wording. */
  readonly encoder?: Encoder;
  /** Faults of native packages that could not be loaded. */
  readonly missing: readonly { readonly tool: 'encoder' | 'neighbours'; readonly fault: unknown }[];
};

/** Loads the native tools, and what is slower or simpler in their place where they do not run. */
export async function availableTools(): Promise<AvailableTools> {
  const [encoder, neighbours] = await Promise.allSettled([nativeEncoder(), nativeNeighbours()]);
  const missing: { readonly tool: 'encoder' | 'neighbours'; readonly fault: unknown }[] = [];
  if (encoder.status === 'rejected') missing.push({ tool: 'encoder', fault: encoder.reason });
  if (neighbours.status === 'rejected') missing.push({ tool: 'neighbours', fault: neighbours.reason });
  return {
    neighbours: neighbours.status === 'fulfilled' ? neighbours.value : portableNeighbours(),
    ...(encoder.status === 'fulfilled' && { encoder: encoder.value }),
    missing,
  };
}
