/**
 * Creates a value on first use. For `Intl` formats: the first one costs more than ten milliseconds, which must not
 * delay the first paint.
 */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
