import { expect } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { mouse, type Point } from './mouse.ts';
import { address, openApp } from './open-app.tsx';

/** The chart. */
export const picture = page.getByRole('application');
export const outline = page.getByRole('tree', { name: 'Outline' });
export const details = page.getByRole('complementary', { name: 'Details' });
export const activeFilters = page.getByRole('region', { name: 'Active filters' });

/** The line of a node in the outline, by its name. */
export const line = (name: string): Locator => outline.getByRole('treeitem', { name: new RegExp(`^${name} ,`) });

/** What the address says, `null` if nothing. */
export const inAddress = (name: string): string | null => new URLSearchParams(location.search).get(name);

/** Waits until the address says this; `null` is nothing. */
export const addressSays = (name: string, value: string | null | RegExp): Promise<void> => {
  const said = expect.poll(() => inAddress(name), { message: `${name} in the address` });
  return value instanceof RegExp ? said.toMatch(value) : said.toBe(value);
};

/** Gives a control the keyboard, once it is there. */
export async function focus(control: Locator): Promise<void> {
  await expect.element(control).toBeInTheDocument();
  (control.element() as HTMLElement).focus();
}

/** Presses keys while the chart has the keyboard. */
export async function pressInPicture(keys: string): Promise<void> {
  await focus(picture);
  await userEvent.keyboard(keys);
}

export const shows = (text: string | RegExp): Promise<void> => expect.element(page.getByText(text)).toBeVisible();
export const isGone = (what: Locator): Promise<void> => expect.element(what).not.toBeInTheDocument();

/** Loads the page again, with what the browser and the server have stored. */
export async function reload(): Promise<void> {
  await openApp(address(), { as: 'approved' });
  await isOpen();
}

/** Opens another address of the explorer, as a link does. */
export async function follow(search: string): Promise<void> {
  await openApp(`/visualization${search}`, { as: 'approved' });
  await isOpen();
}

/** Waits until the explorer shows its chart, or its table. */
export async function isOpen(): Promise<void> {
  const table = page.getByRole('treegrid').or(page.getByRole('grid'));
  await expect.element(picture.or(table).first()).toBeVisible();
}

/** From the pointer to the card beside it, in CSS pixels. */
const distance = 14;

/**
 * Rests the pointer on the chart, at shares of its width and height, and returns what the card beside it says. At every
 * point of a treemap a card opens. A card that is not beside the pointer is still that of the point before.
 */
export async function cardAt(x: number, y: number): Promise<string> {
  const frame = picture.element().getBoundingClientRect();
  const at = { x: frame.left + x * frame.width, y: frame.top + y * frame.height };
  // A pointer that does not move fires no event.
  await mouse.move({ x: at.x + 3, y: at.y });
  await mouse.move(at);
  await expect.poll(() => cardBeside(at), { message: `a card at ${x}, ${y}` }).not.toBeNull();
  return cardBeside(at)!;
}

function cardBeside({ x }: Point): string | null {
  const card = document.querySelector<HTMLElement>('[role=tooltip]');
  if (!card) return null;
  const { left, right } = card.getBoundingClientRect();
  const edges = [
    left - (x + distance),
    right - (x - distance),
    left - card.parentElement!.getBoundingClientRect().left - 4,
  ];
  return edges.some((px) => Math.abs(px) < 1) ? card.innerText : null;
}
