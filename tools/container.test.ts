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
  for (const path of ['.git', '.env', 'data', '**/node_modules', 'web/dist']) expect(ignored).toContain(path);
});

test.each(['Dockerfile', 'compose.yaml', 'compose.replicas.yaml'])('%s sets variables that exist', (file) => {
  const text = readText(file);
  const set =
    file === 'Dockerfile'
      ? [...text.matchAll(/^ENV (.*)$/gm)].flatMap(([, all]) => all!.split(' ').map((one) => one.split('=')[0]!))
      : [...text.matchAll(/^ {4,6}([A-Z][A-Z_]+): /gm)].map(([, name]) => name!);
  const foreign = [
    'POSTGRES_USER',
    'POSTGRES_PASSWORD',
    'POSTGRES_DB',
    'MINIO_ROOT_USER',
    'MINIO_ROOT_PASSWORD',
    'STORE_PASSWORD',
    // Node reads it: no signal opens the inspector.
    'NODE_OPTIONS',
    // The C library reads it.
    'MALLOC_MMAP_THRESHOLD_',
  ];
  expect(set.length).toBeGreaterThan(3);
  expect(set.filter((name) => !Object.hasOwn(variables, name) && !foreign.includes(name))).toEqual([]);
});
