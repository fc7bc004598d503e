import { readFileSync } from 'node:fs';
import { type RowRoom, simdRoom } from '@kc/cluster/features/row-products';
import type { ClusterProgress, ClusterTools } from '@kc/cluster/pipeline/cluster';

/** Lists of about 300,000 keywords and more, in bytes. */
const longList = 16 * 2 ** 20;

/**
 * How to start a process that clusters lists, so that it gives memory back to the system: the garbage collector before each stage,
 * the allocator (glibc), for long lists, as soon as something is freed. For short ones, that would take 40 % more time and hardly
 * less memory. New objects have little room (in MiB), which takes no longer here.
 */
export const clusteringProcess = (listBytes: number) => ({
  execArgv: ['--expose-gc', '--max-semi-space-size=4'],
  env: { MALLOC_ARENA_MAX: '1', ...(listBytes >= longList && { MALLOC_MMAP_THRESHOLD_: '65536' }) },
});

/** Gives memory back before each stage, in a {@link clusteringProcess}. Takes .3 s of 10^6 keywords, a tenth of that of short lists. */
export function givingBackMemory(
  onProgress: NonNullable<ClusterTools['onProgress']>,
): NonNullable<ClusterTools['onProgress']> {
  let stage: ClusterProgress['stage'] | undefined;
  return (progress) => {
    if (progress.stage !== stage) globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    stage = progress.stage;
    onProgress(progress);
  };
}

const builtLoop = new URL('../../../cluster/dist/row-products.wasm', import.meta.url);

/** Undefined if the loop is not built or cannot run here, so that the TypeScript version runs. */
export function loadRowRoom(): RowRoom | undefined {
  try {
    return simdRoom(Uint8Array.from(readFileSync(builtLoop)));
  } catch {
    return undefined;
  }
}

/** More keywords than there is memory for. */
export class TooManyKeywords extends Error {
  /** In bytes. */
  readonly needed: number;

  constructor(needed: number) {
    super('Clustering these keywords needs more memory than there is');
    this.needed = needed;
  }
}

/** The process before it has read anything, in bytes. */
const emptyProcess = 160 * 2 ** 20;
/** Merging lists copies some of what was read. */
const whileMerging = 1.5;

/** What the rows of lists may take until they are merged, in bytes. @param allowed to the process, in bytes */
export const mergingBytes = (allowed: number): number => Math.max(0, allowed - emptyProcess) / whileMerging;

/** What a process needs whose rows take so many bytes. */
export const mergingNeeds = (rows: number): number => emptyProcess + whileMerging * rows;

/** What it takes to read lists before anything is known of their rows, in bytes. */
export const readingNeeds = (listBytes: number): number => emptyProcess + 12 * listBytes;

/**
 * @param allowed in bytes
 * @throws TooManyKeywords
 */
export function demandMemory(keywords: number, allowed: number): void {
  const needed = memoryOf(keywords);
  if (needed > allowed) throw new TooManyKeywords(needed);
}

/**
 * In bytes, as measured: the process with the language model, and what a keyword takes with its vectors, neighbours and
 * edges. Long lists have shorter vectors.
 */
const memoryOf = (keywords: number): number =>
  340 * 2 ** 20 + 4_200 * Math.min(keywords, 100_000) + 2_000 * Math.max(0, keywords - 100_000);
