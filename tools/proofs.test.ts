import { expect, test } from 'vitest';
import { proofs } from './proofs.ts';
import { filesUnder, readText } from './source-files.ts';

test.each(Object.entries(proofs))('the proof of %s runs a test that can take a number of cases', (_, { files }) => {
  const chosen = filesUnder(['cluster', 'pack', 'server', 'web', 'e2e'], /\.(test|spec)\.tsx?$/).filter((file) =>
    file.startsWith(files),
  );
  expect(chosen).not.toEqual([]);
  for (const file of chosen) expect(readText(file)).toMatch(/PROVE_RUNS|support\/proof\.ts/);
});
