import type { Page } from 'playwright-core';
import type { Role } from './visitor.ts';

/** A screen, or an overlay of it, that must be accessible. */
export type Screen = {
  readonly name: string;
  readonly as: Role | 'stranger';
  readonly path: string;
  /** Waits for the screen and opens its overlay. `wide`: with the header's menu and tables. */
  readonly open: (page: Page, wide: boolean) => Promise<unknown>;
  /** Only where users are listed in tables with all their buttons. */
  readonly wideOnly?: true;
  /** Not in a window lower than 600 px. */
  readonly tallOnly?: true;
  /** An overlay that handles Tab itself. */
  readonly overlay?: true;
};

export const heading = (name: string) => (page: Page) => page.getByRole('heading', { name, exact: true }).waitFor();
export const text = (name: string) => (page: Page) => page.getByText(name).first().waitFor();
export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
export const answer = (page: Page, url: string, json: object) => page.route(url, (route) => route.fulfill({ json }));
