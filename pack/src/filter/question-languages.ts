/** The languages whose questions are recognised, as two-letter codes. */
export const questionLanguages = [
  'de',
  'en',
  'es',
  'fr',
  'it',
  'ja',
  'ko',
  'nl',
  'pl',
  'pt',
  'ru',
  'vi',
  'zh',
] as const;
export type QuestionLanguage = (typeof questionLanguages)[number];
