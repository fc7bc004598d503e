import type { Refusal } from './result.ts';

/** A text for each code; a text with figures or names is a function of its parameters. */
type Catalogue = Readonly<Record<string, string | ((params: never) => string)>>;
type Parameters<Text> = Text extends (params: infer P) => string ? [params: P] : [];

/** The two functions that turn codes of a catalogue into text. */
export function speechOf<C extends Catalogue>(catalogue: C) {
  const textOf = (code: keyof C, params: unknown) => {
    const text = catalogue[code] as string | ((params: unknown) => string);
    return typeof text === 'string' ? text : text(params);
  };
  return {
    /** The text of a code. The compiler requires exactly the parameters it needs. */
    say<Code extends keyof C>(code: Code, ...params: Parameters<C[Code]>): string {
      return textOf(code, params[0]);
    },

    /** The text of a refusal from the server; an unknown code is shown unchanged. */
    sayRefusal({ code, params }: Refusal): string {
      return Object.hasOwn(catalogue, code) ? textOf(code, params ?? {}) : code;
    },
  };
}
