import type { RunningServer } from '../server.ts';

/** A browser engine that the main stories are told in. */
export type Engine = {
  readonly name: string;
  /** Whether it is installed. */
  readonly isThere: boolean;
  /** Said where it is not. */
  readonly howToGetIt: string;
  /** Starts it with a profile of its own. */
  open(server: RunningServer): Promise<Tab>;
};

/** The one tab of a running engine: the least that `steps.ts` needs of a driver. */
export type Tab = {
  goto(address: string): Promise<void>;
  /** Runs the body of a function in the page and returns what it returns, which JSON can say. */
  run<T>(body: string): Promise<T>;
  /** Runs the body of a function in the page and holds the element that it returns. */
  element(body: string): Promise<Handle | undefined>;
  /** Presses a key where the focus is: `Enter`, `Control+v`. */
  press(key: string): Promise<void>;
  /** The folder that its downloads go to. */
  readonly downloads: string;
  /** Console errors and warnings, uncaught errors and policy violations so far. */
  problems(): Promise<readonly string[]>;
  /** Ends the engine and removes its profile. */
  close(): Promise<void>;
};

/** An element, acted on as a person would. */
export type Handle = {
  click(): Promise<void>;
  /** Types at the end of what the element holds. */
  type(text: string): Promise<void>;
  /** Chooses a file in a file input. */
  choose(path: string): Promise<void>;
};

export const viewport = { width: 1440, height: 900 };

/** Makes a console error of everything that the policy of the page refuses. Runs before the scripts of a page. */
export const reportViolations = `addEventListener('securitypolicyviolation', (event) =>
  console.error('policy violation: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));`;

/** The body of a function as an expression that calls it. */
export const called = (body: string): string => `(() => {${body}})()`;
