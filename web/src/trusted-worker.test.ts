import { expect, test } from 'vitest';
import { ownScript } from './trusted-worker.ts';

const origin = 'https://keywords.example';

test('a built script of this origin is trusted', () => {
  expect(ownScript('/assets/starfield.worker-Ab3_x.js', origin, false)).toBe(
    `${origin}/assets/starfield.worker-Ab3_x.js`,
  );
});

test.each([
  'https://elsewhere.example/assets/a.js',
  '//elsewhere.example/assets/a.js',
  '/assets/../api/visualizations/1/original',
  '/assets/a.js/../../uploads/b.js',
  '/api/files/a.js',
  'data:text/javascript,alert(1)',
  'blob:https://keywords.example/1',
])('%s is not trusted as a script of this app', (url) => {
  expect(() => ownScript(url, origin, false)).toThrow(TypeError);
});

test('development serves sources from any folder, of this origin only', () => {
  expect(ownScript('/src/a.worker.ts?worker_file', origin, true)).toBe(`${origin}/src/a.worker.ts?worker_file`);
  expect(() => ownScript('https://elsewhere.example/a.ts', origin, true)).toThrow(TypeError);
});
