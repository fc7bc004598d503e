import { textsOf } from './catalogue.ts';

/** Texts of parts of the explorer that load when they are opened: flat lists, points, comparisons, presets, presentations. */
export const explorerMessages = {
  'explore/changes-same': 'These two uploads are the same.',
  'explore/changes-none-clusters': 'No cluster has changed that much. Keywords or thresholds may show more.',
  'explore/changes-none-keywords': 'No keyword has changed that much. Lower thresholds may show more.',
  'explore/changes-failed': 'What changed could not be loaded.',
  'explore/no-other-upload': 'There is no other upload to compare with.',
  'explore/ranking': (p: { what: string }) => `Ranking ${p.what}…`,
  'explore/ranking-failed': 'The ranking could not be loaded.',
  'explore/totals-failed': 'The totals could not be loaded.',
  'explore/cells-failed': 'The points that are not drawn could not be counted.',
  'explore/points-failed': 'The chart could not be loaded.',
  'explore/level-empty': (p: { what: string; name: string }) => `No ${p.what} below “${p.name}”.`,
  'explore/pillars-below': 'Pillars lie below the root. This is a branch of one of them.',
  'explore/selection-too-large': (p: { most: string }) =>
    `Shapes can be added or taken away in a selection of at most ${p.most} rows. Draw one shape around everything instead.`,
  'explore/range-too-long': (p: { most: string }) => `A range holds at most ${p.most} rows. Select all instead.`,
  'explore/cursor-on': (p: { name: string }) => `Cursor on ${p.name}.`,
  'explore/cursor-around': (p: { name: string }) => `Cursor on ${p.name}, which contains the selection.`,
  'explore/cursor-inside': (p: { name: string }) => `Cursor on ${p.name}, the first inside the selection.`,
  'explore/saved': (p: { name: string }) => `“${p.name}” saved`,
  'explore/saved-deleted': (p: { name: string }) => `“${p.name}” deleted`,
  'explore/saved-restored': (p: { name: string }) => `“${p.name}” is back`,
  'explore/view-too-long': 'This is more than a saved view can hold. Shorten the filter.',
  'explore/views-none':
    'No view of these data is saved yet. What you save is listed here, under My Visualizations and in the command palette.',
  'explore/present-none': 'No view is saved yet. Leave the presentation, and save one with the star next to Share.',
  'explore/present-one': 'Save another view to move between them.',
} as const;

export const { say } = textsOf(explorerMessages);
