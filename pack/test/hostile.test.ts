import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createUploadReader, type UploadResult } from '../src/upload/upload-reader.ts';
import { type HostileFile, hostileFiles } from './support/hostile.ts';

// A short version of `npm run prove -- hostile`, which makes the long files as long as an upload may be.
const { PROVE_RUNS } = process.env;
const MiB = 2 ** 20;
/**
 * The size of long files in bytes. In the test run it exceeds `maxGrowth`, so that keeping the file in memory would
 * fail the test.
 */
const size = (PROVE_RUNS ? Number(PROVE_RUNS) : 64) * MiB;
/**
 * In bytes. Far more than reading uses, because the process also allocates and frees other memory on its own schedule.
 */
const maxGrowth = 60 * MiB;
/**
 * The files for which the test run measures memory: of those in which the reader might keep something, one text and many
 * small values. The long run measures all long files.
 */
const measured = ['one string in an unused member', 'short keys in a node'];
const shortMs = 60_000;
const longMs = PROVE_RUNS ? 3_600_000 : 120_000;

function read(file: HostileFile, check: boolean, length: number): { result: UploadResult; bytes: number; rss: number } {
  const reader = createUploadReader({ check });
  let bytes = 0;
  let rss = 0;
  for (const block of file.bytes(length)) {
    bytes += block.length;
    if (reader.push(block)) break;
    rss = Math.max(rss, process.memoryUsage.rss());
  }
  const before = reader.progress;
  const result = reader.finish();
  if (result.ok && file.rows) expect({ nodes: before.nodes, keywords: before.keywords }).toEqual(file.rows);
  return { result, bytes, rss };
}

function hasVerdict(file: HostileFile, result: UploadResult): void {
  if (file.what === undefined) expect(result).toMatchObject({ ok: true });
  else expect(result).toMatchObject({ ok: false, problem: { what: expect.stringContaining(file.what) } });
}

describe.each([false, true])('T44 a hostile file has its verdict, with check %s:', (check) => {
  test.each(hostileFiles)('$name', (file) => hasVerdict(file, read(file, check, MiB).result), shortMs);
});

describe('REL-27 a hostile file of any length takes bounded memory:', () => {
  test.each(hostileFiles.filter((file) => file.isLong && (PROVE_RUNS || measured.includes(file.name))))(
    '$name',
    async (file) => {
      read(file, true, MiB);
      await nextTurn();
      const idle = process.memoryUsage.rss();
      const started = performance.now();
      const { result, bytes, rss } = read(file, true, size);
      const seconds = (performance.now() - started) / 1000;
      hasVerdict(file, result);
      expect(rss - idle, 'bytes more than before').toBeLessThan(maxGrowth);
      if (PROVE_RUNS) {
        const speed = (bytes / 1e6 / seconds).toFixed(0);
        const growth = ((rss - idle) / MiB).toFixed(0);
        const verdict = result.ok ? 'read' : result.problem.what;
        process.stdout.write(
          `${(bytes / MiB).toFixed(0).padStart(5)} MiB ${seconds.toFixed(1).padStart(6)} s ${speed.padStart(5)} MB/s +${growth} MiB  ${file.name}: ${verdict}\n`,
        );
      }
    },
    longMs,
  );
});
