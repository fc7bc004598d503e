import { onTestFinished } from 'vitest';
import { cdp } from 'vitest/browser';

/** What people ask their system for, by the media feature that tells a page. */
type Wishes = { readonly 'prefers-contrast'?: 'more'; readonly 'forced-colors'?: 'active' };

const withoutMotion = { name: 'prefers-reduced-motion', value: 'reduce' };
const emulate = (features: readonly { readonly name: string; readonly value: string }[]) =>
  cdp().send('Emulation.setEmulatedMedia', { features: [withoutMotion, ...features] });

/** The system asks for this until the end of the test, or until the next call. */
export async function ask(wishes: Wishes): Promise<void> {
  await emulate(Object.entries(wishes).map(([name, value]) => ({ name, value })));
  onTestFinished(async () => {
    await emulate([]);
  });
}
