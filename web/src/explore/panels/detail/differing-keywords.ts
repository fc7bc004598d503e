export type ListedKeyword = { readonly node: number; readonly name: string };

export type DifferingKeywords = {
  /** Keywords of every list. */
  readonly shared: readonly ListedKeyword[];
  /** For each list, the keywords that no other list has. */
  readonly only: readonly (readonly ListedKeyword[])[];
};

/**
 * What lists of keywords have in common, and what each has alone. Spellings of one keyword are equal as in the pack: in NFC,
 * whatever the case and the blanks. A keyword that a list has twice counts once. Each list keeps its order.
 */
export function differingKeywords(lists: readonly (readonly ListedKeyword[])[]): DifferingKeywords {
  const maps = lists.map((list) => {
    const byKey = new Map<string, ListedKeyword>();
    for (const one of list) if (!byKey.has(keyOf(one.name))) byKey.set(keyOf(one.name), one);
    return byKey;
  });
  const inAll = (key: string) => maps.every((map) => map.has(key));
  const inOne = (key: string) => maps.filter((map) => map.has(key)).length === 1;
  const pick = (map: ReadonlyMap<string, ListedKeyword> | undefined, test: (key: string) => boolean) =>
    [...(map ?? [])].flatMap(([key, one]) => (test(key) ? [one] : []));
  return { shared: pick(maps[0], inAll), only: maps.map((map) => pick(map, inOne)) };
}

/** Source: docs/pack-format.md: how entries of the file and nodes are matched. */
const keyOf = (name: string): string => name.normalize('NFC').toLowerCase().trim().replaceAll(/\s+/g, ' ');
