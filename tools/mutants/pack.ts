import type { ChosenMutant } from './chosen.ts';

/** Mutants of the data engine. */
export const packMutants: readonly ChosenMutant[] = [
  {
    file: 'pack/src/levels/quadrants.ts',
    from: 'isCost(figure) ? value > threshold : value >= threshold',
    to: 'value > threshold',
    breaks: 'A volume equal to its threshold is in the wrong quadrant.',
    tests: ['pack/src/levels/points.test.ts'],
  },
  {
    file: 'pack/src/levels/rank-rows.ts',
    from: 'sign: key.descending ? -1 : 1',
    to: 'sign: 1',
    breaks: 'Every list begins with the smallest value.',
  },
  {
    file: 'pack/src/levels/rank-rows.ts',
    from: 'if (order !== 0) return order;',
    to: 'if (order !== 0) return sign * order;',
    breaks: 'Unknown values come first in a descending list.',
  },
  {
    file: 'pack/src/season/peak.ts',
    from: 'months[at + month]! >= months[at + peak]!) peak',
    to: 'months[at + month]! > months[at + peak]!) peak',
    breaks: 'Of equal months the earliest is the peak.',
    tests: ['pack/src/season/season.test.ts'],
  },
  {
    file: 'pack/src/filter/growth.ts',
    from: 'ratio - 1',
    to: '1 - ratio',
    breaks: 'Rising searches are those that fall.',
    tests: ['pack/src/filter/filter-oracle.test.ts', 'pack/src/filter/histogram-oracle.test.ts'],
  },
  {
    file: 'pack/src/levels/known-share.ts',
    from: '  if (isWeighedByVolume(figures)) return Math.min(1, figures.knownVolume / figures.volume);\n',
    to: '',
    breaks: 'How much of a figure is known ignores volume.',
    tests: ['pack/src/levels/level-rows.test.ts'],
  },
  {
    file: 'pack/src/tree/merge-entries.ts',
    from: "field.rollUp === 'sum' && field.is !== 'trafficPotential'",
    to: "field.rollUp === 'sum'",
    breaks: 'The traffic potential of a repeated keyword is added up.',
  },
  {
    file: 'pack/src/tree/merge-entries.ts',
    from: 'dateOf(one) - dateOf(other) ||',
    to: 'dateOf(other) - dateOf(one) ||',
    breaks: 'Of several entries of a keyword the oldest volume counts.',
  },
  {
    file: 'pack/src/plan/status-roll-up.ts',
    from: '      if (effective[row] === 0 && row > 0) effective[row] = effective[parent[row]!]!;\n',
    to: '',
    breaks: 'A planned branch covers none of its keywords.',
  },
  {
    file: 'pack/src/warnings/cluster-warnings.ts',
    from: 'keywords > thresholds.oversized',
    to: 'keywords >= thresholds.oversized',
    breaks: 'A cluster of exactly the allowed size is called oversized.',
    tests: ['pack/src/warnings/find-warnings.test.ts'],
  },
  {
    file: 'pack/src/search/search.ts',
    from: 'kinds[one]! - kinds[other]! || volume(other)',
    to: 'volume(other)',
    breaks: 'A search lists the most searched part of a name before the whole name.',
  },
  {
    file: 'pack/src/formula/evaluate-formula.ts',
    from: '(Number.isNaN(a) ? fallback : a)',
    to: 'a',
    breaks: 'A score ignores what is assumed for unknown values.',
  },
  {
    file: 'pack/src/filter/match-rows.ts',
    from: '  if (filter.outside.length > 0) await keepPlaces(pack, matches, filter.outside, false, pause);\n',
    to: '',
    breaks: 'A hidden branch stays in every figure.',
    tests: ['pack/src/filter/filter-oracle.test.ts'],
  },
  {
    file: 'pack/src/filter/keep-branches.ts',
    from: 'passes[branch]! &= Number(values[branch]! >= low) & Number(values[branch]! <= high);',
    to: 'passes[branch]! &= Number(values[branch]! >= low);',
    breaks: 'The upper end of a range of clusters keeps everything.',
    tests: ['pack/src/filter/filter-oracle.test.ts'],
  },
  {
    file: 'pack/src/compare/describe-changes.ts',
    from: "names.includes('moved') || names.includes('renamed')",
    to: "names.includes('moved')",
    breaks: 'A renamed branch does not say what it was called.',
    tests: ['pack/src/compare/changes.test.ts'],
  },
];
