export type IdleTimer = {
  /** Call this on every activity. */
  refresh(): void;
  /** Stops waiting. */
  end(): void;
};

/** Calls `onIdle` after this many milliseconds without activity; again after each refresh, never after `end`. */
export function idleTimer(milliseconds: number, onIdle: () => void): IdleTimer {
  let timer: NodeJS.Timeout | undefined = setTimeout(onIdle, milliseconds).unref();
  return {
    refresh: () => void timer?.refresh(),
    end() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
