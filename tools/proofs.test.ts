import { expect, test } from 'vitest';
import { proofs } from './proofs.ts';
import { filesUnder, readText } from './source-files.ts';

test.each(Object.entries(proofs))('the proof of %s runs a test that can take a number of cases', (_, { files }) => {
  const chosen = filesUnder(['cluster', 'pack', 'server', 'web', 'e2e'], /\.(test|spec)\.tsx?$/).filter((file) =>
    file.startsWith(files),
  );
  expect(chosen).not.toEqual([]);
  const takesCases = (file: string) => /PROVE_RUNS|support\/(proof|sampled)\.ts/.test(readText(file));
  // Of a whole folder, some do.
  if (files.endsWith('/')) expect(chosen.some(takesCases)).toBe(true);
  else expect(chosen.filter((file) => !takesCases(file))).toEqual([]);
});
