import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { violations } from '../test/page/axe.ts';
import { asksFor } from '../test/page/media.ts';
import { openApp } from '../test/page/open-app.tsx';

// Shows P17.7.
test('for who asks for more contrast, what has the keyboard has a ring of 3 px, as far from its ground as can be', async () => {
  await asksFor({ 'prefers-contrast': 'more' });
  await openApp('/visualization', {
    as: 'approved',
    api: { 'visualizations.list': () => [], 'drafts.list': () => [] },
  });
  await expect.element(page.getByRole('heading', { name: 'Your sky is ready' })).toBeVisible();
  (page.getByRole('banner').getByRole('link').first().element() as HTMLElement).focus();
  await userEvent.tab();
  const ring = () => {
    const { outlineWidth, outlineColor } = getComputedStyle(document.activeElement!);
    return [outlineWidth, outlineColor];
  };
  for (const [theme, colour] of [
    ['light', 'rgb(0, 0, 0)'],
    ['dark', 'rgb(255, 255, 255)'],
  ] as const) {
    document.documentElement.dataset.theme = theme;
    await expect.poll(ring).toEqual(['3px', colour]);
  }
});

test('the card of the sign-in page is opaque for who asks for more contrast; nobody else sees more', async () => {
  await asksFor({ 'prefers-contrast': 'more' });
  await openApp('/login');
  const card = () => getComputedStyle(page.getByRole('main').element()).backgroundColor;
  await expect.poll(card).toBe('rgb(5, 7, 15)');
  await asksFor({});
  await expect.poll(card).not.toBe('rgb(5, 7, 15)');
  const muted = () => getComputedStyle(document.documentElement).getPropertyValue('--muted');
  expect(muted()).toBe('#535b7c');
});

test('for who asks for more contrast, text of the sign-in page has 7:1, and nothing shines through below it', async () => {
  await asksFor({ 'prefers-contrast': 'more' });
  await openApp('/login');
  await expect.element(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  expect(await violations(document.body, { enhanced: true })).toEqual([]);
  const translucent = [...document.querySelectorAll<HTMLElement>('body *')]
    .filter((one) => one.innerText?.trim() && one.getClientRects().length > 0)
    .map((one) => getComputedStyle(one).backgroundColor)
    .filter((colour) => /(?:,|\/) *0?\.\d+\)$/.test(colour));
  expect(translucent).toEqual([]);
});
