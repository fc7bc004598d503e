import { warningMarkWords } from '@kc/pack/filter-words/filter-parts';
import { shareText } from '@kc/pack/filter-words/share-text';
import { intentNames, intentShares } from '@kc/pack/levels/known-share';
import { type WarningKind, type WarningThresholds, warningKinds } from '@kc/pack/vocabulary/warnings';
import type { WarningLine, WarningSummary } from '@kc/rules/warning-shapes';
import { counted, exact } from '../../format/figure-text.ts';
import type { WarningMark } from '../../model/warning-marks.ts';

const missingTexts: Readonly<Record<NonNullable<WarningSummary['kinds'][number]['missing']>, string>> = {
  'no-intent': 'this file has no intents.',
  'no-urls': 'this file has no URLs.',
  'no-positions': 'this file has no positions.',
  'no-results': 'this file has no search results.',
  'no-figures': 'this file has neither volumes nor difficulties.',
};

export const missingText = ({ kind, missing }: WarningSummary['kinds'][number]): string =>
  `${kindNames[kind]}: ${missing ? missingTexts[missing] : ''}`;

export const thresholdNames: Readonly<Record<keyof WarningThresholds, string>> = {
  mixedKeywords: 'Keywords with a known intent, at least',
  mixedShare: 'No intent reaches (%)',
  position: 'Position, at most',
  urlKeywords: 'Keywords of a URL in a cluster, at least',
  secondShare: 'Second URL, at least (%)',
  sharedUrls: 'Shared result URLs of keywords that are answered alike, at least',
  oversized: 'More keywords than',
  unknownShare: 'Known share below (%)',
};

const percent = (share: number | undefined): string => (share === undefined ? 'unknown' : shareText(share, 0));

/** Why it is a warning, with its numbers. */
export function reasonOf({ kind, figures, keywords, urls, places }: WarningLine): string {
  switch (kind) {
    case 'mixed': {
      const shares = intentShares(
        intentNames.map((name) => figures[name] ?? 0),
        1,
      ).map(({ intent, share }) => `${intent} ${percent(share)}`);
      return sentence(`${shares.join(', ')}, of ${exact(figures.known)} known`);
    }
    case 'url-clusters':
      return `Ranks for ${counted(keywords, 'keyword')} in ${counted(figures.clusters ?? 0, 'cluster')}`;
    case 'cluster-urls': {
      const leading = (urls ?? []).map((url, at) => `${url} for ${exact(at === 0 ? figures.first : figures.second)}`);
      const torn = (figures.torn ?? 0) > 0 ? [`${counted(figures.torn!, 'keyword')} with several URLs`] : [];
      return [...leading, ...torn, `${exact(figures.withUrl)} with a URL`].join(', ');
    }
    case 'results-apart':
      return `${counted(figures.groups ?? 0, 'group')} of keywords without enough result pages in common, the largest of ${exact(figures.largest)}, of ${exact(figures.withResults)} with results`;
    case 'results-alike':
      return `${counted(figures.first ?? 0, 'keyword')} of one and ${exact(figures.second)} of the other are answered by the same pages`;
    case 'oversized':
      return counted(keywords, 'keyword');
    case 'single':
      return 'Exactly 1 keyword';
    case 'repeated':
      return `In ${counted(figures.clusters ?? places?.length ?? 0, 'cluster')}`;
    case 'unplaced':
      return `${counted(keywords, 'keyword')} that no node names`;
    case 'unknown': {
      const known = (['volume', 'difficulty'] as const).filter((name) => figures[name] !== undefined);
      return sentence(known.map((name) => `${name} known for ${percent(figures[name])}`).join(', '));
    }
  }
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What a warning is about beyond its node; of two clusters, that is the address of the other one, which nobody reads. */
export const subjectOf = ({ kind, subject }: Pick<WarningLine, 'kind' | 'subject'>): string | undefined =>
  kind === 'results-alike' ? undefined : subject;

/** What a line is about: its subject, or the name of its node. */
export function titleOf(line: WarningLine): string {
  if (line.kind === 'unplaced') return kindNames.unplaced;
  const places = line.kind === 'results-alike' ? line.places : undefined;
  return places?.map(({ path }) => path.at(-1)).join(' and ') ?? subjectOf(line) ?? line.path.at(-1) ?? 'everything';
}

const { unknown, ...others } = warningMarkWords;
/** In the order of the kinds. */
export const kindNames: Readonly<Record<WarningKind, string>> = {
  ...others,
  unplaced: 'Not in the hierarchy',
  unknown,
};

/** The names of the kinds in a mask of {@link warningKinds}. */
export const kindsIn = (mask: number): string[] =>
  warningKinds.filter((_, bit) => (mask & (1 << bit)) !== 0).map((kind) => kindNames[kind]);

/** What the map marks at a node: its kinds, and how many more are in its branch. */
export function warningText({ kinds, own, within }: WarningMark): string {
  const below = within - own;
  const ownText = own > 0 ? [`${counted(own, 'warning')}: ${kindsIn(kinds).join(', ')}`] : [];
  const belowText = below > 0 ? [`${counted(below, 'warning')} inside`] : [];
  return [...ownText, ...belowText].join('; ');
}
