import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type Section, specified } from '../tools/specified-texts.ts';
import { story, useStage } from './app.ts';
import { colourRules, violations } from './axe.ts';
import { contrastProblems } from './contrast.ts';
import { focusProblems } from './focus.ts';
import { drawnSections, type Screen } from './screen-steps.ts';
import { screens } from './screens.ts';

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
/** The sample that every run checks: each screen that it opens is opened in one of them, in turn. */
const inTurn: readonly Visit[] = [[desktop], [{ ...phone, dark: true }], [{ ...desktop, dark: true }], [phone]];
/** The full set, checked by `npm run prove -- axe`. */
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
const looksAtAll = process.env.PROVE_RUNS !== undefined;
const visits = looksAtAll ? all : inTurn;
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

// Shows P1.7, P2.1, P17.6, P17.7.
story('every screen is accessible, fits a phone and shows the specified texts', () => {
  const stage = useStage();

  /** The findings about all screens of one kind of user are one line each. */
  test.each(['stranger', 'pending', 'denied', 'approved', 'admin'] as const)(
    'of %s',
    { timeout: 1_200_000 },
    async (kind) => {
      for (const other of ['pending', 'denied', 'approved'] as const)
        await (await stage.signedIn(other)).context.close();
      const visitor = kind === 'stranger' ? await stage.visitor() : await stage.signedIn(kind);
      visitor.expectProblem(
        /status of (4\d\d|503)|ERR_FAILED|dynamically imported module|did not arrive|Error in route match/,
      );
      const found: string[] = [];
      let isFresh = true;
      for (const [screen, visit] of screens
        .filter(({ as }) => as === kind)
        .filter(isOpened)
        .flatMap(visitsOf)) {
        const begun = performance.now();
        const problems = await problemsOfVisit(visitor.page, screen, visit, isFresh || screen.alone === true);
        found.push(...problems);
        isFresh = screen.alone === true;
        say(kind, screen, visit, begun, problems);
      }
      expect(found).toEqual([]);
    },
  );
});

test('every specified text is on some screen', () => {
  const shown = screens.flatMap(({ texts }) => texts ?? []);
  expect(shown.toSorted()).toEqual(drawnSections.toSorted());
});

/** Of the screens that need not be opened by a test run, it opens one in six, from the fifth on: of every kind of overlay one. */
const [oneIn, from] = [6, 4];

/**
 * Whether it is opened at all. A test run opens the first screen of each address, and those whose texts are specified or for
 * which more contrast was designed. The others are mostly overlays, which component tests check as well; it opens a few.
 */
const isOpened = (screen: Screen, place: number): boolean =>
  looksAtAll ||
  screen.texts !== undefined ||
  screen.contrast !== undefined ||
  isFirstOfAddress(screen) ||
  place % oneIn === from;

const isFirstOfAddress = (screen: Screen): boolean =>
  screen === screens.find(({ as, path }) => as === screen.as && withoutToken(path) === withoutToken(screen.path));

const withoutToken = (path: string): string => path.split('#')[0]!;

/** What a screen shows to everybody is specified for wide windows, and more contrast was designed there. */
const isForWide = ({ texts, contrast, narrowOnly }: Screen) =>
  contrast !== undefined || (texts !== undefined && narrowOnly === undefined);

/** The visits in which a screen exists: all of them, or one. */
function visitsOf(screen: Screen, place: number): (readonly [Screen, Visit])[] {
  const possible = visits.filter(
    ([{ width, height }]) =>
      !(screen.wideOnly && width < tablesFromPx) &&
      !(screen.narrowOnly && width >= mobileBelowPx) &&
      !(isForWide(screen) && !looksAtAll && width < tablesFromPx) &&
      !(screen.tallOnly && height < shortBelowPx),
  );
  const chosen = looksAtAll ? possible : [possible[place % possible.length]!];
  return chosen.map((visit) => [screen, visit]);
}

/**
 * Whether Tab walks through a screen. In a test run it is the first one of an address: the others differ in a few stops.
 */
const isWalked = (screen: Screen, visit: Visit): boolean =>
  !screen.overlay &&
  (looksAtAll
    ? visit === visits[0]
    : screen === screens.find(({ as, path, overlay }) => as === screen.as && path === screen.path && !overlay));

/**
 * Problems of a screen in the looks of a visit. A screen that does not open is a finding as well, so that the others
 * are still checked.
 *
 * @param anew whether the page is loaded, because nothing may be left of the screen before; otherwise it is led there
 */
async function problemsOfVisit(page: Page, screen: Screen, visit: Visit, anew: boolean): Promise<string[]> {
  const [first] = visit;
  const wide = first.width >= mobileBelowPx;
  const found: string[] = [];
  const note = (where: string, problems: readonly string[]) =>
    found.push(...problems.map((problem) => `${screen.name}, ${where}: ${problem}`));
  let at = first;
  try {
    await put(page, first);
    await screen.prepare?.(page);
    await (anew ? load(page, screen.path) : lead(page, screen.path));
    await screen.open(page, wide);
    if (wide || screen.narrowOnly) note('texts', await missingTexts(page, screen));
    for (const [n, look] of visit.entries()) {
      at = look;
      await put(page, look);
      note(named(look), await problemsOf(page, look, visit[n - 1]));
    }
    if (isWalked(screen, visit)) note('Tab', await focusProblems(page));
    if (screen.contrast && wide) note('more contrast', await contrastProblems(page, screen.contrast));
    for (const narrow of [phone, zoomed]) {
      at = narrow;
      await page.setViewportSize(narrow);
      note(named(narrow), await widthProblems(page));
    }
  } catch (error) {
    note(named(at), [`${error}`]);
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // An overlay that stays would cover the next screen.
  if (screen.overlay) await page.keyboard.press('Escape');
  return found;
}

async function load(page: Page, path: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(path);
}

/** Leaves a screen and goes to another one as a link does. A load takes four times as long. */
async function lead(page: Page, path: string): Promise<void> {
  const go = (to: string) => page.evaluate(`history.pushState({}, '', ${JSON.stringify(to)})`);
  await go('/test');
  await page.getByText('Reachable', { exact: true }).waitFor();
  await go(path);
}

/** Problems of one look. If only the colours differ from the previous look, only the colour rules run again. */
async function problemsOf(page: Page, look: Look, before: Look | undefined): Promise<string[]> {
  const sameSize = before?.width === look.width && before.height === look.height;
  // The user chose forced colours, and axe reads the colours that they replace.
  const leftOut = look.forced ? colourRules : [];
  const coloursOnly = sameSize && !look.forced;
  const found = await violations(page, { coloursOnly, leftOut, enhanced: look.contrast === true });
  return sameSize ? found : [...found, ...(await widthProblems(page))];
}

/** Elements that reach beyond the window and are in no scroll container, except those hidden until focused. */
const beyond = `[...document.querySelectorAll('a, button, input, label, h1, h2, h3, p, td, li')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => {
    const { left, right, width, bottom } = one.getBoundingClientRect();
    if (width <= 1 || bottom <= 0 || (left >= -1 && right <= innerWidth + 1)) return false;
    for (let around = one.parentElement; around; around = around.parentElement) {
      const { overflowX } = getComputedStyle(around);
      if (overflowX === 'auto' || overflowX === 'scroll') return false;
      const box = around.getBoundingClientRect();
      if (overflowX !== 'visible' && box.left >= -1 && box.right <= innerWidth + 1 && one.tagName !== 'BUTTON') return false;
    }
    return true;
  })
  .map((one) => one.outerHTML.slice(0, 120))`;

/**
 * Whether the page scrolls sideways, and on a phone what reaches beyond the window, once an open list has moved to
 * where it fits. Source: WCAG 2.2, 1.4.10.
 */
async function widthProblems(page: Page): Promise<string[]> {
  const { width } = page.viewportSize()!;
  return lasting(async () => {
    const px = await page.evaluate<number>('document.scrollingElement.scrollWidth - innerWidth');
    const reach = width === phone.width ? await page.evaluate<string[]>(beyond) : [];
    return [...(px > 0 ? [`${px} px wider than the window`] : []), ...reach];
  });
}

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

/** The specified texts that a screen should show and does not. */
async function missingTexts(page: Page, { texts: section }: Screen): Promise<string[]> {
  if (!section) return [];
  const { onScreen = {} }: Section = specified[section];
  const texts = Object.values(onScreen).flat();
  return lasting(async () => {
    const shown = await page.evaluate<string>(pageText);
    return texts.filter((text) => !asPattern(text).test(shown));
  });
}

/** The problems that remain. */
async function lasting(problems: () => Promise<string[]>): Promise<string[]> {
  let found: string[] = [];
  const none = async () => {
    found = await problems();
    return found.length;
  };
  await expect
    .poll(none)
    .toBe(0)
    .catch(() => undefined);
  return found;
}

/** Prints each visit of the full set immediately, because the whole run takes minutes. */
function say(kind: string, screen: Screen, visit: Visit, begun: number, problems: readonly string[]): void {
  if (!looksAtAll) return;
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const lines = [`${kind}: ${screen.name}, ${visit.map(named).join(', ')} (${seconds} s)`, ...problems];
  process.stdout.write(`${lines.join('\n  ')}\n`);
}
