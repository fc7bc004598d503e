/**
 * Fields of a slice about what is not in its pack: a comparison with an earlier upload, and a plan. No member of a file
 * can be requested by such a name, because they begin with a control character.
 */
export const markFields = {
  change: '\u0000change',
  keywordsBefore: '\u0000keywords before',
  volumeBefore: '\u0000volume before',
  volumeChange: '\u0000change in volume',
  difficultyBefore: '\u0000difficulty before',
  positionBefore: '\u0000position before',
  goneNodes: '\u0000gone nodes',
  goneKeywords: '\u0000gone keywords',
  goneVolume: '\u0000gone volume',
  goneKeywordsBelow: '\u0000gone keywords below',
  goneVolumeBelow: '\u0000gone volume below',
  status: '\u0000plan',
  covered: '\u0000covered',
} as const;
export type MarkField = (typeof markFields)[keyof typeof markFields];

/** What a field is about. All fields of one topic are requested and answered together. */
export const markTopics = ['change', 'plan'] as const;
export type MarkTopic = (typeof markTopics)[number];

export const topicOf = (field: MarkField): MarkTopic =>
  field === markFields.status || field === markFields.covered ? 'plan' : 'change';

/** The field whose request stands for all fields of its topic. */
export const fieldOfTopic = { change: markFields.change, plan: markFields.status } as const;

/**
 * The name under which a browser holds a field: with a stamp that names the other upload, or the state of the plan, that its values come from.
 * Whatever is cached by the names of fields is thereby cached by that, too.
 */
export const stampedName = (field: string, stamp: string): string => `${field}\u0000${stamp}`;

type Stamped = { readonly field: MarkField; readonly topic: MarkTopic; readonly stamp: string };

/** The parts of a stamped name; undefined for other names. */
export function readStamped(name: string): Stamped | undefined {
  const end = name.indexOf('\u0000', 1);
  const field = Object.values(markFields).find((one) => one === name.slice(0, end));
  return field && { field, topic: topicOf(field), stamp: name.slice(end + 1) };
}
