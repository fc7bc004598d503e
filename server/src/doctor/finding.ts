/** What a check of a deployment found. A `problem` keeps something from working; a `warning` is worth a look. */
export type Finding = {
  readonly kind: 'ok' | 'warning' | 'problem';
  /** What was checked, in one or two words. */
  readonly about: string;
  /** A sentence: what is there, and what to do about it. */
  readonly text: string;
};

export type Check = () => Promise<readonly Finding[]>;

export const ok = (about: string, text: string): Finding => ({ kind: 'ok', about, text });
export const warning = (about: string, text: string): Finding => ({ kind: 'warning', about, text });
export const problem = (about: string, text: string): Finding => ({ kind: 'problem', about, text });

/** An error in one line. Those of Node's network calls have no message of their own. */
export function sentenceOf(error: unknown): string {
  if (error instanceof AggregateError) return sentenceOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : ` (${sentenceOf(error.cause)})`;
  return `${error.message || error.name}${cause}`.split('\n')[0]!;
}

export const amount = (bytes: number): string =>
  bytes >= 2 ** 30 ? `${(bytes / 2 ** 30).toFixed(1)} GiB` : `${Math.round(bytes / 2 ** 20)} MiB`;
