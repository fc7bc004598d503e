import { expect, test } from 'vitest';
import { variables } from '../server/src/variables.ts';
import { readText } from './source-files.ts';

const dockerfile = readText('Dockerfile');

test('the image runs the server as a user of its own, with production packages only', () => {
  const [, last = ''] = dockerfile.split(/^FROM .*\n(?=(?:#.*\n)?RUN useradd)/m);
  expect(last).toMatch(/^USER keywords$/m);
  expect(last).not.toContain('npm');
  expect(dockerfile).toContain('npm ci --omit=dev');
  expect(last).toMatch(/^HEALTHCHECK /m);
  const command = JSON.parse(/^CMD (.*)$/m.exec(last)![1]!) as string[];
  expect(JSON.parse(readText('package.json')).scripts.start).toBe(command.join(' '));
});

test('nothing of a checkout that is secret or built gets into the image', () => {
  const ignored = readText('.dockerignore').split('\n');
  for (const path of ['.git', '.env', 'data', '**/node_modules', 'web/dist', 'secrets'])
    expect(ignored).toContain(path);
});

test('the Dockerfile sets variables that exist', () => {
  const set = [...dockerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, all]) =>
    all!.split(' ').map((one) => one.split('=')[0]!),
  );
  // Node reads the first: no signal opens the inspector. The C library reads the second.
  const foreign = ['NODE_OPTIONS', 'MALLOC_MMAP_THRESHOLD_'];
  expect(set.length).toBeGreaterThan(3);
  expect(set.filter((name) => !(variables as readonly string[]).includes(name) && !foreign.includes(name))).toEqual([]);
});
