import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type ListRefusal, type ReadLists, readLists } from '../src/lists/read-lists.ts';
import { type HostileList, hostileLists, hostileSource } from './support/hostile-lists.ts';

// A short version of `npm run prove -- hostile-lists`, which makes the files as long as a list may be.
const { PROVE_RUNS } = process.env;
const MiB = 2 ** 20;
/**
 * The size of a file in bytes. At the shortest, a step that takes longer the more rows came before outlasts the time limit. At
 * each of them, the number of quotes is odd where every line has one.
 */
const sizeOf = ({ hasRows }: HostileList): number =>
  (PROVE_RUNS ? Math.min(Number(PROVE_RUNS), hasRows ? 16 : Number.POSITIVE_INFINITY) : 1.5) * MiB;
/** In bytes. Rows take memory, and kept columns take what they share; files without rows stay far below. */
const maxGrowth = 400 * MiB;

type Outcome = { readonly result: ReadLists | ListRefusal; readonly growth: number };

/** Reads a file, and looks at the memory of the process at every read. */
async function read(file: HostileList): Promise<Outcome> {
  await nextTurn();
  const idle = process.memoryUsage.rss();
  let most = idle;
  const source = hostileSource(file, sizeOf(file));
  const watched = {
    size: source.size,
    read(offset: number, length: number) {
      most = Math.max(most, process.memoryUsage.rss());
      return source.read(offset, length);
    },
  };
  const result = await readLists([{ name: 'list.csv', source: watched }]);
  return { result, growth: Math.max(most, process.memoryUsage.rss()) - idle };
}

describe('a hostile list is read or refused, with its reason, in bounded memory:', () => {
  test.each(hostileLists)('$name', { timeout: PROVE_RUNS ? 3_600_000 : 60_000 }, async (file) => {
    const started = performance.now();
    const { result, growth } = await read(file);
    if (PROVE_RUNS) {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      const verdict = 'refusal' in result ? result.refusal.code : `${result.report.rows} rows`;
      process.stdout.write(
        `${(sizeOf(file) / MiB).toFixed(0).padStart(5)} MiB ${seconds.padStart(7)} s +${(growth / MiB).toFixed(0).padStart(4)} MiB  ${file.name}: ${verdict}\n`,
      );
    }
    if (file.refusal !== undefined) {
      expect(result).toMatchObject({ refusal: { code: file.refusal } });
      return;
    }
    if ('refusal' in result) expect.fail(result.refusal.code);
    const [one] = result.files;
    if (file.rows !== undefined) expect(one!.report.rows).toBe(file.rows);
    if (file.reason !== undefined) expect(one!.report.problems.map(({ reason }) => reason)).toContain(file.reason);
    else expect(one!.report.unreadable).toBe(0);
    expect(one!.report.problems.length).toBeLessThanOrEqual(1000);
    expect(growth, 'bytes more than before').toBeLessThan(maxGrowth);
  });
});
