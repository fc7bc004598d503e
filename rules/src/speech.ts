import type { Refusal } from './result.ts';

/** A text of each code; one that says a figure or a name is made of its parameters. */
type Catalogue = Readonly<Record<string, string | ((params: never) => string)>>;
type Parameters<Text> = Text extends (params: infer P) => string ? [params: P] : [];

/** The two ways to say something of a catalogue. */
export function speechOf<C extends Catalogue>(catalogue: C) {
  const textOf = (code: keyof C, params: unknown) => {
    const text = catalogue[code] as string | ((params: unknown) => string);
    return typeof text === 'string' ? text : text(params);
  };
  return {
    /** The text of a code. The compiler asks for exactly the parameters it needs. */
    say<Code extends keyof C>(code: Code, ...params: Parameters<C[Code]>): string {
      return textOf(code, params[0]);
    },

    /** The text of a refusal that came over the wire; an unknown code is shown as it is (spec §8 "any unmapped code"). */
    sayRefusal({ code, params }: Refusal): string {
      return Object.hasOwn(catalogue, code) ? textOf(code, params ?? {}) : code;
    },
  };
}
