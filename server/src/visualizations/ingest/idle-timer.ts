export type IdleTimer = {
  /** Something happened. */
  refresh(): void;
  /** Nothing is waited for any more. */
  end(): void;
};

/** Calls `onIdle` once nothing has happened for so many milliseconds; again after each refresh, never after its end. */
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
