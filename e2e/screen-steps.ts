import type { Page } from 'playwright-core';
import { type Section, specified } from '../tools/specified-texts.ts';
import type { Role } from './visitor.ts';

/** The sections of the specification with texts that are always on a screen. */
type DrawnSection = {
  [S in keyof typeof specified]: (typeof specified)[S] extends { readonly onScreen: object } ? S : never;
}[keyof typeof specified];
export const drawnSections = (Object.entries(specified) as [DrawnSection, Section][])
  .filter(([, { onScreen }]) => onScreen)
  .map(([section]) => section);

/** A screen, or an overlay of it, that must be accessible. */
export type Screen = {
  readonly name: string;
  readonly as: Role | 'stranger';
  readonly path: string;
  /** Waits for the screen and opens its overlay. `wide`: with the header's menu and tables. */
  readonly open: (page: Page, wide: boolean) => Promise<unknown>;
  /** Only where users are listed in tables with all their buttons. */
  readonly wideOnly?: true;
  /** Only below the width from which the header has a menu. */
  readonly narrowOnly?: true;
  /** Not in a window lower than 600 px. */
  readonly tallOnly?: true;
  /** An overlay that handles Tab itself. */
  readonly overlay?: true;
  /** The section of the specification whose texts it shows. */
  readonly texts?: DrawnSection;
  /** Also checked as for somebody who asks the system for more contrast: on panels, or on the night sky. */
  readonly contrast?: true | 'sky';
  /** Needs a page that was just loaded, and leaves one that has to be loaded again. */
  readonly alone?: true;
  /** Replaces answers of the server before the page is loaded, for a screen that is `alone`. */
  readonly prepare?: (page: Page) => Promise<unknown>;
};

export const heading = (name: string) => (page: Page) => page.getByRole('heading', { name, exact: true }).waitFor();
export const text = (name: string) => (page: Page) => page.getByText(name).first().waitFor();
export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
export const answer = (page: Page, url: string, json: object) => page.route(url, (route) => route.fulfill({ json }));

/** Opens the user menu, or on a phone the sheet in its place. */
export async function personMenu(page: Page, wide: boolean): Promise<void> {
  await page.getByRole('banner').waitFor();
  if (!wide) return press(page, 'Menu');
  await page.getByRole('banner').getByRole('button', { expanded: false }).last().click();
  await page.getByRole('menuitem', { name: 'Sign Out', exact: true }).waitFor();
}

/** Hovers over the message, because it would disappear otherwise. */
export const errorOf = async (page: Page) => page.getByRole('alert').first().hover();
