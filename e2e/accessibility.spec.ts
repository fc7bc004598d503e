import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { colourRules, violations } from './axe.ts';
import { focusProblems } from './focus.ts';
import { screens } from './screens.ts';

type Look = {
  readonly width: number;
  readonly height: number;
  readonly dark?: true;
  /** As Windows' high contrast paints. */
  readonly forced?: true;
  /** For who asks the system for more contrast. */
  readonly contrast?: true;
};

/** A screen is opened once for the looks of a line: one follows from the other without opening it again. */
type Visit = readonly [Look, ...Look[]];

/** What 400 % zoom leaves of 1280 px. */
const zoomed = { width: 320, height: 640 };
/** What every run looks at. */
const usual: readonly Visit[] = [
  [
    { width: 1440, height: 900 },
    { width: 1440, height: 900, dark: true },
  ],
  [{ width: 390, height: 844 }],
];
/** `npm run axe` looks at all of these. */
const more: readonly Visit[] = [
  [zoomed],
  [{ width: 768, height: 1024 }],
  [{ width: 1440, height: 560 }],
  [{ width: 1440, height: 900, forced: true }],
  [
    { width: 1440, height: 900, contrast: true },
    { width: 1440, height: 900, contrast: true, dark: true },
  ],
  [{ width: 390, height: 844, contrast: true }],
  [{ width: 390, height: 844, dark: true }],
];
const visits = process.env.AXE === 'all' ? [...usual, ...more] : usual;
const mobileBelowPx = 768;
const shortBelowPx = 600;
/** From here on people stand in tables with all their buttons. */
const tablesFromPx = 1280;

const named = (look: Look) =>
  `${look.width}×${look.height}${look.dark ? ' dark' : ''}${look.forced ? ' forced colours' : ''}${look.contrast ? ' more contrast' : ''}`;

async function put(page: Page, look: Look): Promise<void> {
  await page.emulateMedia({
    forcedColors: look.forced ? 'active' : 'none',
    contrast: look.contrast ? 'more' : 'no-preference',
  });
  await page.setViewportSize({ width: look.width, height: look.height });
  await page.evaluate(`document.documentElement.dataset.theme = '${look.dark ? 'dark' : 'light'}'`);
}

/** What is wrong with a look. Where only the theme differs from the one before, only that is judged anew. */
async function problemsOf(page: Page, look: Look, before: Look | undefined): Promise<string[]> {
  const same = before?.width === look.width && before.height === look.height;
  // Forced colours are the person's own, and axe reads the ones that they replace.
  const leftOut = look.forced ? colourRules : [];
  const found = await violations(page, { coloursOnly: same, leftOut, enhanced: look.contrast === true });
  return same ? found : [...found, ...(await reflowProblems(page))];
}

/** Whether the page has to be scrolled sideways, once an open list has moved to where it fits. Source: WCAG 2.2, 1.4.10. */
async function reflowProblems(page: Page): Promise<string[]> {
  const beyond = () => page.evaluate<number>('document.scrollingElement.scrollWidth - innerWidth');
  for (const end = Date.now() + 3_000; Date.now() < end && (await beyond()) > 0; ) await page.waitForTimeout(50);
  const px = await beyond();
  return px > 0 ? [`${px} px wider than the window`] : [];
}

story('every screen is accessible', () => {
  const stage = useStage({ env: { SUPPORT_EMAIL: 'help@example.com' } });

  /** One browser window goes through all screens of a kind of person; a line a finding. */
  test.each(['stranger', 'pending', 'denied', 'approved', 'admin'] as const)(
    'of %s',
    { timeout: 600_000 },
    async (kind) => {
      await (await stage.signedIn('pending')).context.close();
      await (await stage.signedIn('approved')).context.close();
      const how = { reducedMotion: 'reduce' } as const;
      const visitor = kind === 'stranger' ? await stage.visitor(how) : await stage.signedIn(kind, how);
      visitor.expectProblem(/status of (4\d\d|503)|ERR_FAILED|dynamically imported module|Error in route match/);
      const { page } = visitor;
      const found: string[] = [];
      for (const screen of screens.filter(({ as }) => as === kind)) {
        for (const visit of visits) {
          const [first] = visit;
          const wide = first.width >= mobileBelowPx;
          if (screen.wideOnly && first.width < tablesFromPx) continue;
          if (screen.tallOnly && first.height < shortBelowPx) continue;
          await put(page, first);
          await page.goto('about:blank');
          await page.goto(screen.path);
          await screen.open(page, wide);
          for (const [n, look] of visit.entries()) {
            await put(page, look);
            const problems = await problemsOf(page, look, visit[n - 1]);
            found.push(...problems.map((problem) => `${screen.name}, ${named(look)}: ${problem}`));
          }
          if (!wide) {
            await page.setViewportSize(zoomed);
            const problems = await reflowProblems(page);
            found.push(...problems.map((problem) => `${screen.name}, ${named(zoomed)}: ${problem}`));
          }
          if (visit === visits[0] && !screen.overlay) {
            found.push(...(await focusProblems(page)).map((problem) => `${screen.name}: ${problem}`));
          }
          await page.unrouteAll({ behavior: 'ignoreErrors' });
        }
      }
      expect(found).toEqual([]);
    },
  );
});
