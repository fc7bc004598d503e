/**
 * What is made when it is first asked for. For formats of `Intl`: the first of them costs a browser more than ten
 * milliseconds, which no page should pay before it shows anything.
 */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
