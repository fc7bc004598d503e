import type { Filter, QuickPart, RisingPart } from '@kc/pack/filter/filter';
import { termsIn } from '@kc/pack/filter/preset-text';
import { type QuestionLanguage, questionLanguages } from '@kc/pack/filter/question-languages';
import { normalForm } from '@kc/pack/names/normal-form';
import { useState } from 'react';
import { useExplorer, useLook } from '../explorer-context.ts';

/** What the one-click filters have when they are switched on: their values now, the last ones, or the usual ones. */
export type PresetMemory = {
  readonly quick: QuickPart;
  readonly rising: RisingPart;
  readonly questions: readonly QuestionLanguage[];
  readonly terms: readonly string[];
  readonly remember: (some: Remembered) => void;
};

export type Remembered = Partial<Pick<PresetMemory, 'quick' | 'rising' | 'questions' | 'terms'>>;

/**
 * Brand terms are remembered on this device for all data with the same root. Everything else lasts as long as the panel
 * is open; links need neither, because the filter text has all values.
 */
export function usePresetMemory({ quick, rising, questions, brand }: Filter): PresetMemory {
  const { tree } = useExplorer();
  const languages = useFileLanguages();
  const key = `explorer.brand-terms.${normalForm(tree.name(0), 'NFC').toLowerCase().replace(/\s+/gu, ' ').trim()}`;
  const [last, setLast] = useState<Remembered>({});
  const terms = brand?.terms ?? last.terms ?? termsIn(localStorage.getItem(key) ?? '');
  return {
    quick: quick ?? last.quick ?? { volume: 50, difficulty: 30 },
    rising: rising ?? last.rising ?? { percent: 20, volume: 50 },
    questions: questions.length > 0 ? questions : (last.questions ?? languages),
    terms,
    remember(some) {
      setLast({ ...last, ...some });
      if (some.terms) localStorage.setItem(key, some.terms.join(','));
    },
  };
}

const isLanguageField = /^(?:language|lang|language[\s_-]?code|country|country[\s_-]?code|location)$/iu;

/** English, and the languages that a field of the file names, by language or by country. */
function useFileLanguages(): readonly QuestionLanguage[] {
  const fields = useLook((state) => state.fields) ?? [];
  const named = fields.flatMap((field) =>
    field.kind === 'category' && isLanguageField.test(field.name.trim()) ? field.values : [],
  );
  const found = named.map((value) => languageOf(value));
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

/** "de", "de-AT", "German" or "DE" is German; so is "at". */
function languageOf(value: string): QuestionLanguage | undefined {
  const text = value.trim().toLowerCase();
  const names = new Intl.DisplayNames('en', { type: 'language' });
  return (
    questionLanguages.find((code) => text === code || text.startsWith(`${code}-`)) ??
    questionLanguages.find((code) => text === names.of(code)?.toLowerCase()) ??
    ofCountries[text]
  );
}
