import { expect, test } from 'vitest';
import { testsNear } from './near-tests.ts';

test('a rule selects its own test and the server’s nearest, and no component test', () => {
  const { unit, server, component, e2e } = testsNear(['rules/src/plan-merge.ts']);
  expect(unit).toContain('rules/src/plan-merge.test.ts');
  expect(server).toContain('server/src/plans/plans.test.ts');
  expect(component).toEqual([]);
  expect(e2e).toEqual([]);
});

test('a component selects the component tests of its folder', () => {
  const { component, server } = testsNear(['web/src/explore/panels/plan/plan-cell-editor.tsx']);
  expect(component).toContain('web/src/explore/panels/plan/plan-table.ui.test.tsx');
  expect(component.every((file) => file.startsWith('web/src/explore/panels/plan/'))).toBe(true);
  expect(server).toEqual([]);
});

test('what all screens use selects no screen', () => {
  expect(testsNear(['web/src/routes.tsx']).component).toEqual([]);
});

test('tests select themselves, in their project; those that are gone, and other files, nothing', () => {
  expect(testsNear(['tools/near-tests.test.ts', 'e2e/first-use.spec.ts', 'e2e/gone.spec.ts', 'README.md'])).toEqual({
    unit: ['tools/near-tests.test.ts'],
    component: [],
    server: [],
    e2e: ['e2e/first-use.spec.ts'],
  });
});
