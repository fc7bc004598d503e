import type { CDPSession } from 'playwright-core';

/** One turn of a page's main thread, in milliseconds. */
export type Task = {
  readonly wallMs: number;
  /** Its processor time; on a busy machine the rest is spent waiting. */
  readonly cpuMs: number;
  /** Its longest parts, with their wall time in milliseconds. */
  readonly parts: readonly string[];
};

type TraceEvent = {
  readonly name: string;
  readonly cat: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string; readonly data?: Readonly<Record<string, unknown>> };
};

const categories = ['toplevel', 'devtools.timeline', 'v8', 'blink.user_timing'];
const taskName = 'ThreadControllerImpl::RunTask';
/** Shorter parts of a task are not listed. */
const partMs = 4;
const maxParts = 6;

/**
 * Traces the browser during a piece of work.
 *
 * @param browser a session of the browser itself, not of a page
 * @returns the tasks of the busiest page's main thread, in order
 */
export async function traceTasks(browser: CDPSession, work: () => Promise<void>): Promise<Task[]> {
  const traced = new Promise<string>((resolve) => {
    browser.once('Tracing.tracingComplete', ({ stream }) => resolve(stream ?? ''));
  });
  await browser.send('Tracing.start', {
    transferMode: 'ReturnAsStream',
    traceConfig: { recordMode: 'recordUntilFull', traceBufferSizeInKb: 400_000, includedCategories: categories },
  });
  await work();
  await browser.send('Tracing.end');
  const { traceEvents } = JSON.parse(await readStream(browser, await traced)) as { traceEvents: TraceEvent[] };
  return tasksOf(traceEvents);
}

async function readStream(browser: CDPSession, handle: string): Promise<string> {
  const parts: string[] = [];
  for (;;) {
    const { data, eof } = await browser.send('IO.read', { handle, size: 1 << 20 });
    parts.push(data);
    if (eof) break;
  }
  await browser.send('IO.close', { handle });
  return parts.join('');
}

function tasksOf(events: readonly TraceEvent[]): Task[] {
  const threads = new Map<string, TraceEvent[]>();
  for (const event of events) {
    if (event.name === 'thread_name' && event.args?.name === 'CrRendererMain') threads.set(threadOf(event), []);
  }
  for (const event of events) if (event.ph === 'X') threads.get(threadOf(event))?.push(event);
  const tasksIn = (thread: readonly TraceEvent[]) => thread.filter(({ name }) => name === taskName);
  const busyness = (thread: readonly TraceEvent[]) => tasksIn(thread).reduce((sum, { tdur = 0 }) => sum + tdur, 0);
  const busiest = [...threads.values()].sort((a, b) => busyness(b) - busyness(a))[0] ?? [];
  const inOrder = busiest.toSorted((a, b) => a.ts - b.ts);
  return tasksIn(inOrder).map((task) => ({
    wallMs: (task.dur ?? 0) / 1000,
    cpuMs: (task.tdur ?? 0) / 1000,
    parts: partsOf(task, inOrder),
  }));
}

const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;

function partsOf(task: TraceEvent, inOrder: readonly TraceEvent[]): string[] {
  const end = task.ts + (task.dur ?? 0);
  if (end - task.ts < 50_000) return [];
  return inOrder
    .filter(({ ts, dur = 0, name }) => name !== taskName && ts >= task.ts && ts + dur <= end && dur >= partMs * 1000)
    .sort((a, b) => b.dur! - a.dur!)
    .slice(0, maxParts)
    .map(({ name, dur, args }) => {
      const { type, functionName, url } = (args?.data ?? {}) as Record<string, string | undefined>;
      const what = [type, functionName, url?.split('/').at(-1)].filter((word) => word !== undefined).join(' ');
      return `${name}${what === '' ? '' : ` (${what})`} ${Math.round(dur! / 1000)}`;
    });
}
