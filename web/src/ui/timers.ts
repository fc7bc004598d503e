import { useCallback, useEffect, useRef, useState } from 'react';

/** The current time in ms since 1970 or by another clock, read again every so often. @param isOn whether it runs */
export function useNow(everyMs: number, clock: () => number = Date.now, isOn = true): number {
  const [now, setNow] = useState(clock);
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => setNow(clock()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, clock, isOn]);
  return now;
}

/** Whether something has been on for so long. */
export function useAfter(ms: number, isOn = true): boolean {
  const [hasPassed, setPassed] = useState(false);
  useEffect(() => {
    if (!isOn) return setPassed(false);
    const timer = setTimeout(() => setPassed(true), ms);
    return () => clearTimeout(timer);
  }, [ms, isOn]);
  return isOn && hasPassed;
}

/** A value once it has been the same for a while; the first one at once. */
export function useRested<T>(value: T, ms: number): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return rested;
}

/**
 * Calls `onEnd` once `lifeMs` have passed during which the element was not hovered, focused or hidden.
 *
 * @param lifeMs `undefined` to never dismiss
 * @param kept what is left of the time, in milliseconds, for an element that is rendered again in another place
 * @returns whether the timer is running, and props to spread on the element
 */
export function useDismissTimer(lifeMs: number | undefined, onEnd: () => void, kept?: { current: number }) {
  const [paused, setPaused] = useState({ hover: false, focus: false, hidden: document.hidden });
  const set = useCallback((change: Partial<typeof paused>) => setPaused((now) => ({ ...now, ...change })), []);
  const own = useRef(lifeMs ?? 0);
  const leftMs = kept ?? own;
  const end = useRef(onEnd);
  end.current = onEnd;
  const running = lifeMs !== undefined && !paused.hover && !paused.focus && !paused.hidden;

  useEffect(() => {
    const onVisibility = () => set({ hidden: document.hidden });
    document.addEventListener('visibilitychange', onVisibility);
    return () => document.removeEventListener('visibilitychange', onVisibility);
  }, [set]);

  // Runs before the effect below: a timer that starts later starts with the full time.
  useEffect(() => {
    own.current = lifeMs ?? 0;
  }, [lifeMs]);

  useEffect(() => {
    if (!running) return;
    const since = performance.now();
    const timer = setTimeout(() => end.current(), leftMs.current);
    return () => {
      clearTimeout(timer);
      leftMs.current = Math.max(0, leftMs.current - (performance.now() - since));
    };
  }, [running, leftMs]);

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
