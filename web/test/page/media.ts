import { onTestFinished } from 'vitest';
import { cdp } from 'vitest/browser';

/** By the media feature that tells a page. */
type Media = {
  readonly 'prefers-reduced-motion'?: 'no-preference';
  readonly 'prefers-contrast'?: 'more';
  readonly 'forced-colors'?: 'active';
};

/** What the person asks the system for, until the end of the test or the next call. Otherwise motion is off. */
export async function asksFor(media: Media): Promise<void> {
  onTestFinished(() => tell({}));
  await tell(media);
}

async function tell(media: Media): Promise<void> {
  const all = { 'prefers-reduced-motion': 'reduce', ...media };
  const features = Object.entries(all).map(([name, value]) => ({ name, value }));
  await cdp().send('Emulation.setEmulatedMedia', { features });
}
