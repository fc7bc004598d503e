import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isStale } from '../tools/web-bundle.ts';
import type { BenchCase, Figures } from './bench-case.ts';
import { startOurs } from './http/child.ts';
import { adminCredentials, sendUpload, signInAsAdmin, withAdmin } from './http/send-upload.ts';
import { inpOf, type TimedEvent, takeTimedEvents, timeInteractions } from './input/event-timing.ts';
import { phases, signInPage } from './input/explore.ts';
import { type Task, traceTasks } from './input/main-thread.ts';
import { makeUpload } from './make-upload.ts';
import { openBrowser } from './render/open-browser.ts';

/** Keyword objects: about 1,020,000 keywords and 4,900 branches. */
const megabytes = 325;
/** A task that takes longer is a long one. Source: https://www.w3.org/TR/longtasks-1/ */
const longMs = 50;
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * A million keywords in the product itself: a real server, a real upload, a real browser with software rendering and
 * real input. There is no contender, because this checks goals: INP of at most 150 ms, and no task of the page over 50
 * ms.
 *
 * Slow tasks, by phase and with their parts, are written to `.cache/input.json`.
 */
export const cases: readonly BenchCase[] = [
  {
    name: 'input 1000000 keywords in the product',
    rounds: 1,
    async prepare() {
      await makeUpload('objects', megabytes);
      if (isStale()) spawnSync(process.execPath, [here('../tools/build.ts')], { stdio: 'ignore' });
    },
    contenders: [{ name: 'ours', measure }],
  },
];

async function measure(): Promise<Figures> {
  const server = await startOurs(withAdmin);
  const browser = await openBrowser();
  try {
    const person = await signInAsAdmin(server.url);
    await sendUpload(server.url, person, await makeUpload('objects', megabytes));
    const { page } = browser;
    await signInPage(page, server.url, adminCredentials);
    await timeInteractions(page);
    return await explore(browser, server.url);
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function explore(browser: Awaited<ReturnType<typeof openBrowser>>, url: string): Promise<Figures> {
  const { page } = browser;
  const session = await browser.session();
  const before = browser.cpuMs();
  const start = performance.now();
  const all: { readonly phase: string; readonly tasks: readonly Task[]; readonly events: readonly TimedEvent[] }[] = [];
  for (const { name, run } of phases) {
    const tasks = await traceTasks(session, () => run(page, url));
    all.push({ phase: name, tasks, events: await takeTimedEvents(page) });
  }
  await mkdir(here('.cache'), { recursive: true });
  await writeFile(here('.cache/input.json'), JSON.stringify(all.map(slowOf), undefined, 2));
  const tasks = all.flatMap((phase) => phase.tasks);
  const events = all.flatMap((phase) => phase.events);
  const interactions = phases.reduce((sum, phase) => sum + phase.interactions, 0);
  return {
    cpuMs: browser.cpuMs() - before,
    wallMs: performance.now() - start,
    peakMiB: browser.memoryMiB(),
    interactions,
    inpMs: inpOf(events, interactions),
    slowestInteractionMs: Math.max(0, ...events.map(({ ms }) => ms)),
    tasks: tasks.length,
    longTasks: tasks.filter(({ wallMs }) => wallMs > longMs).length,
    longestTaskMs: Math.max(0, ...tasks.map(({ wallMs }) => wallMs)),
    longTasksByProcessor: tasks.filter(({ cpuMs }) => cpuMs > longMs).length,
    longestTaskCpuMs: Math.max(0, ...tasks.map(({ cpuMs }) => cpuMs)),
  };
}

function slowOf({ phase, tasks, events }: { phase: string; tasks: readonly Task[]; events: readonly TimedEvent[] }) {
  return {
    phase,
    tasks: tasks.length,
    longTasks: tasks.filter(({ wallMs }) => wallMs > longMs).sort((a, b) => b.cpuMs - a.cpuMs),
    slowInteractions: events.filter(({ ms }) => ms > longMs).sort((a, b) => b.ms - a.ms),
  };
}
