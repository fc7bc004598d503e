/**
 * How much of a limited life is left, for things that vanish by themselves unless somebody is reading them.
 *
 * `leftMs` was true at `sinceMs`; while `running` it counts down from there.
 */
export type DismissTimer = { readonly leftMs: number; readonly running: boolean; readonly sinceMs: number };

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
