import type { QuestionLanguage } from './question-languages.ts';

/**
 * What a question in a language begins with or contains.
 *
 * - `first`: the name begins with one of these words, or pairs of words, and a blank or the end follows.
 * - `words`: it contains one of these as whole words; `parts`: anywhere, for languages that do not separate words.
 */
export type QuestionWords = {
  readonly first?: readonly string[];
  readonly words?: readonly string[];
  readonly parts?: readonly string[];
};

const list = (text: string) => text.split(', ');

/** Case and accents are folded as in search when names are compared. */
export const questionWords: Readonly<Record<QuestionLanguage, QuestionWords>> = {
  en: {
    first: list(
      'who, what, when, where, why, which, whose, how, can, could, do, does, did, is, are, was, were, will, would, ' +
        'should, may, might, has, have',
    ),
  },
  de: {
    first: list(
      'wer, was, wann, wo, woher, wohin, warum, weshalb, wieso, wie, welche, welcher, welches, wem, wen, wessen, wozu, ' +
        'womit, kann, darf, muss, soll, ist, sind, hat, gibt',
    ),
  },
  fr: {
    first: list(
      "qui, que, quoi, quand, où, pourquoi, comment, combien, quel, quelle, quels, quelles, lequel, est-ce, qu'est-ce, " +
        'qu’est-ce, peut-on, faut-il',
    ),
  },
  es: {
    first: list(
      'quién, quiénes, qué, cuándo, dónde, adónde, por qué, para qué, cómo, cuál, cuáles, cuánto, cuánta, cuántos, ' +
        'cuántas, es, se puede',
    ),
  },
  it: {
    first: list(
      'chi, che cosa, cosa, quando, dove, perché, come, quale, quali, quanto, quanta, quanti, quante, si può',
    ),
  },
  pt: {
    first: list(
      'quem, que, o que, quando, onde, por que, porque, como, qual, quais, quanto, quanta, quantos, quantas, posso, pode',
    ),
  },
  nl: { first: list('wie, wat, wanneer, waar, waarom, hoe, hoeveel, welk, welke, kan, mag, moet, is, zijn') },
  pl: {
    first: list('kto, co, kiedy, gdzie, dlaczego, jak, jaki, jaka, jakie, który, która, które, ile, czy'),
  },
  ru: {
    first: list(
      'кто, что, когда, где, куда, откуда, почему, зачем, как, какой, какая, какое, какие, сколько, можно ли',
    ),
  },
  vi: { words: list('là gì, như thế nào, tại sao, vì sao, làm sao, ở đâu, khi nào, bao nhiêu') },
  ja: { parts: list('とは, なぜ, どう, どこ, いつ, 誰, 何, いくら, ですか, ますか') },
  zh: { parts: list('什么, 怎么, 为什么, 哪里, 如何, 多少, 吗') },
  ko: { parts: list('무엇, 뭐, 왜, 어떻게, 어디, 언제, 누구, 얼마, 나요, 까요') },
};
