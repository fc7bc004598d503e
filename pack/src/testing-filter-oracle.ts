import type { Figure, Filter, Known } from './filter.ts';

/** A node of a file in a test of filters, and an entry of its `keywords` array: what JSON would say. */
export type PlainNode = {
  readonly name: string;
  readonly type?: string;
  readonly children?: readonly PlainNode[];
} & PlainFigures;
export type PlainEntry = { readonly keyword: string } & PlainFigures;
export type PlainFigures = {
  readonly volume?: number;
  readonly difficulty?: number;
  readonly cpc?: number;
  readonly competition?: number;
  readonly position?: number;
  readonly intent?: string;
  readonly Visits?: number;
  readonly Stage?: string;
};

/** What is to be seen of a node under a filter. Sums and means of nothing are undefined. */
export type Expected = {
  /** Place in the order of the file. */
  readonly place: number;
  readonly isKept: boolean;
  readonly children: readonly number[];
  readonly leaves: number;
  readonly nodes: number;
  readonly keywords: number;
  readonly ofKeywords: number;
  readonly repeats: number;
  readonly volume: Total;
  readonly difficulty: Total;
  readonly cpc: Total;
  readonly competition: Total;
  readonly position: Total;
  readonly visits: Total;
  readonly stage: { readonly value: string | undefined; readonly count: number; readonly known: number };
  readonly intents: readonly number[];
  readonly intentKnown: number;
  readonly childKeywords: number;
  readonly childVolume: number;
  /** Place of the keyword with the highest volume. */
  readonly top: number | undefined;
};
export type Total = {
  readonly sum: number | undefined;
  readonly mean: number | undefined;
  readonly weighted: number | undefined;
  readonly known: number;
};

/**
 * What a file shows under a filter, recomputed from plain objects for each node by itself: slow, and nothing of the product
 * in it.
 */
export function expectedUnder(root: PlainNode, entries: readonly PlainEntry[], filter: Filter): Expected[] {
  const all: Placed[] = [];
  place(root, undefined, 0);
  const stages = stagesIn(all, entries);
  return all.map((node) => describe(node));

  function place(node: PlainNode, parent: Placed | undefined, depth: number): Placed {
    const key = keyOf(node.name);
    const entry = entries.find((one) => keyOf(one.keyword) === key);
    const children: Placed[] = [];
    const isLeaf = (node.children ?? []).length === 0;
    const isGroup = ['root', 'pillar', 'cluster', 'topic'].includes(node.type ?? '');
    const isKeyword = node.type === 'keyword' || (isLeaf && (!isGroup || entry !== undefined));
    const placed: Placed = { node, parent, children, depth, key, isKeyword, place: all.length, figures: {} };
    placed.figures = {
      ...entry,
      ...Object.fromEntries(Object.entries(node).filter(([, value]) => value !== undefined)),
    };
    all.push(placed);
    for (const child of node.children ?? []) children.push(place(child, placed, depth + 1));
    return placed;
  }

  function isKept(node: Placed): boolean {
    return node.parent === undefined || matches(node, filter) || node.children.some(isKept);
  }

  function describe(node: Placed): Expected {
    const below = nodesOf(node);
    const kept = below.filter(isKept);
    const counted = below.filter((one) => one.isKeyword && matches(one, filter));
    const firsts = distinct(counted);
    const children = node.children.filter(isKept);
    const ofChildren = children.map((child) =>
      distinct(nodesOf(child).filter((one) => one.isKeyword && matches(one, filter))),
    );
    const total = (name: NumberName) => totalOf(firsts, name);
    const tops = counted.filter((one) => one.figures.volume !== undefined);
    const best = Math.max(...tops.map((one) => one.figures.volume!));
    const counts = stages.map((stage) => firsts.filter((one) => one.figures.Stage === stage).length);
    const most = Math.max(0, ...counts);
    return {
      place: node.place,
      isKept: isKept(node),
      children: children.map((child) => child.place),
      leaves: kept.filter((one) => !one.children.some(isKept) && matches(one, filter)).length,
      nodes: kept.length,
      keywords: firsts.length,
      ofKeywords: distinct(below.filter((one) => one.isKeyword)).length,
      repeats: counted.length - firsts.length,
      volume: total('volume'),
      difficulty: total('difficulty'),
      cpc: total('cpc'),
      competition: total('competition'),
      position: total('position'),
      visits: total('Visits'),
      stage: {
        value: most > 0 ? stages[counts.indexOf(most)] : undefined,
        count: most,
        known: counts.reduce((sum, count) => sum + count, 0),
      },
      intents: intentNames.map((name) => firsts.filter((one) => one.figures.intent?.includes(name)).length),
      intentKnown: firsts.filter((one) => one.figures.intent !== undefined).length,
      childKeywords: ofChildren.reduce((sum, keywords) => sum + keywords.length, 0),
      childVolume: ofChildren.flat().reduce((sum, one) => sum + (one.figures.volume ?? 0), 0),
      top: tops.find((one) => one.figures.volume === best)?.place,
    };
  }
}

type Placed = {
  readonly node: PlainNode;
  readonly parent: Placed | undefined;
  readonly children: Placed[];
  readonly depth: number;
  readonly key: string;
  readonly isKeyword: boolean;
  readonly place: number;
  figures: PlainFigures;
};
type NumberName = 'volume' | 'difficulty' | 'cpc' | 'competition' | 'position' | 'Visits';

const intentNames = ['informational', 'navigational', 'commercial', 'transactional'];

const keyOf = (text: string) => text.normalize('NFC').toUpperCase().toLowerCase().replace(/\s+/g, ' ').trim();

const nodesOf = (node: Placed): Placed[] => [node, ...node.children.flatMap(nodesOf)];

const distinct = (nodes: readonly Placed[]) =>
  nodes.filter((node, index) => nodes.findIndex((other) => other.key === node.key) === index);

/** In the order in which the file brings them: entries after nodes or before, as they stand. */
function stagesIn(all: readonly Placed[], entries: readonly PlainEntry[]): string[] {
  return [
    ...new Set(
      [...entries, ...all.map(({ node }) => node)].flatMap(({ Stage }) => (Stage === undefined ? [] : [Stage])),
    ),
  ];
}

function totalOf(nodes: readonly Placed[], name: NumberName): Total {
  const known = nodes.filter(({ figures }) => figures[name] !== undefined);
  const sum = known.reduce((total, { figures }) => total + figures[name]!, 0);
  const weighed = known.filter(({ figures }) => figures.volume !== undefined);
  const weight = weighed.reduce((total, { figures }) => total + figures.volume!, 0);
  const product = weighed.reduce((total, { figures }) => total + figures[name]! * figures.volume!, 0);
  return {
    sum: known.length > 0 ? sum : undefined,
    mean: known.length > 0 ? sum / known.length : undefined,
    weighted: weight > 0 ? product / weight : undefined,
    known: known.length,
  };
}

function matches(one: Placed, filter: Filter): boolean {
  const { node, figures, depth, isKeyword } = one;
  const asksFigures = filter.ranges.length + filter.known.length + filter.intents.length + filter.categories.length > 0;
  if (!isKeyword && (node.children?.length || asksFigures)) return false;
  const bare = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().toLowerCase();
  const isIn = (text: string) => bare(node.name).includes(bare(text));
  const above = (at: Placed | undefined): string[] => (at ? [at.node.type ?? '', ...above(at.parent)] : []);
  return (
    filter.contains.every(isIn) &&
    !filter.excludes.some(isIn) &&
    (filter.types.length === 0 || above(one).some((type) => filter.types.includes(type))) &&
    (filter.intents.length === 0 || filter.intents.some((intent) => figures.intent?.includes(intent))) &&
    filter.categories.every(({ field, values }) => field === 'Stage' && values.includes(figures.Stage ?? '')) &&
    filter.ranges.every(({ of, from, to }) => {
      const value = figureOf(figures, of);
      return typeof value === 'number' && (from === undefined || value >= from) && (to === undefined || value <= to);
    }) &&
    filter.known.every((of) => figureOf(figures, of) !== undefined) &&
    (filter.depth?.from === undefined || depth >= filter.depth.from) &&
    (filter.depth?.to === undefined || depth <= filter.depth.to) &&
    (filter.hasChildren === undefined || filter.hasChildren === (node.children ?? []).length > 0)
  );
}

function figureOf(figures: PlainFigures, of: Figure | Known): number | string | undefined {
  return figures[of.replace('field:', '') as keyof PlainFigures];
}
