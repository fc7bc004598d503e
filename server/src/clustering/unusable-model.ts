import type { Refusal } from '@kc/rules/result';

/** A model folder that cannot be used, and why. */
export class UnusableModel extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(`The model folder cannot be used: ${refusal.code}`);
    this.refusal = refusal;
  }
}
