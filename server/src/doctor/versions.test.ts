// Shows SEC-31.
import { expect, test } from 'vitest';
import { isOlder, nodeFinding, versionFinding } from './checks.ts';

test.each([
  ['24.9.0', '24.22.1', true],
  ['24.22.0', '24.22.1', true],
  ['24.22.1', '24.22.1', false],
  ['24.22.3', '24.22.1', false],
  ['26.0.0', '24.22.1', false],
  ['18.4 (Debian 18.4-1)', '18.7', true],
  ['18.10', '18.7', false],
  ['18beta1', '18.7', true],
])('whether %s is older than %s: %s', (version, than, is) => {
  expect(isOlder(version, than)).toBe(is);
});

test('a Node and a PostgreSQL with known flaws are warnings, and one that is too old is a problem', () => {
  expect([nodeFinding('24.22.0').kind, nodeFinding('24.22.1').kind]).toEqual(['warning', 'ok']);
  const kinds = (['14.20', '17.2', '18.4', '18.7', '19.0'] as const).map(
    (name) => versionFinding(Number(name.split('.')[0]) * 10_000 + Number(name.split('.')[1]), name, 0).kind,
  );
  expect(kinds).toEqual(['problem', 'ok', 'warning', 'ok', 'ok']);
});
