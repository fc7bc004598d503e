import type { ExplorerStore } from './explorer-state.ts';

/**
 * Defers panel updates until after the canvas frame.
 *
 * A change made in the chart is drawn in the next frame. Panels update in a task of their own, once for all changes
 * made by then. A browser under load handles both clicks of a double click in one task and would otherwise render
 * outline and details twice.
 */
export function createDeferredState({ subscribe }: ExplorerStore) {
  const listeners = new Set<() => void>();
  let isDoing = false;
  let isBehind = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Publishes pending changes now. */
  function catchUp(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!isBehind) return;
    isBehind = false;
    for (const tell of listeners) tell();
  }

  subscribe((now, before) => {
    isBehind = true;
    const isWaited = isDoing || timer !== undefined;
    // A filter change renumbers the rows, so no list may lag behind it.
    if (!isWaited || now.filtering !== before.filtering) catchUp();
  });

  return {
    subscribe(tell: () => void): () => void {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    /** Applies a change now and publishes it in a task of its own. */
    follow(act: () => void): void {
      isDoing = true;
      try {
        act();
      } finally {
        isDoing = false;
        if (isBehind) timer ??= setTimeout(catchUp);
      }
    },
    catchUp,
  };
}
