import type { NamePattern, PatternProblem } from '@kc/pack/find/name-pattern';
import { useEffect, useSyncExternalStore } from 'react';

type Compiled = NamePattern | PatternProblem;

/** The regular expression engine, loaded on first use. Compiled patterns are cached by their text. */
let engine: typeof import('@kc/pack/find/name-pattern') | undefined;
let compiled: ReadonlyMap<string, Compiled> = new Map();
const watchers = new Set<() => void>();
const maxCompiled = 20;

/** Compiles a regular expression as the server does. Rejects if the engine cannot be loaded. */
export async function compile(text: string): Promise<Compiled> {
  engine ??= await import('@kc/pack/find/name-pattern');
  const known = compiled.get(text);
  if (known) return known;
  const made = engine.compilePattern(text);
  compiled = new Map([...[...compiled].slice(1 - maxCompiled), [text, made]]);
  for (const tell of watchers) tell();
  return made;
}

/** The patterns that are compiled. The others follow once the engine has loaded, except invalid ones. */
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
