import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { arraySink, arraySource } from '../../test/support/trees.ts';
import { packFormatVersion } from '../format/pack-format.ts';
import { openPack } from '../format/pack-reader.ts';
import { createIngest } from '../ingest.ts';
import { checkPack } from './pack-check.ts';
import { writePack } from './pack-writer.ts';

// The pack of one small file in each version of the format. Never change a stored pack: any change of the bytes
// requires a new version.

const read = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../../../fixtures/packs/${name}`, import.meta.url)));

// Shows P10.16.
test('the same file always gives the same bytes in this version of the format', async () => {
  const bytes = read('shop.json');
  const ingest = createIngest({ hashKey: [7, 8] });
  ingest.push(bytes);
  const result = ingest.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const sink = arraySink();
  await writePack(result.tree, createHash('sha256').update(bytes).digest('hex'), sink);
  const kept = read(`version-${packFormatVersion}.arrow`);
  expect(Buffer.compare(sink.bytes(), kept)).toBe(0);
  expect((await checkPack(arraySource(kept))).metadata).toMatchObject({
    version: packFormatVersion,
    keywords: 5,
    merged: 1,
    notInHierarchy: 2,
  });
});

test('a pack of an earlier version is rejected, so that it is rebuilt', async () => {
  await expect(openPack(arraySource(read('version-7.arrow')))).rejects.toThrow(
    `format version 7, expected ${packFormatVersion}`,
  );
});
