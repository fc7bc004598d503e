import { parse } from 'csv-parse/sync';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, removeDataDir, startServer } from '../server.ts';
import type { Person } from '../visitor.ts';
import { chromium } from './chromium.ts';
import { literally } from './find.ts';
import { firefox } from './firefox.ts';
import { gardenShop, gardenShopFile } from './garden-shop.ts';
import { makePeople } from './people.ts';
import { type Steps, stepsIn } from './steps.ts';
import type { Tab } from './tab.ts';
import { webkit } from './webkit.ts';

/**
 * Every other story and the component tests run in Chromium, so only `npm run prove -- engines` repeats these there. Only that has
 * motion on in each of them: without a GPU, stars that twinkle take much of the processor.
 */
const isLong = process.env.PROVE_RUNS !== undefined;
const engines = isLong ? [chromium, firefox, webkit] : [firefox, webkit];
for (const { isInstalled, installHint } of engines) if (!isInstalled) console.log(installHint);

const canvasCharts = ['Bubbles', 'Sunburst', 'Icicle', 'Tree', 'Opportunity', 'Treemap'];
/** The user menu is named after the part of the email before the @. */
const menuOf = (email: string): RegExp => new RegExp(`${email.split('@')[0]}$`);
const counted = (count: number) => count.toLocaleString('en');

// Shows P17.10.
describe.each(engines)('the main stories in $name', (engine) => {
  describe.skipIf(!engine.isInstalled)('from an upload to a shared view', () => {
    let server: RunningServer;
    let tab: Tab;
    let people: { readonly admin: Person; readonly gardener: Person };
    let steps: Steps;
    let checkedProblems = 0;

    beforeAll(async () => {
      server = await startServer({ env: { SAMPLE: 'off' } });
      people = await makePeople(server);
      tab = await engine.open(server, { hasMotion: isLong });
      steps = stepsIn(tab, server.url);
    });
    afterEach(async () => {
      const problems = await tab.problems();
      const found = problems.slice(checkedProblems);
      checkedProblems = problems.length;
      expect(found).toEqual([]);
    });
    afterAll(async () => {
      await tab?.close();
      await server?.stop();
      if (server) removeDataDir(server.dataDir);
    });

    const signIn = async ({ email, password }: Person) => {
      await steps.fill('Email address', email);
      await steps.fill('Password', password);
      await steps.click('button', 'Sign in');
      await steps.at((address) => address.pathname === '/visualization');
      await steps.see('button', menuOf(email));
    };

    test('the sky of the sign-in page has stars', async () => {
      await steps.goto('/login');
      await steps.see('field', 'Email address');
      await steps.seeColours('.fixed > canvas', 100);
    });

    test('an admin signs in, uploads a file for a user and signs out', async () => {
      await signIn(people.admin);
      await steps.goto('/admin?tab=upload');
      await steps.click('combobox', 'Select User');
      await steps.click('option', new RegExp(`^${people.gardener.email}`));
      await steps.upload(gardenShopFile);
      await steps.read(`File uploaded and processed successfully for ${people.gardener.email}`);
      await steps.click('button', menuOf(people.admin.email));
      await steps.click('menuitem', 'Sign Out');
      await steps.at((address) => address.pathname === '/login');
    });

    // Shows P14.1.
    test('the user signs in and sees each of the seven views', async () => {
      await signIn(people.gardener);
      await steps.see('application', /^Treemap of/);
      for (const view of canvasCharts) {
        await steps.click('radio', view);
        await steps.see('application', new RegExp(`^${view} of ${literally(gardenShop.name)}`));
        await steps.seeColours('[role=application] canvas', 12);
      }
      await steps.click('radio', 'Table');
      await steps.see('gridcell', counted(gardenShop.keywords));
      // One level open, so that all pillar topics are in the window.
      await steps.goto('/visualization?view=table&d=1');
      for (const { name, keywords } of gardenShop.pillars) {
        await steps.see('row', new RegExp(literally(name)));
        await steps.see('gridcell', counted(keywords));
      }
    });

    test('a filter matches a word, counts the matches, and is removed again', async () => {
      const whole = counted(gardenShop.keywords);
      const kept = counted(gardenShop.containing('spade'));
      await steps.goto('/visualization');
      await steps.see('application', new RegExp(`, ${whole} keywords\\.`));
      await steps.click('button', /^Filter/);
      await steps.fill('Contains', 'spade');
      await steps.at((address) => address.searchParams.get('f') === 'has-spade');
      await steps.press('Escape');
      await steps.see('application', new RegExp(`, ${kept} of ${whole} keywords\\.`));
      await steps.seeColours('[role=application] canvas', 12);
      await steps.click('button', 'Remove filter: Contains “spade”');
      await steps.see('application', new RegExp(`, ${whole} keywords\\.`));
    });

    test('a search finds a keyword and goes to it', async () => {
      await steps.goto('/visualization');
      await steps.see('application', /^Treemap of/);
      await steps.fill('Search keywords', 'garden spade');
      await steps.see('option', /garden spade/i);
      await steps.press('ArrowDown');
      await steps.press('Enter');
      const address = await steps.at(({ searchParams }) => searchParams.has('sel'));
      expect(address.searchParams.get('sel')).toMatch(/^[0-9a-f]{16}$/);
    });

    test('an export has one row per node, with the figures of the file', async () => {
      await steps.goto('/visualization');
      await steps.see('application', /^Treemap of/);
      await steps.click('button', 'Share');
      await steps.click('menuitem', /^Export/);
      await steps.click('button', 'CSV: everything');
      const lines = parse(await steps.downloaded(/\.csv$/), { bom: true, columns: true }) as Record<string, string>[];
      expect(lines).toHaveLength(gardenShop.nodes);
      const figures = lines.map(({ Name, Keywords, Volume }) => ({
        name: Name,
        keywords: Number(Keywords),
        volume: Number(Volume),
      }));
      expect(figures).toContainEqual({
        name: gardenShop.name,
        keywords: gardenShop.keywords,
        volume: gardenShop.volume,
      });
      for (const pillar of gardenShop.pillars) expect(figures).toContainEqual(pillar);
    });

    // Shows P16.1.
    test('a shared link opens the same view', async () => {
      await steps.goto('/visualization?view=icicle&f=has-spade');
      await steps.see('application', /^Icicle of/);
      await steps.click('button', 'Share');
      await steps.click('menuitem', /^Copy link/);
      await steps.read('Link copied');
      await steps.click('field', 'Search keywords');
      await steps.press('Control+v');
      const link = new URL(await steps.valueOf('Search keywords'));
      expect(link.origin).toBe(server.url);
      // Somebody who is signed in is led to the whole map: the link has to bring back what it says.
      await steps.goto('/login');
      await steps.see('application', new RegExp(`^Treemap of .*, ${counted(gardenShop.keywords)} keywords`));
      await steps.goto(link.pathname + link.search);
      await steps.see('application', new RegExp(`^Icicle of .*, ${counted(gardenShop.containing('spade'))} of `));
      await steps.see('button', 'Remove filter: Contains “spade”');
      await steps.seeColours('[role=application] canvas', 12);
    });
  });
});
