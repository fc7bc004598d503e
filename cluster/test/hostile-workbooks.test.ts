// Shows T75.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { readLists } from '../src/lists/read-lists.ts';
import { hostileWorkbook, hostileWorkbooks } from './support/hostile-workbooks.ts';

// A short version of `npm run prove -- hostile-workbooks`, which makes a part of each as long as a workbook may be.
const { PROVE_RUNS } = process.env;
const MiB = 2 ** 20;
/** In bytes, of the part. All parts together may have 2 GiB. */
const size = (PROVE_RUNS ? Math.min(Number(PROVE_RUNS), 2047) : 4) * MiB;
/** In bytes. A workbook may have 256 MiB of shared texts. */
const maxGrowth = 500 * MiB;

describe('a hostile workbook is refused, with its reason, in bounded memory:', () => {
  test.each(hostileWorkbooks)('$name', { timeout: PROVE_RUNS ? 3_600_000 : 60_000 }, async (made) => {
    await nextTurn();
    const started = performance.now();
    const idle = process.memoryUsage.rss();
    let most = idle;
    const source = hostileWorkbook(made, size);
    const watched = {
      size: source.size,
      read(offset: number, length: number) {
        most = Math.max(most, process.memoryUsage.rss());
        return source.read(offset, length);
      },
    };
    const result = await readLists([{ name: 'list.xlsx', source: watched }]);
    const growth = Math.max(most, process.memoryUsage.rss()) - idle;
    if (!('refusal' in result)) expect.fail('It was read');
    const { refusal } = result;
    const reason = refusal.code === 'workbook' ? refusal.what : refusal.code;
    if (PROVE_RUNS) {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      process.stdout.write(
        `${(size / MiB).toFixed(0).padStart(5)} MiB ${seconds.padStart(7)} s +${(growth / MiB).toFixed(0).padStart(4)} MiB  ${made.name}: ${reason}\n`,
      );
    }
    expect(reason).toBe(made.onlyLong && !PROVE_RUNS ? 'no-rows' : made.refusal);
    expect(growth, 'bytes more than before').toBeLessThan(maxGrowth);
  });
});
