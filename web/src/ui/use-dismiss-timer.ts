import { useCallback, useEffect, useRef, useState } from 'react';
import { leftOf, newDismissTimer, pause, resume } from './dismiss-timer.ts';

/**
 * Calls `onEnd` once `lifeMs` have passed in which nobody hovered, focused or had hidden the thing.
 *
 * @param lifeMs `undefined` for something that stays
 * @returns whether it runs now, and the properties to spread on the thing
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

  // Before the effect below: a lifetime that starts later starts whole.
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
