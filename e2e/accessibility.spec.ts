import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { colourRules, violations } from './axe.ts';
import { focusProblems } from './focus.ts';
import type { Screen } from './screen-steps.ts';
import { screens } from './screens.ts';
import type { Visitor } from './visitor.ts';

type Look = {
  readonly width: number;
  readonly height: number;
  readonly dark?: true;
  /** Windows' high contrast. */
  readonly forced?: true;
  /** The system setting for more contrast. */
  readonly contrast?: true;
};

/** Looks that share one opened screen, which switches from each to the next. */
type Visit = readonly [Look, ...Look[]];

/** 1280 px at 400 % zoom. */
const zoomed = { width: 320, height: 640 };
const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
/** The sample that every run checks: screens in both sizes, overlays in one size, alternating. */
const usual: readonly Visit[] = [
  [desktop, { ...desktop, dark: true }],
  [phone, { ...phone, dark: true }],
];
/** The full set, checked by `npm run axe`. */
const all: readonly Visit[] = [
  [
    desktop,
    { ...desktop, dark: true },
    { ...desktop, contrast: true },
    { ...desktop, contrast: true, dark: true },
    { ...desktop, forced: true },
  ],
  [phone, { ...phone, dark: true }, { ...phone, contrast: true }, zoomed],
  [{ width: 768, height: 1024 }],
  [{ width: 1440, height: 560 }],
];
const looksAtAll = process.env.AXE === 'all';
const visits = looksAtAll ? all : usual;
/** Number of windows per kind of user: while one waits for a transition, another one is checked. */
const windows = 2;
const mobileBelowPx = 768;
const shortBelowPx = 600;
/** From here on, tables with all their buttons replace the cards. */
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

/** Problems of one look. If only the colours differ from the previous look, only the colour rules run again. */
async function problemsOf(page: Page, look: Look, before: Look | undefined): Promise<string[]> {
  const sameSize = before?.width === look.width && before.height === look.height;
  // The user chose forced colours, and axe reads the colours that they replace.
  const leftOut = look.forced ? colourRules : [];
  const coloursOnly = sameSize && !look.forced;
  const found = await violations(page, { coloursOnly, leftOut, enhanced: look.contrast === true });
  return sameSize ? found : [...found, ...(await reflowProblems(page))];
}

/** Whether the page scrolls sideways, once an open list has moved to where it fits. Source: WCAG 2.2, 1.4.10. */
async function reflowProblems(page: Page): Promise<string[]> {
  const beyond = () => page.evaluate<number>('document.scrollingElement.scrollWidth - innerWidth');
  for (const end = Date.now() + 3_000; Date.now() < end && (await beyond()) > 0; ) await page.waitForTimeout(50);
  const px = await beyond();
  return px > 0 ? [`${px} px wider than the window`] : [];
}

story('every screen is accessible', () => {
  const stage = useStage();

  /** Checks all screens of one kind of user, in several windows in parallel. The findings are one line each. */
  test.each(['stranger', 'pending', 'denied', 'approved', 'admin'] as const)(
    'of %s',
    { timeout: 1_200_000 },
    async (kind) => {
      await (await stage.signedIn('pending')).context.close();
      await (await stage.signedIn('approved')).context.close();
      const how = { reducedMotion: 'reduce' } as const;
      const visitors: Visitor[] = [];
      while (visitors.length < windows)
        visitors.push(kind === 'stranger' ? await stage.visitor(how) : await stage.signedIn(kind, how));
      const found: string[] = [];
      const waiting = screens
        .filter(({ as }) => as === kind)
        .flatMap(visitsOf)
        .values();
      const goThrough = async (visitor: Visitor) => {
        visitor.expectProblem(/status of (4\d\d|503)|ERR_FAILED|dynamically imported module|Error in route match/);
        for (const [screen, visit] of waiting) {
          const begun = performance.now();
          const problems = await problemsOfVisit(visitor.page, screen, visit);
          found.push(...problems);
          if (looksAtAll) say(kind, screen, visit, begun, problems);
        }
      };
      await Promise.all(visitors.map(goThrough));
      expect(found).toEqual([]);
    },
  );
});

/** The visits in which a screen exists. */
function visitsOf(screen: Screen, place: number): (readonly [Screen, Visit])[] {
  const possible = visits.filter(
    ([{ width, height }]) => !(screen.wideOnly && width < tablesFromPx) && !(screen.tallOnly && height < shortBelowPx),
  );
  const byTurns = looksAtAll || !screen.overlay ? possible : [possible[place % possible.length]!];
  return byTurns.map((visit) => [screen, visit]);
}

/**
 * Problems of a screen in the looks of a visit. A screen that does not open is a finding as well, so that the others
 * are still checked.
 */
async function problemsOfVisit(page: Page, screen: Screen, visit: Visit): Promise<string[]> {
  const [first] = visit;
  const wide = first.width >= mobileBelowPx;
  const found: string[] = [];
  const note = (where: string, problems: readonly string[]) =>
    found.push(...problems.map((problem) => `${screen.name}, ${where}: ${problem}`));
  let at = first;
  try {
    await put(page, first);
    await page.goto('about:blank');
    await page.goto(screen.path);
    await screen.open(page, wide);
    for (const [n, look] of visit.entries()) {
      at = look;
      await put(page, look);
      note(named(look), await problemsOf(page, look, visit[n - 1]));
    }
    if (!wide && !visit.includes(zoomed)) {
      await page.setViewportSize(zoomed);
      note(named(zoomed), await reflowProblems(page));
    }
    if (visit === visits[0] && !screen.overlay) note('Tab', await focusProblems(page));
  } catch (error) {
    note(named(at), [`${error}`]);
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  return found;
}

/** Prints each visit immediately, because the whole run takes minutes. */
function say(kind: string, screen: Screen, visit: Visit, begun: number, problems: readonly string[]): void {
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`${kind}: ${screen.name}, ${visit.map(named).join(', ')} (${seconds} s)`);
  for (const problem of problems) console.log(`  ${problem}`);
}
