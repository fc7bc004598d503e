import { type Refusal, toRefusal } from './result.ts';

/** Texts by code. A text with figures or names is a function of its parameters. */
type Catalogue = Readonly<Record<string, string | ((params: never) => string)>>;
/** The arguments after the code: the parameters of its text, or none for a fixed text. */
type Parameters<Text> = Text extends (params: infer P) => string ? [params: P] : [];

/**
 * The functions that turn codes into texts: `say` for codes in the source, `sayRefusal` for those of the server, `sayError`
 * for what a failed call throws.
 */
export function textsOf<C extends Catalogue>(catalogue: C) {
  const textOf = (code: keyof C, params: unknown) => {
    const text = catalogue[code] as string | ((params: unknown) => string);
    return typeof text === 'string' ? text : text(params);
  };
  /** The text of a refusal from the server. A code that is not in the catalogue is shown unchanged. */
  const sayRefusal = ({ code, params }: Refusal): string =>
    Object.hasOwn(catalogue, code) ? textOf(code, params ?? {}) : code;
  return {
    /** The text of a code. The compiler requires exactly the parameters that the text needs. */
    say<Code extends keyof C>(code: Code, ...params: Parameters<C[Code]>): string {
      return textOf(code, params[0]);
    },

    sayRefusal,

    /** The text of the refusal that a failed call stands for. */
    sayError: (error: unknown): string => sayRefusal(toRefusal(error)),
  };
}
