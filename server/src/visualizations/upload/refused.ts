import type { Refusal } from '@kc/rules/result';

/** A refusal thrown through tus, with the status of its response. */
export class Refused extends Error {
  readonly status: number;
  readonly refusal: Refusal;
  constructor(status: number, refusal: Refusal) {
    super(refusal.code);
    this.status = status;
    this.refusal = refusal;
  }
}
