import type { ExplorerStore } from './explorer-state.ts';

/**
 * Defers panel updates until after the canvas frame.
 *
 * The canvas responds to input in the next frame. Lists and figures around it update in a separate task, once for all
 * changes made by then. A slow browser handles both clicks of a double click in one task; without batching, outline and
 * details would render twice.
 */
export function createDeferredState({ subscribe }: ExplorerStore) {
  const listeners = new Set<() => void>();
  let isDoing = false;
  let isBehind = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Notifies listeners now if an update is pending. */
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
    // A different filter changes which node a row refers to, so lists must update at once.
    if (!isWaited || now.filtering !== before.filtering) catchUp();
  });

  return {
    subscribe(tell: () => void): () => void {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    /** Runs an action and notifies listeners in a separate task. */
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
