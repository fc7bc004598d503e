import { limits } from './limits.ts';

/** What people save under names: the refusals about each kind, and how many a person may have; of views, for the same data. */
export const savedKinds = {
  view: {
    missing: 'visualization/view-not-found',
    unnamed: 'visualization/view-unnamed',
    full: 'visualization/views-full',
    max: limits.maxSavedViews,
  },
  filter: {
    missing: 'filter/preset-not-found',
    unnamed: 'filter/preset-unnamed',
    full: 'filter/presets-full',
    max: limits.maxPresets,
  },
  score: {
    missing: 'score/not-found',
    unnamed: 'score/unnamed',
    full: 'score/full',
    max: limits.maxPresets,
  },
} as const;
export type SavedKind = keyof typeof savedKinds;

/** The decoded format of each value. It says nothing about its meaning. */
const values: Readonly<Record<string, RegExp>> = {
  view: /^[a-z]{1,20}$/,
  n: /^[0-9a-f]{16}$/,
  sel: /^(?=.)(?:[0-9a-f]{16})?(?:\.[0-9a-f]{16}){0,8}$/,
  d: /^(?:auto|[1-9]|all)$/,
  score: /^(?:branch|sum|mean|max)\..{1,520}$/su,
  color: /^.{1,400}$/su,
  size: /^.{1,400}$/su,
  steps: /^(?:even|log)$/,
  x: /^.{1,400}$/su,
  y: /^.{1,400}$/su,
  tx: /^-?\d{1,15}(?:\.\d{1,17})?(?:e[+-]?\d{1,3})?$/,
  ty: /^-?\d{1,15}(?:\.\d{1,17})?(?:e[+-]?\d{1,3})?$/,
  xs: /^(?:even|log)$/,
  ys: /^(?:even|log)$/,
  q: /^.{1,400}$/su,
  match: /^(?:any|phrase|regex)$/,
  f: /^.{1,4000}$/su,
  rest: /^faint$/,
  vs: /^[\w-]{1,64}$/,
  ct: /^\d{1,6}(?:\.\d{1,3})?(?:_\d{1,9}(?:\.\d{1,3})?){3}$/,
  gone: /^0$/,
  changes: /^[a-z]{1,20}(?:\.[a-z-]{1,20})?$/,
  in: /^[0-9a-f]{16}$/,
  panel: /^[a-z]{1,20}$/,
  level: /^(?:tree|pillars|clusters|subtopics|keywords|plan)$/,
  sort: /^.{1,2000}$/su,
  cols: /^.{1,2000}$/su,
  rows: /^[0-9a-f]{16}(?:\.[0-9a-f]{16}){0,49}$/,
  plan: /^.{1,2000}$/su,
  cam: /^-?[\d.]{1,24}(?:,-?[\d.]{1,24}){2,4}$/,
};

/** Values as `URLSearchParams` writes them: without characters of markup, of a path or of another site's address. */
const encoded = /^(?:[\w*.+-]|%[\dA-F]{2})+$/;

/**
 * The part of the explorer's address that a saved view stores: what is shown and how, each parameter once, in their
 * order. The visualization and the theme are not part of it; other parameters are dropped.
 *
 * @param search the address from its question mark, or without that
 */
export function viewStateIn(search: string): string {
  const params = new Map<string, string>();
  for (const pair of search.replace(/^\?/, '').split('&')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, at));
    if (Object.hasOwn(values, name) && !params.has(name) && isValue(name, pair.slice(at + 1))) params.set(name, pair);
  }
  return [...params.values()].join('&');
}

/** Whether a text could be a result of {@link viewStateIn} and is not too long. The empty text is the plain view. */
export const isViewState = (text: string): boolean =>
  text.length <= limits.maxViewStateLength && viewStateIn(text) === text;

function isValue(name: string, text: string): boolean {
  if (!encoded.test(text)) return false;
  try {
    return values[name]!.test(decodeURIComponent(text.replaceAll('+', ' ')));
  } catch (error) {
    // Percent signs that are not valid UTF-8.
    if (error instanceof URIError) return false;
    throw error;
  }
}

/** A view's name in one line, without invisible characters; empty if nothing is left. */
export const cleanViewName = (name: string): string =>
  name
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, '')
    .trim();

/**
 * A list with the named items moved to the front, in the order in which they are named; the others keep their order.
 */
export function ordered(all: readonly string[], first: readonly string[]): string[] {
  const named = [...new Set(first)].filter((id) => all.includes(id));
  return [...named, ...all.filter((id) => !named.includes(id))];
}
