/**
 * What a person can say that a member of an uploaded JSON file is: one of our fields, a field of the file's own
 * (`keep`), or nothing (`leaveOut`).
 */
export const fieldMeanings = [
  'volume',
  'difficulty',
  'cpc',
  'competition',
  'intent',
  'traffic',
  'trafficPotential',
  'trafficCost',
  'clicks',
  'impressions',
  'ctr',
  'serpFeatures',
  'keep',
  'leaveOut',
] as const;
export type FieldMeaning = (typeof fieldMeanings)[number];

/** By the name of a member. Members without an entry are what their names say. */
export type FieldMap = Readonly<Record<string, FieldMeaning>>;

/** A file has more members only if something is wrong with it. */
export const maxMappedMembers = 64;
