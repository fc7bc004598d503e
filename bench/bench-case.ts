/** What one run of one contender cost. More figures of its own may stand beside these. */
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
  /** Where its process is to be started in another way than those of its case. */
  readonly process?: ProcessStart;
  /** One run. Each has a process of its own, so nothing is warm and the peak is the contender's alone. */
  measure(): Promise<Figures>;
};

/** A question with several answers: the first contender is ours, the others are what it is held against. */
export type BenchCase = {
  readonly name: string;
  /** Runs of each contender, taken in turns; the median counts. */
  readonly rounds: number;
  /** Bytes of input, for MB/s (10^6 bytes). */
  readonly bytes?: number;
  /** How the processes of its contenders are started; as Node starts by itself when left out. */
  readonly process?: ProcessStart;
  /** Makes what the contenders read, before any of them starts. */
  prepare?(): Promise<void>;
  readonly contenders: readonly Contender[];
};

/** Runs a piece of work in this process and says what it cost. Memory counts from the start of the process. */
export async function costOf(work: () => Promise<Record<string, number>>): Promise<Figures> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const figures = await work();
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMs: (user + system) / 1000, wallMs, peakMiB: process.resourceUsage().maxRSS / 1024, ...figures };
}
