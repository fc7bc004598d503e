/** A keyword's figures, the same wherever it stands. */
export type Figures = {
  readonly volume?: number;
  readonly difficulty?: number;
  readonly cpc?: number;
  readonly intent?: readonly string[];
};
export type PlainNode = { readonly name: string; readonly type?: string; readonly children?: readonly PlainNode[] };
export type PlainEntry = { readonly path: readonly string[]; readonly status: string; readonly primary?: string };

const keyOf = (name: string): string => name.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();

type Leaf = { readonly name: string; readonly path: readonly string[]; readonly figures: Figures };

/**
 * What a workbook must say, from the file and the entries alone, in the most direct way. Trees have names that are
 * unique among siblings, and keywords are leaves.
 */
export function expectedWorkbook(
  root: PlainNode,
  figuresOf: (keyword: string) => Figures,
  entries: readonly PlainEntry[],
) {
  const leaves: Leaf[] = [];
  const typeOf = new Map<string, string>();
  const walk = (node: PlainNode, path: readonly string[]): void => {
    typeOf.set(join(path), node.type ?? '');
    if (!node.children?.length) leaves.push({ name: node.name, path, figures: figuresOf(node.name) });
    for (const child of node.children ?? []) walk(child, [...path, child.name]);
  };
  for (const child of root.children ?? []) walk(child, [child.name]);
  const isWithin = (path: readonly string[], above: readonly string[]) => above.every((name, at) => path[at] === name);

  /** Each keyword at its nearest entry. */
  const homes = new Map<string, { readonly leaf: Leaf; readonly entry: PlainEntry; readonly distance: number }>();
  for (const leaf of leaves) {
    const [entry] = entries
      .filter(({ path }) => isWithin(leaf.path, path))
      .sort((one, other) => other.path.length - one.path.length);
    if (!entry) continue;
    const distance = leaf.path.length - entry.path.length;
    const known = homes.get(keyOf(leaf.name));
    if (!known || distance < known.distance) homes.set(keyOf(leaf.name), { leaf, entry, distance });
  }
  const clusterOf = (path: readonly string[]): string => {
    for (let end = path.length; end > 0; end--) {
      if (typeOf.get(join(path.slice(0, end))) === 'cluster') return path[end - 1]!;
    }
    return '';
  };
  return {
    plan: entries.map((entry) => {
      const distinct = new Map<string, Leaf>();
      for (const leaf of leaves) if (isWithin(leaf.path, entry.path)) distinct.set(keyOf(leaf.name), leaf);
      const inside = [...distinct.values()];
      const figures = branchFigures(inside);
      const best = [...inside].sort(
        (one, other) =>
          (other.figures.volume ?? -1) - (one.figures.volume ?? -1) ||
          (one.figures.difficulty ?? 1e9) - (other.figures.difficulty ?? 1e9),
      );
      const ties = best.filter(
        ({ figures: { volume, difficulty } }) =>
          volume === best[0]?.figures.volume && difficulty === best[0]?.figures.difficulty,
      );
      const primaries = entry.primary ? [entry.primary] : ties.map(({ name }) => name);
      const supporting = [...homes.values()].filter((home) => home.entry === entry).map(({ leaf }) => leaf);
      return {
        path: entry.path,
        cluster: clusterOf(entry.path),
        primaries,
        supporting,
        status: entry.status,
        ...figures,
      };
    }),
    keywords: [...homes.values()].map(({ leaf, entry }) => ({ ...leaf, cluster: clusterOf(leaf.path), entry })),
  };
}

export const join = (path: readonly string[]): string => path.join(' › ');

function branchFigures(leaves: readonly Leaf[]) {
  const known = (name: 'volume' | 'difficulty' | 'cpc') =>
    leaves.flatMap(({ figures }) => (figures[name] === undefined ? [] : [{ value: figures[name], leaf: figures }]));
  const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
  const mean = (values: readonly { value: number }[]) =>
    values.length === 0 ? undefined : sum(values.map(({ value }) => value)) / values.length;
  const [volumes, difficulties] = [known('volume'), known('difficulty')];
  const volume = volumes.length === 0 ? undefined : sum(volumes.map(({ value }) => value));
  const isByVolume = 2 * volumes.length >= leaves.length && (volume ?? 0) > 0;
  const withDifficulty = sum(difficulties.map(({ leaf }) => leaf.volume ?? 0));
  const intents = leaves.flatMap(({ figures }) => (figures.intent?.length ? [figures.intent] : []));
  const shares = ['informational', 'navigational', 'commercial', 'transactional']
    .map((name) => ({ name, share: intents.filter((some) => some.includes(name)).length / intents.length }))
    .filter(({ share }) => share > 0);
  return {
    count: leaves.length,
    volume,
    difficulty: mean(difficulties),
    difficultyKnown: isByVolume ? withDifficulty / volume! : difficulties.length / leaves.length,
    cpc: mean(known('cpc')),
    shares,
  };
}
