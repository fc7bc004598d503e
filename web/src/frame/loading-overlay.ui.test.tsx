import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import startPage from '../../index.html?raw';
import { runFor, stopClock } from '../../test/page/clock.ts';
import { neverAnswers } from '../../test/page/fake-api.ts';
import { openApp } from '../../test/page/open-app.tsx';

let overlay: HTMLElement;
let texts: string[];

/** The overlay as the document has it before any script of ours runs. */
beforeEach(() => {
  overlay = new DOMParser().parseFromString(startPage, 'text/html').getElementById('loading-overlay')!;
  document.body.append(overlay);
  const text = () => document.getElementById('loading-message')?.textContent ?? '';
  texts = [text()];
  const watch = new MutationObserver(() => {
    if (text() !== '' && text() !== texts.at(-1)) texts.push(text());
  });
  watch.observe(document, { subtree: true, childList: true, characterData: true });
  onTestFinished(() => {
    watch.disconnect();
    overlay.remove();
  });
});

const isGone = () => expect.poll(() => overlay.isConnected).toBe(false);

/** A server that never returns the session: no screen is drawn. */
async function openStuck(): Promise<void> {
  stopClock();
  void openApp('/visualization', { api: { 'session.get': neverAnswers } });
  await expect.poll(() => texts.at(-1)).toBe('Loading application...');
}

test('it shows the steps, the sign-in page last, and disappears', async () => {
  stopClock();
  await openApp('/');
  await expect
    .poll(() => texts)
    .toEqual(['Initializing application...', 'Loading application...', 'Preparing login page...']);
  await runFor(800);
  expect(overlay.dataset.leaving).toBe('');
  await runFor(300);
  await isGone();
});

test('on other pages it does not mention the sign-in page', async () => {
  stopClock();
  await openApp('/pending-approval', { as: 'pending' });
  await runFor(700);
  await runFor(300);
  await isGone();
  expect(texts).toEqual(['Initializing application...', 'Loading application...']);
});

// Shows P2.7.
test('it stays while the page starts, and is cleared after ten seconds at the latest', async () => {
  await openStuck();
  await runFor(9_999);
  expect(overlay.dataset.leaving).toBeUndefined();
  await runFor(1);
  expect(overlay.dataset.leaving).toBe('');
  await runFor(300);
  expect(overlay.isConnected).toBe(false);
});

// Shows P2.8.
test('Alt+Shift+R clears it', async () => {
  await openStuck();
  await userEvent.keyboard('{Alt>}{Shift>}{KeyR}{/Shift}{/Alt}');
  await runFor(300);
  expect(overlay.isConnected).toBe(false);
});

// Shows P2.8.
test('without scripts, the stylesheet hides it after fifteen seconds', () => {
  expect(getComputedStyle(overlay).visibility).toBe('visible');
  const [forced] = overlay.getAnimations();
  expect(forced!.effect!.getTiming().delay).toBe(15_000);
  forced!.finish();
  expect(getComputedStyle(overlay).visibility).toBe('hidden');
});
