import type { NamePattern, PatternProblem } from '@kc/pack/find/name-pattern';
import { useEffect, useSyncExternalStore } from 'react';

type Compiled = NamePattern | PatternProblem;

/** The engine is loaded when the first pattern is used. Patterns are kept by their text. */
let engine: typeof import('@kc/pack/find/name-pattern') | undefined;
let compiled: ReadonlyMap<string, Compiled> = new Map();
const watchers = new Set<() => void>();
const mostCompiled = 20;

/** Compiles a regular expression as the server does; rejects if the engine cannot be loaded. */
export async function compile(text: string): Promise<Compiled> {
  engine ??= await import('@kc/pack/find/name-pattern');
  const known = compiled.get(text);
  if (known) return known;
  const made = engine.compilePattern(text);
  compiled = new Map([...[...compiled].slice(1 - mostCompiled), [text, made]]);
  for (const tell of watchers) tell();
  return made;
}

/** Those of the patterns that are compiled; the others follow when the engine is there, except broken ones. */
export function usePatterns(texts: readonly string[]): readonly NamePattern[] {
  const known = useSyncExternalStore(watch, () => compiled);
  useEffect(() => {
    // Without the engine nothing is marked. The search itself runs on the server.
    for (const text of texts) compile(text).catch(() => undefined);
  }, [texts]);
  return texts.flatMap((text) => {
    const made = known.get(text);
    return made && 'matches' in made ? [made] : [];
  });
}

function watch(tell: () => void): () => void {
  watchers.add(tell);
  return () => watchers.delete(tell);
}
