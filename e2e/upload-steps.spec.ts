import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { uploadOnScreen } from './upload.ts';

/** Runs before the page's own scripts: records each percentage and text of the progress card. */
const noteSteps = `window.steps = [];
  new MutationObserver(() => {
    const bar = document.querySelector('[role=progressbar]');
    const text = bar?.closest('section')?.querySelector('p')?.textContent;
    const step = bar && bar.getAttribute('aria-valuenow') + '% ' + text;
    if (step && step !== window.steps.at(-1)) window.steps.push(step);
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });`;

story('the steps of an upload', () => {
  const stage = useStage();

  test('the last two are shown however small the file is, every time', async () => {
    const { page, context } = await stage.signedIn('admin');
    await context.addInitScript({ content: noteSteps });
    const content = { keywords: ['rakes'], hierarchy: { name: 'Shop', children: ['rakes', 'spades'] } };
    for (const _ of ['first', 'second']) {
      await uploadOnScreen(page, 'admin@example.com', content);
      expect(((await page.evaluate('steps')) as string[]).slice(-2)).toEqual([
        '85% Finalizing upload',
        '100% Finalizing upload',
      ]);
      expect(await page.getByRole('progressbar').count()).toBe(0);
    }
  });
});
