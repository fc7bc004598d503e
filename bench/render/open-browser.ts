import { readdirSync, readFileSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';

/** Clock ticks per second in /proc, the same on every Linux that Node runs on. */
const ticksPerSecond = 100;
/** A browser that used no processor time for this long is idle. */
const quietMs = 300;
const maxTries = 30;

/** A browser with software rendering, and the cost of all its processes. Linux only: it reads /proc. */
export async function openBrowser() {
  const server = await chromium.launchServer({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  const browser = await chromium.connect(server.wsEndpoint());
  const page: Page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.setContent('<!doctype html><canvas></canvas>');
  await page.evaluate(warmUp);
  const processes = () => descendants(server.process().pid!);
  const cpuMs = () => cpuMsOf(processes());
  await settle(cpuMs);
  return {
    page,
    /** Processor time so far, user and system. */
    cpuMs,
    /** Current memory; shared memory counts once. */
    memoryMiB: () => memoryMiBOf(processes()),
    /** A session of the browser itself, for traces. */
    session: () => browser.newBrowserCDPSession(),
    close: () => server.close(),
  };
}

/**
 * The first canvas, font and pixels of a browser cost several times as much as later ones, which is not the cost of a
 * page.
 */
function warmUp(): void {
  const ctx = document.querySelector('canvas')!.getContext('2d')!;
  ctx.font = '12px system-ui, sans-serif';
  ctx.fillText('warm', 10, 10);
  ctx.getImageData(0, 0, 1, 1);
}

/**
 * Waits until the browser is idle. It is busy for a second or two after its first page, which would otherwise count as
 * the cost of the measured page. On a machine where it never becomes idle, this time is included.
 */
async function settle(cpuMs: () => number): Promise<void> {
  let before = -1;
  for (let tries = 0; tries < maxTries && cpuMs() !== before; tries++) {
    before = cpuMs();
    await new Promise((resolve) => setTimeout(resolve, quietMs));
  }
}

function cpuMsOf(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    const stat = statOf(pid);
    if (stat) ticks += Number(stat[11]) + Number(stat[12]);
  }
  return (ticks * 1000) / ticksPerSecond;
}

/** Each memory page is divided among the processes that share it. Source: proc_pid_smaps(5), "Pss". */
function memoryMiBOf(pids: readonly number[]): number {
  let kiB = 0;
  for (const pid of pids) {
    try {
      kiB += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]);
    } catch {
      // The process has ended.
    }
  }
  return kiB / 1024;
}

function descendants(root: number): number[] {
  const parentOf = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined;
    if (stat) parentOf.set(Number(name), Number(stat[1]));
  }
  const found = [root];
  for (const pid of found) {
    for (const [child, parent] of parentOf) if (parent === pid) found.push(child);
  }
  return found;
}

/**
 * The fields after the command's name, which may contain blanks; undefined if the process has ended. Source: proc(5).
 */
function statOf(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
