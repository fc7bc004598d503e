/**
 * Why a text is not a valid formula. `at` is the first character concerned, counted from 1, and `length` the number of
 * characters; at the end of the text the length is 0. Characters are code points.
 */
export type FormulaProblem = { readonly at: number; readonly length: number } & ProblemKind;

type ProblemKind =
  | { readonly kind: 'empty' }
  /** A character or word that cannot be here. */
  | { readonly kind: 'unexpected'; readonly text: string }
  /** The text ends where a number, a name or a bracket must follow. */
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'percent' }
  /** `suggestion` is what to write instead, if there is something close. */
  | { readonly kind: 'unknown-name' | 'unknown-function'; readonly text: string; readonly suggestion?: string }
  /** A known figure, or a field, that the file does not have. */
  | { readonly kind: 'missing-figure'; readonly text: string; readonly suggestion?: string }
  | {
      readonly kind: 'arguments';
      readonly text: string;
      readonly least: number;
      readonly most: number;
      readonly given: number;
    }
  /** The argument of a function that must be a figure, a text, or a number without figures. */
  | { readonly kind: 'not-a-figure' | 'not-a-text' | 'not-a-number'; readonly text: string }
  | { readonly kind: 'missing-bracket' | 'unclosed-text' }
  | { readonly kind: 'number-too-large' }
  | { readonly kind: 'too-long' | 'too-many-parts' | 'too-deep'; readonly most: number };

/** Thrown only inside the parser, which returns the problem as a value. */
export class FormulaRefused extends Error {
  readonly problem: FormulaProblem;

  constructor(problem: FormulaProblem) {
    super(problem.kind);
    this.problem = problem;
  }
}

export function refuseAt(place: { readonly at: number; readonly length: number }, what: ProblemKind): never {
  throw new FormulaRefused({ at: place.at, length: place.length, ...what } as FormulaProblem);
}
