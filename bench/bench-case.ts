/** The cost of one run of one contender. A contender may report further figures beside these. */
export type Figures = {
  /** Processor time, user and system, of everything the contender started. */
  readonly cpuMs: number;
  readonly wallMs: number;
  /** Largest resident memory. */
  readonly peakMiB: number;
  readonly [figure: string]: number;
};

/** How a process is started. */
export type ProcessStart = { readonly execArgv: readonly string[]; readonly env: Readonly<Record<string, string>> };

export type Contender = {
  readonly name: string;
  /** Set if its process starts differently from those of its case. */
  readonly process?: ProcessStart;
  /** One run. Each has its own process, so nothing is warm and the peak memory is the contender's alone. */
  measure(): Promise<Figures>;
};

/** One comparison: the first contender is this product, the others are compared with it. */
export type BenchCase = {
  readonly name: string;
  /** Runs of each contender, taken in turns; the median counts. */
  readonly rounds: number;
  /** Bytes of input, for MB/s (10^6 bytes). */
  readonly bytes?: number;
  /** How the processes of its contenders are started; Node's defaults if omitted. */
  readonly process?: ProcessStart;
  /** Creates the input of the contenders, before any of them starts. */
  prepare?(): Promise<void>;
  readonly contenders: readonly Contender[];
};

/** Runs a piece of work in this process and reports its cost. Memory is measured from the start of the process. */
export async function costOf(work: () => Promise<Record<string, number>>): Promise<Figures> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const figures = await work();
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMs: (user + system) / 1000, wallMs, peakMiB: process.resourceUsage().maxRSS / 1024, ...figures };
}
