/// <reference path="./wink-porter2-stemmer.d.ts" />
import { stemmer as stemArabic } from '@orama/stemmers/arabic';
import { stemmer as stemDanish } from '@orama/stemmers/danish';
import { stemmer as stemDutch } from '@orama/stemmers/dutch';
import { stemmer as stemFinnish } from '@orama/stemmers/finnish';
import { stemmer as stemFrench } from '@orama/stemmers/french';
import { stemmer as stemGerman } from '@orama/stemmers/german';
import { stemmer as stemGreek } from '@orama/stemmers/greek';
import { stemmer as stemHungarian } from '@orama/stemmers/hungarian';
import { stemmer as stemHindi } from '@orama/stemmers/indian';
import { stemmer as stemIndonesian } from '@orama/stemmers/indonesian';
import { stemmer as stemItalian } from '@orama/stemmers/italian';
import { stemmer as stemNorwegian } from '@orama/stemmers/norwegian';
import { stemmer as stemPortuguese } from '@orama/stemmers/portuguese';
import { stemmer as stemRomanian } from '@orama/stemmers/romanian';
import { stemmer as stemRussian } from '@orama/stemmers/russian';
import { stemmer as stemSpanish } from '@orama/stemmers/spanish';
import { stemmer as stemSwedish } from '@orama/stemmers/swedish';
import { stemmer as stemTurkish } from '@orama/stemmers/turkish';
import { stemmer as stemUkrainian } from '@orama/stemmers/ukrainian';
import { stopwords as arabic } from '@orama/stopwords/arabic';
import { stopwords as danish } from '@orama/stopwords/danish';
import { stopwords as dutch } from '@orama/stopwords/dutch';
import { stopwords as english } from '@orama/stopwords/english';
import { stopwords as finnish } from '@orama/stopwords/finnish';
import { stopwords as french } from '@orama/stopwords/french';
import { stopwords as german } from '@orama/stopwords/german';
import { stopwords as greek } from '@orama/stopwords/greek';
import { stopwords as hungarian } from '@orama/stopwords/hungarian';
import { stopwords as hindi } from '@orama/stopwords/indian';
import { stopwords as indonesian } from '@orama/stopwords/indonesian';
import { stopwords as italian } from '@orama/stopwords/italian';
import { stopwords as norwegian } from '@orama/stopwords/norwegian';
import { stopwords as portuguese } from '@orama/stopwords/portuguese';
import { stopwords as romanian } from '@orama/stopwords/romanian';
import { stopwords as russian } from '@orama/stopwords/russian';
import { stopwords as spanish } from '@orama/stopwords/spanish';
import { stopwords as swedish } from '@orama/stopwords/swedish';
import { stopwords as turkish } from '@orama/stopwords/turkish';
import { stopwords as ukrainian } from '@orama/stopwords/ukrainian';
import stemEnglish from 'wink-porter2-stemmer';

/**
 * Words of the English list of stop words that change what a keyword means: "card not working", "flights from paris", "why is the sky blue", "what
 * comes before a", "top up".
 */
const meaningful = new Set(
  (
    'not no nor cannot against between before after above below from up down out off over under again once ' +
    'what which who whom when where why how all any both few more most other only own same than too very'
  ).split(' '),
);

type Grammar = {
  readonly stem: (word: string) => string;
  readonly stopWords: ReadonlySet<string>;
  /** Words that people search with the same intent, without spaces, and the word that stands for all of them. */
  readonly oneIntent?: ReadonlyMap<string, string>;
};

/** The words of each line have the same intent, which neither their letters nor an encoder tell. */
const englishIntents = ['login logon signin', 'signup register registration', 'webdesign websitedesign'];

/** Meaningful words that belong to the word beside them: "not working", "sign up", "log off". */
const particles = 'not no nor cannot up down out off over'.split(' ');

/** English words that say nothing by themselves. */
export const englishFunctionWords: ReadonlySet<string> = new Set(
  [...english, ...meaningful, ...'a please much many vs get way ways best'.split(' ')].filter(
    (word) => !particles.includes(word),
  ),
);

/** By ISO 639-1 code. Words of other languages are compared as they are. */
const grammars: Readonly<Record<string, Grammar>> = {
  ar: { stem: stemArabic, stopWords: new Set(arabic) },
  da: { stem: stemDanish, stopWords: new Set(danish) },
  de: { stem: stemGerman, stopWords: new Set(german) },
  el: { stem: stemGreek, stopWords: new Set(greek) },
  en: {
    stem: stemEnglish,
    stopWords: new Set([...english.filter((word) => !meaningful.has(word)), 'a', 'please']),
    oneIntent: new Map(
      englishIntents.flatMap((line) => {
        const all = line.split(' ');
        return all.map((one) => [one, all[0]!] as const);
      }),
    ),
  },
  es: { stem: stemSpanish, stopWords: new Set(spanish) },
  fi: { stem: stemFinnish, stopWords: new Set(finnish) },
  fr: { stem: stemFrench, stopWords: new Set(french) },
  hi: { stem: stemHindi, stopWords: new Set(hindi) },
  hu: { stem: stemHungarian, stopWords: new Set(hungarian) },
  id: { stem: stemIndonesian, stopWords: new Set(indonesian) },
  it: { stem: stemItalian, stopWords: new Set(italian) },
  nl: { stem: stemDutch, stopWords: new Set(dutch) },
  no: { stem: stemNorwegian, stopWords: new Set(norwegian) },
  pt: { stem: stemPortuguese, stopWords: new Set(portuguese) },
  ro: { stem: stemRomanian, stopWords: new Set(romanian) },
  ru: { stem: stemRussian, stopWords: new Set(russian) },
  sv: { stem: stemSwedish, stopWords: new Set(swedish) },
  tr: { stem: stemTurkish, stopWords: new Set(turkish) },
  uk: { stem: stemUkrainian, stopWords: new Set(ukrainian) },
};

const plain: Grammar = { stem: (word) => word, stopWords: new Set() };

/** The grammar of a language, or one that leaves words as they are. */
export const grammarOf = (language: string): Grammar => grammars[language] ?? plain;
