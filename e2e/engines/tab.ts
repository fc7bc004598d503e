import type { RunningServer } from '../server.ts';

/** A browser engine for the main stories. */
export type Engine = {
  readonly name: string;
  /** Whether it is installed. */
  readonly isInstalled: boolean;
  /** How to install it; printed if it is not installed. */
  readonly installHint: string;
  /** Starts it with a new profile. */
  open(server: RunningServer, how: How): Promise<Tab>;
};

/** Without motion, the engine asks for reduced motion; WebKit does not. */
export type How = { readonly hasMotion: boolean };

/** The single tab of a running engine: the minimal driver interface that `steps.ts` needs. */
export type Tab = {
  goto(address: string): Promise<void>;
  /** Runs a function body in the page and returns its result, which must be JSON. */
  run<T>(body: string): Promise<T>;
  /** Runs a function body in the page and keeps the element that it returns. */
  element(body: string): Promise<Handle | undefined>;
  /** Presses a key at the focus: `Enter`, `Control+v`. */
  press(key: string): Promise<void>;
  /** The download folder. */
  readonly downloads: string;
  /** Console errors and warnings, uncaught errors and policy violations so far. */
  problems(): Promise<readonly string[]>;
  /** Ends the engine and removes its profile. */
  close(): Promise<void>;
};

/** An element that can be operated like a user would. */
export type Handle = {
  click(): Promise<void>;
  /** Appends to the content of the element. */
  type(text: string): Promise<void>;
  /** Selects a file in a file input. */
  choose(path: string): Promise<void>;
};

export const viewport = { width: 1440, height: 900 };

/** Turns every policy violation into a console error. Runs before the page's scripts. */
export const reportViolations = `addEventListener('securitypolicyviolation', (event) =>
  console.error('policy violation: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));`;

/** Turns the body of a function into an expression that calls it. */
export const asCall = (body: string): string => `(() => {${body}})()`;
