import { onTestFinished } from 'vitest';
import { page } from 'vitest/browser';

/** Gives the window another size until the end of the test, in CSS pixels. */
export async function resize(width: number, height: number): Promise<void> {
  await page.viewport(width, height);
  onTestFinished(() => page.viewport(1440, 900));
}
export const toPhone = (): Promise<void> => resize(390, 844);
