import { expect, test } from 'vitest';
import { refuseInspector } from './startup.ts';

test.each([
  '--inspect',
  '--inspect=0.0.0.0:9229',
  '--inspect-brk',
  '--inspect-wait=9229',
  '--enable-source-maps --inspect',
])('production does not start with %s', (options) => {
  expect(() => refuseInspector(true, options)).toThrow('must not be used with NODE_ENV=production');
  expect(() => refuseInspector(false, options)).not.toThrow();
});

test.each(['', '--inspect-port=9229', '--inspector-like', '--max-old-space-size=512'])(
  'production starts with %j',
  (options) => {
    expect(() => refuseInspector(true, options)).not.toThrow();
  },
);
