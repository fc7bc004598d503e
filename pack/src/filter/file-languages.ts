import { type QuestionLanguage, questionLanguages } from './filter.ts';

const isLanguageField = /^(?:language|lang|language[\s_-]?code|country|country[\s_-]?code|location)$/iu;

/** A column of a file. */
type NamedColumn = { readonly name: string; readonly kind: string; readonly values?: readonly string[] };

/** The languages in which a file may have questions: English, and those that a column of languages or countries names. */
export function fileLanguages(columns: readonly NamedColumn[]): readonly QuestionLanguage[] {
  const found = columns.flatMap(({ name, kind, values = [] }) =>
    kind === 'category' && isLanguageField.test(name.trim()) ? values.map(languageOf) : [],
  );
  return questionLanguages.filter((language) => language === 'en' || found.includes(language));
}

const ofCountries: Readonly<Record<string, QuestionLanguage>> = {
  at: 'de',
  br: 'pt',
  cn: 'zh',
  jp: 'ja',
  kr: 'ko',
  mx: 'es',
  tw: 'zh',
  vn: 'vi',
};

/** "de", "de-AT", "German" and "DE" are German; so is the country "at". */
function languageOf(value: string): QuestionLanguage | undefined {
  const text = value.trim().toLowerCase();
  const names = new Intl.DisplayNames('en', { type: 'language' });
  return (
    questionLanguages.find((code) => text === code || text.startsWith(`${code}-`)) ??
    questionLanguages.find((code) => text === names.of(code)?.toLowerCase()) ??
    ofCountries[text]
  );
}
