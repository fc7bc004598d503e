import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type Section, specified } from '../tools/specified-texts.ts';
import { story, useStage } from './app.ts';
import type { Role } from './visitor.ts';

type Visit = {
  readonly as: Role | 'stranger';
  readonly path: string;
  /** Goes to where the texts are shown. */
  readonly open?: (page: Page) => Promise<unknown>;
  readonly phone?: true;
};

type DrawnSection = {
  [S in keyof typeof specified]: (typeof specified)[S] extends { readonly onScreen: object } ? S : never;
}[keyof typeof specified];

const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click();
const breakCall = (url: string) => (page: Page) => page.route(url, (route) => route.fulfill({ status: 503, body: '' }));
const hold = (url: string) => (page: Page) => page.route(url, () => undefined);
const again = async (page: Page, change: (page: Page) => Promise<unknown>) => {
  await change(page);
  await page.reload();
};

const settings = '/admin?tab=settings';
const changeSettings = async (page: Page) => {
  await page.getByRole('radio', { name: '3' }).check();
};

/** Where the texts of each section are shown. */
const visits: Readonly<Record<DrawnSection, Visit>> = {
  '§2 Login screen, sign-in': { as: 'stranger', path: '/login' },
  '§2 Login screen, sign-up': { as: 'stranger', path: '/login', open: press('Sign up') },
  '§2 Header, signed out': { as: 'stranger', path: '/test' },
  '§2 Header, menu of an admin': {
    as: 'admin',
    path: '/test',
    open: (page) => page.getByRole('banner').getByRole('button', { name: /admin/ }).click(),
  },
  '§2 Header, on a phone': { as: 'admin', path: '/test', open: press('Menu'), phone: true },
  '§2 Page not found': { as: 'stranger', path: '/attic' },
  '§2 Error screen': {
    as: 'stranger',
    path: '/login',
    open: async (page) => {
      await page.route('**/assets/test-screen-*.js', (route) => route.abort());
      await page.goto('/test');
    },
  },
  '§2 Users tab': { as: 'admin', path: '/admin' },
  '§2 Users tab, nobody found': {
    as: 'admin',
    path: '/admin',
    open: (page) => page.getByRole('searchbox').fill('nobody of this name'),
  },
  '§2 Users tab, not loaded': { as: 'admin', path: '/admin', open: (page) => again(page, breakCall('**/api/users')) },
  '§2 Create User': {
    as: 'admin',
    path: '/admin',
    open: (page) => page.getByRole('tab', { name: 'Create User' }).click(),
  },
  '§2 Settings tab': { as: 'admin', path: settings },
  '§2 Settings tab, changed': { as: 'admin', path: settings, open: changeSettings },
  '§2 Settings tab, being saved': {
    as: 'admin',
    path: settings,
    open: async (page) => {
      await changeSettings(page);
      await hold('**/api/settings')(page);
      await press('Save Settings')(page);
    },
  },
  '§2 Pending page, loading': { as: 'pending', path: '/pending-approval' },
  '§2 Pending page, error': {
    as: 'pending',
    path: '/pending-approval',
    open: async (page) => {
      await page.getByText('Check Status Now').waitFor();
      await breakCall('**/api/session')(page);
      await press('Check Status Now')(page);
    },
  },
  '§2 Pending page, denied': { as: 'denied', path: '/access-denied' },
  '§2 Pending page, pending': { as: 'pending', path: '/pending-approval' },
  '§2 Admin check, admin': { as: 'admin', path: '/admin-check' },
  '§2 Admin check, no admin': { as: 'approved', path: '/admin-check' },
  '§2 Admin check, signed out': { as: 'stranger', path: '/admin-check' },
  '§2 Upload tab': { as: 'admin', path: '/admin?tab=upload' },
  '§2 Upload tab, loading': {
    as: 'admin',
    path: '/admin?tab=upload',
    open: (page) => again(page, hold('**/api/users')),
  },
};

/** All texts of a page, visible or for screen readers. */
const pageText = `[
  document.body.innerText,
  ...[...document.querySelectorAll('[aria-label]')].map((one) => one.ariaLabel),
].join('\\n')`;

const asPattern = (text: string) =>
  new RegExp(
    text
      .split(/\{\w+\}/)
      .map((piece) => piece.replace(/[.*+?^$()|[\]{}\\]/g, '\\$&'))
      .join('.+'),
  );

story('every screen shows the specified texts', () => {
  const stage = useStage();

  test.each(['stranger', 'pending', 'denied', 'approved', 'admin'] as const)(
    'to %s',
    { timeout: 300_000 },
    async (kind) => {
      for (const role of ['pending', 'denied', 'approved'] as const) await (await stage.signedIn(role)).context.close();
      const visitor = kind === 'stranger' ? await stage.visitor() : await stage.signedIn(kind);
      visitor.expectProblem(/status of 503|ERR_FAILED|dynamically imported|Error in route match/);
      const { page } = visitor;
      for (const [section, visit] of Object.entries(visits)) {
        if (visit.as !== kind) continue;
        await page.setViewportSize(visit.phone ? { width: 390, height: 844 } : { width: 1440, height: 900 });
        await page.goto(visit.path);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        await visit.open?.(page);
        const { onScreen = {} }: Section = specified[section as DrawnSection];
        const texts = Object.values(onScreen).flat();
        const missing = async () => {
          const shown = await page.evaluate<string>(pageText);
          return texts.filter((text) => !asPattern(text).test(shown));
        };
        await expect.poll(missing, { timeout: 15_000, interval: 50, message: section }).toEqual([]);
        await page.unrouteAll({ behavior: 'ignoreErrors' });
      }
    },
  );
});
