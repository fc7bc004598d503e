import type { Page } from 'playwright-core';

/** One event of an interaction as the browser times it: from the input to the next picture on the screen. */
export type TimedEvent = { readonly name: string; readonly ms: number; readonly interaction: number };

declare global {
  var timedEvents: TimedEvent[];
}

/** Times every interaction on all pages that are opened from now on. */
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
    // 16 is the least that the browser allows; what is quicker is not told of.
    observer.observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  });
}

/** What was timed since the last call. */
export function takeTimedEvents(page: Page): Promise<TimedEvent[]> {
  return page.evaluate(() => globalThis.timedEvents.splice(0));
}

/**
 * Interaction to Next Paint: the longest of all interactions, but for one in fifty.
 *
 * @param interactions how many there were, those too quick to be told of among them
 * Source: https://web.dev/articles/inp
 */
export function inpOf(events: readonly TimedEvent[], interactions: number): number {
  const longest = new Map<number, number>();
  for (const { interaction, ms } of events) longest.set(interaction, Math.max(ms, longest.get(interaction) ?? 0));
  const slowestFirst = [...longest.values()].sort((a, b) => b - a);
  return slowestFirst[Math.floor(interactions / 50)] ?? 0;
}
