export type Capability = { readonly name: string; readonly works: boolean };

/** What the product uses of a browser, and whether this one has it. */
export function capabilitiesOf(browser: typeof globalThis): readonly Capability[] {
  return [
    { name: 'Workers', works: 'Worker' in browser },
    { name: 'Drawing off the main thread', works: 'OffscreenCanvas' in browser },
    { name: 'Live events', works: 'EventSource' in browser },
    { name: 'Page transitions', works: 'startViewTransition' in browser.document },
    { name: 'Local storage', works: storageWorks(browser) },
  ];
}

/** A browser that keeps nothing throws already when it is asked for the storage. */
function storageWorks(browser: typeof globalThis): boolean {
  try {
    return browser.localStorage.length >= 0;
  } catch {
    return false;
  }
}
