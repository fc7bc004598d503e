import { useCallback, useEffect, useRef, useState } from 'react';

/**
 * Calls `onEnd` once `lifeMs` have passed during which the element was not hovered, focused or hidden.
 *
 * @param lifeMs `undefined` to never dismiss
 * @returns whether the timer is running, and props to spread on the element
 */
export function useDismissTimer(lifeMs: number | undefined, onEnd: () => void) {
  const [held, setHeld] = useState({ hover: false, focus: false, hidden: document.hidden });
  const life = useRef(newDismissTimer(lifeMs ?? 0, performance.now()));
  const end = useRef(onEnd);
  end.current = onEnd;
  const running = lifeMs !== undefined && !held.hover && !held.focus && !held.hidden;

  useEffect(() => {
    const onVisibility = () => setHeld((now) => ({ ...now, hidden: document.hidden }));
    document.addEventListener('visibilitychange', onVisibility);
    return () => document.removeEventListener('visibilitychange', onVisibility);
  }, []);

  // Runs before the effect below: a timer that starts later starts with the full time.
  useEffect(() => {
    life.current = newDismissTimer(lifeMs ?? 0, performance.now());
  }, [lifeMs]);

  useEffect(() => {
    if (!running) return;
    life.current = resume(life.current, performance.now());
    const timer = setTimeout(() => end.current(), leftOf(life.current, performance.now()));
    return () => {
      clearTimeout(timer);
      life.current = pause(life.current, performance.now());
    };
  }, [running]);

  const set = useCallback((change: Partial<typeof held>) => setHeld((now) => ({ ...now, ...change })), []);
  return {
    running,
    holders: {
      onPointerEnter: () => set({ hover: true }),
      onPointerLeave: () => set({ hover: false }),
      onFocus: () => set({ focus: true }),
      onBlur: () => set({ focus: false }),
    },
  };
}

/**
 * The remaining time of something that dismisses itself, paused while somebody is reading it.
 *
 * `leftMs` was the remaining time at `sinceMs`; while `running`, it counts down from there.
 */
type DismissTimer = { readonly leftMs: number; readonly running: boolean; readonly sinceMs: number };

export const newDismissTimer = (leftMs: number, nowMs: number): DismissTimer => ({
  leftMs,
  running: true,
  sinceMs: nowMs,
});

export function pause(life: DismissTimer, nowMs: number): DismissTimer {
  return life.running ? { leftMs: leftOf(life, nowMs), running: false, sinceMs: nowMs } : life;
}

export function resume(life: DismissTimer, nowMs: number): DismissTimer {
  return life.running ? life : { ...life, running: true, sinceMs: nowMs };
}

export function leftOf(life: DismissTimer, nowMs: number): number {
  return life.running ? Math.max(0, life.leftMs - (nowMs - life.sinceMs)) : life.leftMs;
}
