import type { BinaryOperator } from './expression.ts';

/** How strongly each operator binds, for reading a formula and for writing one. */
export const strengths: Readonly<Record<BinaryOperator, number>> = {
  or: 1,
  and: 2,
  '=': 4,
  '!=': 4,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '^': 8,
};
export const [notStrength, compareStrength, signStrength, powerStrength] = [3, 4, 7, 8] as const;
