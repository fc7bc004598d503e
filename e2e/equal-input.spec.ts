import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';

story('the explorer without a pointer, and without a picture', () => {
  const stage = useStage();

  // Shows P17.4.
  test('a screen reader hears a tree: name, kind, level, place among its siblings, figures, and whether it is open', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization?v=sample');
    const picture = page.getByRole('application', { name: /^Treemap of Garden shop/ });
    await picture.focus();
    await page.keyboard.press('ArrowDown');
    await expect
      .poll(() => heard(page))
      .toMatch(
        /^treeitem .+, pillar topic, [\d,]+ searches a month .+, [\d.K]+ keywords \| level 2 \| 1 of \d+ \| expanded$/,
      );
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => heard(page)).toMatch(/ \| level 2 \| 2 of \d+ \| expanded$/);

    // The accessible twin is a tree of its own: its keys open a row, and the selection in the chart follows.
    const outline = page.getByRole('tree', { name: 'Outline' });
    await outline.focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => heard(page)).toMatch(/ \| 2 of \d+ \| collapsed$/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => heard(page)).toMatch(/ \| level 3 \| 1 of \d+ \| collapsed$/);
    await page.keyboard.press('*');
    await expect.poll(() => heard(page)).toMatch(/ \| level 3 \| 1 of \d+ \| expanded$/);
    await page.keyboard.press('End');
    await expect.poll(() => heard(page)).toMatch(/ \| level 3 \| (\d+) of \1 \| collapsed$/);
  });

  // Shows P17.1.
  test('with the keyboard alone one signs in, finds a branch, turns to the table and back, reads its details, copies its keywords and exports it', async () => {
    await (await stage.signedIn('approved')).context.close();
    const approved = await stage.visitor();
    await approved.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { page } = approved;
    await page.getByLabel('Email address').waitFor();
    await tabToNamed(page, 'Email address');
    await page.keyboard.type('approved@example.com');
    await tabToNamed(page, 'Password');
    await page.keyboard.type('rakes and ladders');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Explore a sample' }).waitFor();
    await tabToNamed(page, 'Explore a sample');
    await page.keyboard.press('Enter');
    const picture = page.getByRole('application', { name: /^Treemap of Garden shop/ });
    await picture.waitFor();
    await tabTo(page, 'application');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/[?&]n=[0-9a-f]{16}/);
    await page.keyboard.press('t');
    await page.waitForURL(/[?&]view=table/);
    await expect.poll(() => focusedRole(page)).toBe('treegrid');
    await page.keyboard.press('t');
    await page.waitForURL((url) => !url.searchParams.has('view'));
    await page.keyboard.press('Control+Shift+l');
    await page.getByText('Link copied').waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toMatch(/[?&]n=[0-9a-f]{16}/);

    const details = page.getByRole('complementary', { name: 'Details' });
    await details
      .getByText(/^above \d+ of \d+ siblings/)
      .first()
      .waitFor();
    const list = details.getByRole('button', { name: 'Show the list' });
    await list.focus();
    await page.keyboard.press('Enter');
    const keywords = details.getByRole('listbox', { name: /^All keywords of / });
    await keywords.getByRole('option').first().waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    // explore/keywords-copied
    await page.getByText(/^\d+ keywords copied$/).waitFor();
    const lines = (await page.evaluate<string>('navigator.clipboard.readText()')).split('\n');
    expect(lines[0]).toBe(await firstOf(page));
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.waitForURL(/[?&]sel=[0-9a-f]{16}/);

    await tabTo(page, 'application');
    await page.keyboard.press('Control+Shift+E');
    await page.getByRole('menuitem', { name: 'Export…' }).waitFor();
    await expect.poll(() => focusedRole(page)).toMatch(/^menu/);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^CSV: “/ }).waitFor();
    const coming = page.waitForEvent('download');
    for (let presses = 0; presses < 20 && !/^CSV: “/.test(await focusedName(page)); presses++)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect((await coming).suggestedFilename()).toMatch(/\.csv$/);
  });
});

type AxNode = {
  readonly nodeId: string;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
  readonly backendDOMNodeId?: number;
  readonly properties?: readonly {
    name: string;
    value: { value?: unknown; relatedNodes?: { backendDOMNodeId: number }[] };
  }[];
};

/** The active descendant of the focused widget as a screen reader gets it: role, name, level, position, state. */
async function heard(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  try {
    await session.send('Accessibility.enable');
    const { nodes } = (await session.send('Accessibility.getFullAXTree')) as { nodes: readonly AxNode[] };
    const property = (node: AxNode | undefined, name: string) =>
      node?.properties?.find((one) => one.name === name)?.value;
    const focused = nodes.find(
      (node) => property(node, 'activedescendant') && property(node, 'focused')?.value === true,
    );
    const id = property(focused, 'activedescendant')?.relatedNodes?.[0]?.backendDOMNodeId;
    const twin = nodes.find((node) => id !== undefined && node.backendDOMNodeId === id);
    if (!twin) return 'nothing';
    const place = await page.evaluate<string>(
      `((line) => line.ariaPosInSet + ' of ' + line.ariaSetSize)(document.getElementById(document.activeElement.getAttribute('aria-activedescendant')))`,
    );
    const open = property(twin, 'expanded')?.value;
    const said = [
      `${twin.role?.value} ${twin.name?.value}`,
      `level ${property(twin, 'level')?.value}`,
      place,
      ...(open === undefined ? [] : [open ? 'expanded' : 'collapsed']),
    ];
    return said.join(' | ');
  } finally {
    await session.detach();
  }
}

/** The role or tag name of the focused element; `nothing` if only the page has the focus. */
const focusedRole = (page: Page) =>
  page.evaluate<string>(`((one) =>
    one === null || one === document.body ? 'nothing' : (one.getAttribute('role') ?? one.localName))(document.activeElement)`);

/** Presses Tab until a widget of this role has the focus. */
async function tabTo(page: Page, role: string): Promise<void> {
  for (let presses = 0; presses < 60 && (await focusedRole(page)) !== role; presses++) await page.keyboard.press('Tab');
  expect(await focusedRole(page)).toBe(role);
}

/** Presses Tab until the focused element has this name. */
async function tabToNamed(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60 && (await focusedName(page)) !== name; presses++) await page.keyboard.press('Tab');
  expect(await focusedName(page)).toBe(name);
}

const focusedName = (page: Page) =>
  page.evaluate<string>(
    `((one) => (one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent).trim())(document.activeElement)`,
  );

const firstOf = (page: Page) =>
  page.evaluate<string>(`document.querySelector('[role=listbox] [role=option] span').textContent`);
