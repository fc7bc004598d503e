import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { runFor, stopClock } from '../../test/page/clock.ts';
import { garden } from '../../test/page/garden.ts';
import { focus, picture } from '../../test/page/in-explorer.ts';
import { openExplorer } from '../../test/page/open-explorer.tsx';
import { useReload } from './lazy-boundary.tsx';
import { MessagePlace, ToastProvider, useToast } from './toast.tsx';

const closeButton = page.getByRole('button', { name: 'Close', exact: true });

/** What a message covers: controls, rows and charts that have a part of its area. */
function covered(message: Element): string[] {
  const { left, right, top, bottom } = message.getBoundingClientRect();
  const others = document.querySelectorAll(
    'button, a, input, [role=row], [role=application], [role=complementary], nav',
  );
  return [...others]
    .filter((one) => !message.contains(one) && one.checkVisibility())
    .filter((one) => {
      const box = one.getBoundingClientRect();
      return box.left < right && box.right > left && box.top < bottom && box.bottom > top;
    })
    .map((one) => one.getAttribute('aria-label') ?? one.textContent ?? one.tagName);
}

// Shows P17.12.
test.each([
  ['desktop', 1440, 900],
  ['tablet', 900, 800],
  ['phone', 390, 844],
] as const)('on a %s a toast covers nothing, and the page has the rest of the window', async (_, width, height) => {
  await page.viewport(width, height);
  onTestFinished(() => page.viewport(1440, 900));
  await openExplorer(garden);
  await focus(picture);
  const whole = document.documentElement.scrollHeight;
  await userEvent.keyboard('{Control>}{Shift>}l{/Shift}{/Control}');
  await expect.element(closeButton).toBeVisible();
  const message = closeButton.element().parentElement!;
  expect(covered(message)).toEqual([]);
  // The page is no longer than before.
  await expect.poll(() => document.documentElement.scrollHeight).toBe(whole);
});

test('a message that a dialog takes over has what is left of its time, and waits under the pointer', async () => {
  stopClock();
  function Tell({ hasDialog }: { readonly hasDialog: boolean }) {
    const toast = useToast();
    return (
      <>
        <button type="button" onClick={() => toast('Copied')}>
          Copy
        </button>
        {hasDialog && <MessagePlace className="in-dialog" />}
      </>
    );
  }
  const tree = (hasDialog: boolean) => (
    <ToastProvider lifeMs={5_000}>
      <MessagePlace />
      <Tell hasDialog={hasDialog} />
    </ToastProvider>
  );
  const { rerender } = await render(tree(false));
  const message = page.getByText('Copied');
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect.element(message).toBeVisible();
  await runFor(3_000);
  await rerender(tree(true));
  expect(message.element().closest('.in-dialog')).not.toBeNull();
  await runFor(1_000);
  await message.hover();
  await runFor(10_000);
  await expect.element(message).toBeVisible();
  await page.getByRole('button', { name: 'Copy' }).hover();
  await runFor(1_100);
  await expect.element(message).not.toBeInTheDocument();
});

test('a message that comes again replaces the one before, unless that one can be undone', async () => {
  function Tell() {
    const toast = useToast();
    return (
      <>
        <button type="button" onClick={() => toast('Copied')}>
          Copy
        </button>
        <button type="button" onClick={() => toast('Removed', { label: 'Undo', onAction: () => toast('Kept') })}>
          Remove
        </button>
      </>
    );
  }
  await render(
    <ToastProvider lifeMs={60_000}>
      <MessagePlace />
      <Tell />
    </ToastProvider>,
  );
  const shown = () =>
    page
      .getByRole('status')
      .getByRole('paragraph')
      .elements()
      .map((one) => one.textContent);
  for (const name of ['Copy', 'Remove', 'Copy', 'Remove']) await page.getByRole('button', { name }).click();
  await expect.poll(shown).toEqual(['Removed', 'Copied', 'Removed']);
});

test('however often a page is loaded again without a connection, one message says so', async () => {
  const requests: ((error: Error) => void)[] = [];
  vi.stubGlobal('fetch', () => new Promise((_, reject) => requests.push(reject)));
  onTestFinished(() => void vi.unstubAllGlobals());
  function Reload() {
    return (
      <button type="button" onClick={useReload()}>
        Try again
      </button>
    );
  }
  await render(
    <ToastProvider lifeMs={60_000}>
      <Reload />
      <MessagePlace />
    </ToastProvider>,
  );
  const messages = page.getByText('The server cannot be reached. Check the connection and try again.');
  const fail = () => requests.shift()!(new TypeError('Failed to fetch'));
  await page.getByRole('button', { name: 'Try again' }).click();
  fail();
  await expect.element(messages).toBeVisible();
  // The message of the attempt before goes at once, and an attempt that was overtaken says nothing.
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(messages).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Try again' }).click();
  fail();
  fail();
  await expect.element(messages).toBeVisible();
  expect(messages.all()).toHaveLength(1);
});
