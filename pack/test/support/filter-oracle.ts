import type { BranchPart, Figure, Filter, Known, Range, TextPart } from '../../src/filter/filter.ts';
import { mergeNaively } from './merge-oracle.ts';

/** A node of a file in a filter test, and an entry of its `keywords` array, as in JSON. */
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
  readonly Clicks?: number;
  readonly Impressions?: number;
  readonly CTR?: number;
  readonly date?: string;
  readonly Stage?: string;
  readonly Tags?: readonly string[];
  /** The searches of twelve months, the oldest first. */
  readonly trend?: readonly number[];
  /** In percent. */
  readonly 'YoY change'?: number;
  readonly Branded?: string;
};

/** The expected values of a node under a filter. Sums and means of nothing are undefined. */
export type Expected = {
  /** The index in file order. */
  readonly place: number;
  readonly isKept: boolean;
  /** Whether it has no children in the file. */
  readonly isLeaf: boolean;
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
  readonly clicks: Total;
  readonly impressions: Total;
  readonly ctr: Total;
  readonly stage: {
    readonly value: string | undefined;
    readonly count: number;
    readonly counts: ReadonlyMap<string, number>;
    readonly known: number;
  };
  /** The most frequent member, the count of each, and the number of keywords with any known member. */
  readonly tags: {
    readonly most: string | undefined;
    readonly counts: ReadonlyMap<string, number>;
    readonly known: number;
  };
  readonly intents: readonly number[];
  readonly intentKnown: number;
  readonly childKeywords: number;
  readonly childVolume: number;
  /** The index of the keyword with the highest volume. */
  readonly top: number | undefined;
  /** Levels below the root. */
  readonly depth: number;
  /** The own figures of its distinct keywords. */
  readonly own: readonly PlainFigures[];
  /** The known volumes of its distinct keywords, in order of appearance. */
  readonly volumes: readonly number[];
  /** For each of its keyword nodes, the types of the node and its ancestors. */
  readonly types: readonly (readonly string[])[];
};
export type Total = {
  readonly sum: number | undefined;
  readonly mean: number | undefined;
  readonly weighted: number | undefined;
  readonly known: number;
};

/**
 * The expected result of a filter, computed from plain objects for each node separately: slow, and without any product
 * code.
 *
 * @param addressOf the ID of a node, given its index in file order
 * @param isCovered whether a node has a page according to the plan, given the same
 */
export function expectedUnder(
  root: PlainNode,
  entries: readonly PlainEntry[],
  filter: Filter,
  addressOf: (place: number) => string,
  isCovered: (place: number) => boolean = () => false,
): Expected[] {
  const all: Placed[] = [];
  const hasRates = entries.some(({ CTR }) => CTR !== undefined);
  const merged = mergeNaively(entries, keyOf).map(({ CTR, ...entry }) =>
    hasRates && CTR !== undefined ? { ...entry, CTR } : entry,
  );
  place(root, undefined, 0);
  const said = [...entries, ...all.map(({ node }) => node)];
  // In the order of the file, whether entries come before or after nodes.
  const stages = [...new Set(said.flatMap(({ Stage }) => (Stage === undefined ? [] : [Stage])))];
  const tags = [...new Set(said.flatMap(({ Tags }) => Tags ?? []))];
  const hasPositions = all.some(({ figures }) => figures.position !== undefined);
  const keptByAll = all.filter(passes);
  const keptInClusters = withoutFailing('cluster', withoutFailing('subtopic', keptByAll));
  const matching = new Set(withoutFailing('pillar', keptInClusters));
  return all.map((node) => describe(node));

  function place(node: PlainNode, parent: Placed | undefined, depth: number): Placed {
    const key = keyOf(node.name);
    const entry = merged.find((one) => keyOf(one.keyword) === key);
    const children: Placed[] = [];
    const isLeaf = (node.children ?? []).length === 0;
    const isGroup = ['root', 'pillar', 'cluster', 'topic', 'subtopic'].includes(node.type ?? '');
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
    return node.parent === undefined || matches(node) || node.children.some(isKept);
  }

  function matches(node: Placed): boolean {
    return matching.has(node);
  }

  /** Some nodes without those whose subtopic, cluster or pillar fails a condition, judged by these nodes. */
  function withoutFailing(level: BranchPart['level'], nodes: readonly Placed[]): readonly Placed[] {
    const parts = filter.branches.filter((part) => part.level === level);
    return parts.length === 0 ? nodes : nodes.filter((node) => parts.every((part) => isHomeIn(node, part, nodes)));
  }

  /** Means are 32-bit numbers, as on screen. */
  function isHomeIn(node: Placed, { level, of, ...range }: BranchPart, nodes: readonly Placed[]): boolean {
    const home = level === 'pillar' ? pillarOf(node) : level === 'cluster' ? clusterOf(node) : subtopicOf(node);
    if (!home) return false;
    const inside = distinct(nodesOf(home).filter((one) => one.isKeyword && nodes.includes(one)));
    if (of === 'keywords') return isInRange(inside.length, range);
    if (of === 'volume') return isInRange(totalOf(inside, of).sum, range);
    if (of === 'difficulty' || of === 'cpc') {
      const mean = totalOf(inside, of).mean;
      const rounded = [mean, range.from, range.to].map((value) => value && Math.fround(value));
      return isInRange(rounded[0], { from: rounded[1], to: rounded[2] });
    }
    const asked = nodesOf(home).filter((one) => one.isKeyword && nodes.includes(one));
    const known =
      of === 'covered'
        ? distinct(asked.filter((one) => isCovered(one.place)))
        : inside.filter(({ figures }) => figures[of === 'known.cpc' ? 'cpc' : 'difficulty'] !== undefined);
    const { sum: volume = 0, known: volumeKnown } = totalOf(inside, 'volume');
    const isByVolume = 2 * volumeKnown >= inside.length && volume > 0;
    const share = isByVolume ? (totalOf(known, 'volume').sum ?? 0) / volume : known.length / inside.length;
    return isInRange(100 * share, range);
  }

  /** What is in no subtopic is in its cluster, if that has no subtopics. */
  function subtopicOf(node: Placed): Placed | undefined {
    const nearest = lineOf(node).slice(1).find(isOfType('subtopic', 'stray'));
    if (nearest?.node.type === 'subtopic') return nearest;
    const cluster = clusterOf(node);
    const isDivided = all.some(
      (one) => one.node.type === 'subtopic' && one.children.length > 0 && clusterOf(one) === cluster,
    );
    return isDivided ? undefined : cluster;
  }

  function passes(node: Placed): boolean {
    const isIn = (addresses: readonly string[]) =>
      lineOf(node).some(({ place }) => addresses.includes(addressOf(place)));
    const isThere = (filter.within.length === 0 || isIn(filter.within)) && !isIn(filter.outside);
    return isThere && says(node, filter) && asksFor(node, filter, hasPositions);
  }

  function describe(node: Placed): Expected {
    const below = nodesOf(node);
    const kept = below.filter(isKept);
    const counted = below.filter((one) => one.isKeyword && matches(one));
    const firsts = distinct(counted);
    const children = node.children.filter(isKept);
    const ofChildren = children.map((child) => distinct(nodesOf(child).filter((one) => one.isKeyword && matches(one))));
    const total = (name: NumberName) => totalOf(firsts, name);
    const tops = counted.filter((one) => one.figures.volume !== undefined);
    const best = Math.max(...tops.map((one) => one.figures.volume!));
    const counts = stages.map((stage) => firsts.filter((one) => one.figures.Stage === stage).length);
    const most = Math.max(0, ...counts);
    const tagged = new Map(
      tags.map((tag) => [tag, firsts.filter((one) => one.figures.Tags?.includes(tag)).length] as const),
    );
    return {
      place: node.place,
      isKept: isKept(node),
      isLeaf: node.children.length === 0,
      children: children.map((child) => child.place),
      leaves: kept.filter((one) => !one.children.some(isKept) && matches(one)).length,
      nodes: kept.length,
      keywords: firsts.length,
      ofKeywords: distinct(below.filter((one) => one.isKeyword)).length,
      repeats: counted.length - firsts.length,
      volume: total('volume'),
      difficulty: total('difficulty'),
      cpc: total('cpc'),
      competition: total('competition'),
      position: byImpressions(firsts, 'position'),
      visits: total('Visits'),
      clicks: total('Clicks'),
      impressions: total('Impressions'),
      ctr: byImpressions(firsts, 'CTR'),
      stage: {
        value: most > 0 ? stages[counts.indexOf(most)] : undefined,
        count: most,
        counts: new Map(stages.map((stage, at) => [stage, counts[at]!])),
        known: counts.reduce((sum, count) => sum + count, 0),
      },
      tags: {
        most: tags.find((tag) => tagged.get(tag)! > 0 && tagged.get(tag) === Math.max(...tagged.values())),
        counts: tagged,
        known: firsts.filter((one) => one.figures.Tags).length,
      },
      intents: intentNames.map((name) => firsts.filter((one) => one.figures.intent?.includes(name)).length),
      intentKnown: firsts.filter((one) => one.figures.intent !== undefined).length,
      childKeywords: ofChildren.reduce((sum, keywords) => sum + keywords.length, 0),
      childVolume: ofChildren.flat().reduce((sum, one) => sum + (one.figures.volume ?? 0), 0),
      top: tops.find((one) => one.figures.volume === best)?.place,
      depth: node.depth,
      own: firsts.map(({ figures }) => figures),
      volumes: firsts.flatMap(({ figures }) => figures.volume ?? []),
      types: counted.map((one) => [...new Set(typesAround(one))]),
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
type NumberName =
  | 'volume'
  | 'difficulty'
  | 'cpc'
  | 'competition'
  | 'position'
  | 'Visits'
  | 'Clicks'
  | 'Impressions'
  | 'CTR';

const intentNames = ['informational', 'navigational', 'commercial', 'transactional'];

const typesAround = (one: Placed | undefined): string[] =>
  one ? [one.node.type ?? '', ...typesAround(one.parent)] : [];

const keyOf = (text: string) => text.normalize('NFC').toUpperCase().toLowerCase().replace(/\s+/g, ' ').trim();

const nodesOf = (node: Placed): Placed[] => [node, ...node.children.flatMap(nodesOf)];

const distinct = (nodes: readonly Placed[]) =>
  nodes.filter((node, index) => nodes.findIndex((other) => other.key === node.key) === index);

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

/** Includes the mean weighted by impressions if there are any. */
function byImpressions(nodes: readonly Placed[], name: NumberName): Total {
  const shown = nodes.filter(({ figures }) => figures[name] !== undefined && (figures.Impressions ?? 0) > 0);
  const weight = shown.reduce((total, { figures }) => total + figures.Impressions!, 0);
  const product = shown.reduce((total, { figures }) => total + figures[name]! * figures.Impressions!, 0);
  const plain = totalOf(nodes, name);
  return shown.length > 0 ? { ...plain, mean: product / weight } : plain;
}

/** A node and its ancestors. */
const isOfType =
  (...types: readonly string[]) =>
  ({ node: { type = '' }, parent }: Placed): boolean =>
    types.includes(type) && (type !== 'stray' || parent !== undefined);

function pillarOf(node: Placed): Placed | undefined {
  const pillar = node.parent && lineOf(node).at(-2);
  return pillar !== node && pillar?.node.type === 'stray' ? undefined : pillar;
}

/** Below strays, there is none. */
function clusterOf(node: Placed): Placed | undefined {
  const above = lineOf(node).slice(1);
  const nearest = above.find(isOfType('cluster', 'stray'));
  return nearest?.node.type === 'stray' ? undefined : (nearest ?? above[0]);
}

const lineOf = (node: Placed): Placed[] => [node, ...(node.parent ? lineOf(node.parent) : [])];

function says(one: Placed, filter: Filter): boolean {
  const { node, figures, depth, isKeyword } = one;
  const lists = [filter.ranges, filter.known, filter.intents, filter.categories, filter.branches];
  const asksFigures =
    lists.some(({ length }) => length > 0) || filter.quick !== undefined || filter.rising !== undefined;
  if (!isKeyword && (node.children?.length || asksFigures)) return false;
  const isIn = (text: string) => bare(node.name).includes(bare(text));
  const matchesText = ({ mode, text }: TextPart): boolean => {
    if (mode === 'regex') return new RegExp(text, 'iu').test(bare(node.name));
    const words = text.split(' ').filter((word) => word.trim() !== '');
    return mode === 'all' ? words.every(isIn) : words.some(isIn);
  };
  return (
    filter.contains.every(isIn) &&
    filter.texts.every((part) => matchesText(part) === part.isIn) &&
    !filter.excludes.some(isIn) &&
    (filter.types.length === 0 || lineOf(one).some(({ node }) => filter.types.includes(node.type ?? ''))) &&
    (filter.intents.length === 0 || filter.intents.some((intent) => figures.intent?.includes(intent))) &&
    filter.categories.every(({ field, values }) =>
      field === 'Tags'
        ? values.some((value) => (value === '' ? !figures.Tags : figures.Tags?.includes(value)))
        : field === 'Stage' && values.includes(figures.Stage ?? ''),
    ) &&
    filter.ranges.every(({ of, from, to, isBelow }) => {
      const value = figureOf(figures, of);
      const isUpTo = (end: number, at: number) => (isBelow ? at < end : at <= end);
      return (
        typeof value === 'number' && (from === undefined || value >= from) && (to === undefined || isUpTo(to, value))
      );
    }) &&
    filter.known.every((of) => figureOf(figures, of) !== undefined) &&
    (filter.depth?.from === undefined || depth >= filter.depth.from) &&
    (filter.depth?.to === undefined || depth <= filter.depth.to) &&
    (filter.hasChildren === undefined || filter.hasChildren === (node.children ?? []).length > 0)
  );
}

function figureOf(figures: PlainFigures, of: Figure | Known): PlainFigures[keyof PlainFigures] {
  return figures[of.replace('field:', '') as keyof PlainFigures];
}

const bare = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().toLowerCase();

const isInRange = (value: number | undefined, { from, to }: Range) =>
  value !== undefined && (from === undefined || value >= from) && (to === undefined || value <= to);

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
/** The question words that occur in names of the test files. */
const questions = { en: /^\s*(how|why)(\s|$)/u, es: /^\s*¿?por\s+que(\s|$)/u, ja: /とは/u };

/** The parts of a filter that the one-click chips write. */
function asksFor({ node: { name }, figures }: Placed, filter: Filter, hasPositions: boolean): boolean {
  const { words, questions: languages, quick, rising, brand } = filter;
  const { volume = -1, difficulty = 999, position = 0, trend, Branded } = figures;
  const counted = [...segmenter.segment(name)].filter(({ isWordLike }) => isWordLike).length;
  const isQuestion = (language: string) => questions[language as 'en']?.test(bare(name)) || /[?؟？]\s*$/u.test(name);
  const sum = (months: readonly number[]) => months.reduce((all, month) => all + month, 0);
  const ofTrend =
    trend && sum(trend.slice(0, 9)) > 0 ? (100 * 3 * sum(trend.slice(9))) / sum(trend.slice(0, 9)) - 100 : undefined;
  const growth = figures['YoY change'] ?? ofTrend;
  const hasTerm = (term: string) =>
    new RegExp(term === '靴' ? term : `(?<![a-z0-9])${bare(term).replace(/[*+?]/g, '\\$&')}(?![a-z0-9])`, 'u').test(
      bare(name),
    );
  const isBranded = Branded === 'true' || (brand?.terms.some(hasTerm) ?? false);
  return (
    (!words || isInRange(counted, words)) &&
    (languages.length === 0 || languages.some(isQuestion)) &&
    (!quick ||
      (volume >= quick.volume &&
        (difficulty <= quick.difficulty || (hasPositions && position >= 4 && position <= 20)))) &&
    (!rising || (volume >= rising.volume && growth !== undefined && growth >= rising.percent - 1e-6)) &&
    (!brand || isBranded === brand.isIn)
  );
}
