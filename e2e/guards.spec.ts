import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import type { Role } from './visitor.ts';

/** Where each route leads each kind of person. Source: spec §2 "Route guard", "Index redirect", "Post-login routing". */
const routes = [
  '/',
  '/login',
  '/visualization',
  '/admin',
  '/admin/upload/nobody',
  '/pending-approval',
  '/access-denied',
];
const stay = 'stay';
const table: Readonly<Record<Role | 'stranger', readonly string[]>> = {
  stranger: ['/login', stay, '/login', '/login', '/login', '/login', '/login'],
  pending: [
    '/pending-approval',
    '/pending-approval',
    '/pending-approval',
    '/pending-approval',
    '/pending-approval',
    stay,
    stay,
  ],
  denied: ['/access-denied', '/access-denied', '/access-denied', '/access-denied', '/access-denied', stay, stay],
  approved: [
    '/visualization',
    '/visualization',
    stay,
    '/visualization',
    '/visualization',
    '/visualization',
    '/visualization',
  ],
  admin: ['/visualization', '/visualization', stay, stay, '/admin', '/visualization', '/visualization'],
};

story('every route sends every kind of person where they belong', () => {
  const stage = useStage();

  test.each(Object.keys(table) as (Role | 'stranger')[])('%s', async (role) => {
    const visitor = role === 'stranger' ? await stage.visitor() : await stage.signedIn(role);
    const { page } = visitor;
    const arrivals: string[] = [];
    for (const [index, route] of routes.entries()) {
      const expected = table[role][index] === stay ? route : table[role][index]!;
      await page.goto(route);
      await page.waitForURL((url) => url.pathname === expected, { timeout: 15_000 }).catch(() => undefined);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      arrivals.push(new URL(page.url()).pathname);
    }
    expect(arrivals).toEqual(table[role].map((expected, index) => (expected === stay ? routes[index] : expected)));
  });

  test('a path that is none says so and leads home', async () => {
    const { page } = await stage.visitor();
    await page.goto('/attic/box');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByText('Go Home').click();
    await page.waitForURL('**/login');
  });

  test('an unknown tab is named and the address put right', async () => {
    const { page } = await stage.signedIn('admin');
    await page.goto('/admin?tab=attic');
    await page.getByText('Invalid tab: attic').waitFor();
    await page.waitForURL('**/admin?tab=users');
  });
});
