import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import type { Role } from './visitor.ts';

type Screen = {
  readonly name: string;
  readonly as: Role | 'stranger';
  readonly path: string;
  /** Waits until the screen stands. */
  readonly ready: (page: Page) => Promise<unknown>;
};

const heading = (name: string) => (page: Page) => page.getByRole('heading', { name }).waitFor();
const explorer = (role: 'application' | 'treegrid') => (page: Page) => page.getByRole(role).waitFor();
const screens: readonly Screen[] = [
  { name: 'sign-in', as: 'stranger', path: '/login', ready: heading('Keyword Clustering') },
  { name: 'claim', as: 'stranger', path: '/claim#none', ready: (page) => page.getByText('Go to sign in').waitFor() },
  {
    name: 'forgot password',
    as: 'stranger',
    path: '/login',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Forgot password' }).click();
      await page.getByRole('button', { name: 'Send a link' }).waitFor();
    },
  },
  {
    name: 'spent reset link',
    as: 'stranger',
    path: '/reset-password#none',
    ready: (page) => page.getByText('Go to sign in').waitFor(),
  },
  {
    name: 'confirm email',
    as: 'stranger',
    path: '/verify-email#none',
    ready: (page) => page.getByRole('button', { name: 'Sign in and confirm' }).waitFor(),
  },
  {
    name: 'edit name',
    as: 'pending',
    path: '/pending-approval',
    ready: async (page) => {
      await page.getByRole('heading', { name: 'Account Pending Approval' }).waitFor();
      const menu = page.getByRole('button', { name: 'Menu', exact: true });
      const wide = !(await menu.isVisible());
      await (wide ? page.getByRole('button', { name: /pending/ }) : menu).click();
      await page.getByRole(wide ? 'menuitem' : 'button', { name: 'Edit name' }).click();
      await page.getByLabel('Full name').waitFor();
    },
  },
  { name: 'not found', as: 'stranger', path: '/attic', ready: heading('Page not found') },
  { name: 'pending', as: 'pending', path: '/pending-approval', ready: heading('Account Pending Approval') },
  { name: 'denied', as: 'denied', path: '/access-denied', ready: heading('Access Denied') },
  { name: 'empty sky', as: 'approved', path: '/visualization', ready: heading('Your sky is ready') },
  { name: 'Treemap', as: 'approved', path: '/visualization?v=sample', ready: explorer('application') },
  { name: 'Tree', as: 'approved', path: '/visualization?v=sample&view=tree', ready: explorer('application') },
  { name: 'Table', as: 'approved', path: '/visualization?v=sample&view=table', ready: explorer('treegrid') },
  {
    name: 'users',
    as: 'admin',
    path: '/admin',
    ready: (page) => page.getByText('pending@example.com').first().waitFor(),
  },
  {
    name: 'upload',
    as: 'admin',
    path: '/admin?tab=upload',
    ready: (page) => page.getByText('Select User').first().waitFor(),
  },
  { name: 'settings', as: 'admin', path: '/admin?tab=settings', ready: heading('Admin Dashboard') },
];
const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

story('axe finds nothing', () => {
  const stage = useStage();

  for (const [size, viewport] of Object.entries(sizes)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test.each(screens)(`$name, ${size}, ${colorScheme}`, async (screen) => {
        await (await stage.signedIn('pending')).context.close();
        const how = { viewport, colorScheme, reducedMotion: 'reduce' } as const;
        const visitor = screen.as === 'stranger' ? await stage.visitor(how) : await stage.signedIn(screen.as, how);
        if (screen.path.endsWith('#none')) visitor.expectProblem(/status of 4\d\d/);
        await visitor.page.goto(screen.path);
        await screen.ready(visitor.page);
        expect(await violations(visitor.page)).toEqual([]);
      });
    }
  }
});
