import { limits } from './limits.ts';

/** What stands for a value, decoded: what it looks like, not whether it means something. */
const values: Readonly<Record<string, RegExp>> = {
  view: /^[a-z]{1,20}$/,
  n: /^[0-9a-f]{16}$/,
  sel: /^(?=.)(?:[0-9a-f]{16})?(?:\.[0-9a-f]{16}){0,8}$/,
  d: /^(?:[1-9]|all)$/,
  color: /^.{1,400}$/su,
  size: /^.{1,400}$/su,
  steps: /^(?:even|log)$/,
  x: /^.{1,400}$/su,
  y: /^.{1,400}$/su,
  q: /^.{1,400}$/su,
  match: /^(?:any|phrase|regex)$/,
  f: /^.{1,4000}$/su,
  rest: /^faint$/,
  cam: /^-?[\d.]{1,24}(?:,-?[\d.]{1,24}){2,4}$/,
};

/** As `URLSearchParams` writes a value: no sign of markup, of a path or of another site's address is among these. */
const encoded = /^(?:[\w*.+-]|%[\dA-F]{2})+$/;

/**
 * What a saved view keeps of the explorer's address: how one looks and where, each parameter once, in their order. Which
 * visualization and how light the page is, is no part of it; whatever else stands there is left out.
 *
 * @param search the address from its question mark on, or without that
 */
export function viewStateIn(search: string): string {
  const kept = new Map<string, string>();
  for (const pair of search.replace(/^\?/, '').split('&')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, at));
    if (Object.hasOwn(values, name) && !kept.has(name) && isValue(name, pair.slice(at + 1))) kept.set(name, pair);
  }
  return [...kept.values()].join('&');
}

/** Whether a text is what {@link viewStateIn} gives, and no longer than a view may be. The empty text is the plain view. */
export const isViewState = (text: string): boolean =>
  text.length <= limits.maxViewStateLength && viewStateIn(text) === text;

function isValue(name: string, text: string): boolean {
  if (!encoded.test(text)) return false;
  try {
    return values[name]!.test(decodeURIComponent(text.replaceAll('+', ' ')));
  } catch (error) {
    // Percent signs that are no UTF-8.
    if (error instanceof URIError) return false;
    throw error;
  }
}

/** What somebody calls a view, in one line and without what cannot be seen; empty when nothing is left. */
export const cleanViewName = (name: string): string =>
  name
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, '')
    .trim();

/** A list with some of its things brought to the front, in the order they are named in; the others follow as they were. */
export function ordered(all: readonly string[], first: readonly string[]): string[] {
  const named = [...new Set(first)].filter((id) => all.includes(id));
  return [...named, ...all.filter((id) => !named.includes(id))];
}
