import type { Page } from 'playwright-core';

/** One event of an interaction as the browser times it: from the input to the next frame on screen. */
export type TimedEvent = { readonly name: string; readonly ms: number; readonly interaction: number };

declare global {
  var timedEvents: TimedEvent[];
}

/** Times every interaction on all pages opened from now on. */
export async function timeInteractions(page: Page): Promise<void> {
  await page.addInitScript(() => {
    globalThis.timedEvents = [];
    const note = (entry: PerformanceEventTiming & { readonly interactionId?: number }) => {
      const { name, duration, interactionId = 0 } = entry;
      if (interactionId > 0) globalThis.timedEvents.push({ name, ms: duration, interaction: interactionId });
    };
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) note(entry as PerformanceEventTiming);
    });
    // 16 is the minimum that the browser allows; faster interactions are not reported.
    observer.observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  });
}

/** The events since the last call. */
export function takeTimedEvents(page: Page): Promise<TimedEvent[]> {
  return page.evaluate(() => globalThis.timedEvents.splice(0));
}

/**
 * Interaction to Next Paint: the longest of all interactions, ignoring one in fifty.
 *
 * @param interactions the total number, including those too fast to be reported
 * Source: https://web.dev/articles/inp
 */
export function inpOf(events: readonly TimedEvent[], interactions: number): number {
  const longest = new Map<number, number>();
  for (const { interaction, ms } of events) longest.set(interaction, Math.max(ms, longest.get(interaction) ?? 0));
  const slowestFirst = [...longest.values()].sort((a, b) => b - a);
  return slowestFirst[Math.floor(interactions / 50)] ?? 0;
}
