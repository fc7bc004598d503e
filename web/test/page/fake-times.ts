import type { ServerEventName } from '../../src/session/event-stream.ts';

type Times = { readonly server: string; readonly changed: (event: ServerEventName) => number };

let server = 'one';
/** The clock of the server ticks with each answer and each change, so that a test needs no real time. */
let ticks = 0;
let changed = new Map<ServerEventName, number>();

/** The time at the server: each is later than the one before. */
export const serverTime = (): number => ++ticks;

/** What an answer says about when it was begun. */
export const readAtNow = (): string => `${server} ${serverTime()}`;

export const timesHere = (): Times => ({ server, changed: (event) => changed.get(event) ?? 0 });

/** @returns the time of the change */
export function changeHere(event: ServerEventName): number {
  const at = serverTime();
  changed.set(event, at);
  return at;
}

/** From now on nothing has changed yet. */
export function forgetChanges(): void {
  changed = new Map();
}

/** From now on another server answers, which has been told of no changes. */
export function anotherServer(): void {
  server = `${server}, another`;
  forgetChanges();
}
