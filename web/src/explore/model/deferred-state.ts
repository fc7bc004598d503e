import type { ExplorerStore } from './explorer-state.ts';

/**
 * When the lists and figures around the picture are told of the state.
 *
 * What somebody does to the picture shows there at the next frame; all that is written around it follows in a task of its
 * own, once for everything done by then. A browser that is late handles both clicks of a double one in one task, in which
 * outline and details would be written twice.
 */
export function createDeferredState({ subscribe }: ExplorerStore) {
  const listeners = new Set<() => void>();
  let isDoing = false;
  let isBehind = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Tells now what was not told yet. */
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
    // Under another filter rows are other nodes: no list may lag behind that.
    if (!isWaited || now.filtering !== before.filtering) catchUp();
  });

  return {
    subscribe(tell: () => void): () => void {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    /** Does something now, of which is told in a task of its own. */
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
