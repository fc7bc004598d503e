import type { MemberSummary } from '@kc/pack/upload/member-summary';
import { say } from '@kc/rules/all-messages';
import { type FieldMap, type FieldMeaning, fieldMeanings } from '@kc/rules/upload';
import type { FieldRow } from '../../import/fields-panel.tsx';
import { meaningOptions, misfitText } from '../../import/reading-words.ts';

/** `named`: one of our fields that nobody can choose, recognised by its name. */
export type MemberMeaning = FieldMeaning | 'named';

/** Meanings that several members may have. */
const mayRepeat: ReadonlySet<MemberMeaning> = new Set<MemberMeaning>(['keep', 'leaveOut', 'named']);

/**
 * What the members of a file are, with the corrections of a person. As in `namesBy` of `pack`: a member whose meaning was
 * given to another one is kept as it is.
 *
 * @returns the meanings by the place of the member
 */
export function meaningsOf(members: readonly MemberSummary[], map: FieldMap): MemberMeaning[] {
  const taken = new Set<MemberMeaning>(Object.values(map));
  return members.map(({ name, meaning }) => map[name] ?? (taken.has(meaning) && meaning !== 'keep' ? 'keep' : meaning));
}

/**
 * The corrections after one more. A meaning that exists once leaves the member that had it, which is kept as it is. If it
 * had the meaning because of its name, it has it again as soon as no other one does.
 */
export function correctedMap(
  members: readonly MemberSummary[],
  map: FieldMap,
  place: number,
  meaning: MemberMeaning,
): FieldMap {
  const corrected = new Map(Object.entries(map));
  const one = members[place]!;
  const now = meaningsOf(members, map);
  const hasRival = members.some((other, at) => at !== place && other.meaning === meaning && !mayRepeat.has(meaning));
  if (meaning === 'named' || (meaning === one.meaning && !hasRival)) corrected.delete(one.name);
  else corrected.set(one.name, meaning);
  for (const [at, other] of members.entries()) {
    if (at === place || now[at] !== meaning || mayRepeat.has(meaning)) continue;
    // What its name says is overruled as long as another one has the meaning.
    if (other.meaning === 'keep' || other.meaning === meaning) corrected.delete(other.name);
    else corrected.set(other.name, 'keep');
  }
  return Object.fromEntries(corrected);
}

/** The members as rows of "How we read your fields". */
export function memberRows(members: readonly MemberSummary[], map: FieldMap): FieldRow<MemberMeaning>[] {
  const meanings = meaningsOf(members, map);
  return members.map((member, at) => ({
    name: member.name,
    meaning: meanings[at]!,
    sample: member.sample,
    known: member.entries > 0 ? member.known / member.entries : 0,
    warning: (map[member.name] && misfitOf(member, map[member.name]!)) ?? scaleOf(member, meanings[at]!, members),
  }));
}

/**
 * What the values of a click rate may mean, if neither they nor clicks and impressions show it; "CTR, in percent" is
 * the other choice. There is a warning for difficulties of at most 1, too: they are read as shares.
 */
function scaleOf(
  { name, greatest = 0, fraction }: MemberSummary,
  meaning: MemberMeaning,
  members: readonly MemberSummary[],
) {
  const isKnown = (field: MemberMeaning) => members.some((member) => member.meaning === field && member.known > 0);
  const isClickRate = meaning === 'ctr' || meaning === 'ctrPercent';
  const sample = isClickRate ? greatest : meaning === 'difficulty' ? fraction : undefined;
  if (sample === undefined || !(greatest > 0 && greatest <= 1)) return undefined;
  if (isClickRate && isKnown('clicks') && isKnown('impressions')) return undefined;
  const [share, percent] = [`${Number((100 * sample).toPrecision(12))} %`, `${sample} %`];
  const read = meaning === 'ctrPercent' ? percent : share;
  return say('list/ctr-scale', { column: name, sample: String(sample), share, percent, read });
}

const labels = new Map<string, string>(meaningOptions.map(({ value, label }) => [value, label]));
const options = fieldMeanings.map((value) => ({
  value,
  label: value === 'ctrPercent' ? 'CTR, in percent' : labels.get(value)!,
}));
const withNamed = [{ value: 'named', label: 'As its name says' } as const, ...options];

/** The meanings that can be chosen for a member. */
export const memberOptions = ({ meaning }: Pick<MemberSummary, 'meaning'>) =>
  meaning === 'named' ? withNamed : options;

/** Names that are kept as custom fields, though their owner may have meant metrics. @param names as the check found them */
export function stillUnrecognised(
  names: readonly string[],
  members: readonly MemberSummary[],
  map: FieldMap,
): string[] {
  const meanings = meaningsOf(members, map);
  const recognised = new Set(members.filter((_, at) => meanings[at] !== 'keep').map(({ name }) => name));
  return names.filter((name) => !recognised.has(name));
}

/** Below these shares of the known values, a meaning hardly fits. As for columns of lists. */
const minNumbers = 0.8;
const minIntents = 0.5;
const withoutForm: ReadonlySet<FieldMeaning> = new Set<FieldMeaning>(['keep', 'leaveOut', 'serpFeatures']);

function misfitOf({ known, numbers, intents }: MemberSummary, meaning: FieldMeaning): string | undefined {
  if (known === 0 || withoutForm.has(meaning)) return undefined;
  const share = (meaning === 'intent' ? intents : numbers) / known;
  return share < (meaning === 'intent' ? minIntents : minNumbers)
    ? misfitText(meaning === 'ctrPercent' ? 'ctr' : meaning, share)
    : undefined;
}
