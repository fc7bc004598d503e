import { normalForm } from '../names/normal-form.ts';
import { isUnknown, namesIn } from './spelling.ts';

/** The bits of search intents. */
export const intentBits = { informational: 1, navigational: 2, commercial: 4, transactional: 8 } as const;

/**
 * Spellings of each intent, in lower case: the letter, the words of the languages that tools are translated into, and
 * the terms of Google's Search Quality Rater Guidelines (know, do, website).
 */
const spellings: Readonly<Record<keyof typeof intentBits, readonly string[]>> = {
  informational: namesIn(`
    i, info, inform, informational, informative, information, informationell, informationnel, informationnelle,
    informacional, informativa, informativo, know, know simple, informativ, informationsorientiert, informazionale,
    informatief, informacyjna, informacyjny, informační, информационный, информационная, інформаційний, bilgilendirici, 情報,
    情報収集, 情報型, 정보, 정보성, 信息, 信息型
  `),
  navigational: namesIn(`
    n, nav, navi, navigational, navigation, navigationell, navigationnel, navigationnelle, navegacional, go, website,
    navigationsorientiert, navegación, navegação, navigazionale, navigatie, nawigacyjna, nawigacyjny, navigační, навигационный,
    навигационная, навігаційний, ナビゲーション, 案内, 案内型, 탐색, 탐색성, 导航, 导航型
  `),
  commercial: namesIn(`
    c, comm, commercial, commercial investigation, commerciale, comercial, kommerziell, investigate,
    commercieel, komercyjna, komercyjny, komerční, коммерческий, коммерческая, комерційний, ticari, 商業, 商用, 商業型, 상업, 상업성,
    商业, 商业型
  `),
  transactional: namesIn(`
    t, trans, transact, transactional, transaction, transaktional, transaktionell, transactionnel, transactionnelle,
    transaccional, transacional, do, buy, transaktionsorientiert, transazionale, transactioneel, transakcyjna, transakcyjny,
    transakční, транзакционный, транзакционная, транзакційний, 取引, 取引型, トランザクション, 거래, 거래성, 交易, 交易型
  `),
};

const bitsOf: ReadonlyMap<string, number> = new Map(
  Object.entries(spellings).flatMap(([name, list]) =>
    list.map((spelling) => [spelling, intentBits[name as keyof typeof intentBits]] as const),
  ),
);

/** Semrush API: 0 commercial, 1 informational, 2 navigational, 3 transactional. */
const codes = [intentBits.commercial, intentBits.informational, intentBits.navigational, intentBits.transactional];

/** Semrush's letters without separators: "IC". Upper case only, because in lower case they could form words. */
const letters = /^(?:I|N|C|T){2,4}$/u;
/** "Do (Transactional)": both must name the same intent. */
const twoNames = /^([^()]+)\(([^()]+)\)$/u;
const suffix = / intent$/u;

/**
 * The intent bits of "Informational, Commercial", "I,C", "IC" or "Do (Transactional)"; 0 if the text names no intent.
 *
 * Each part of a list counts separately, so "Commercial, Branded" is commercial. A part that is not in the table as a
 * whole counts only if each of its words is an intent: "I C" and "info/trans" are two intents, "N/A" and "not i" are
 * none.
 */
export function intentsOfText(text: string): number {
  let bits = 0;
  for (const part of text.split(/[,;|]/u)) bits |= intentsOfPart(part.trim());
  return bits;
}

/** The intent bits of "1" or "1,0" by Semrush's codes; 0 for any other text. */
export function intentsOfCodes(text: string): number {
  if (!/^\s*[0-3](?:[\s,;|]+[0-3])*\s*$/u.test(text)) return 0;
  let bits = 0;
  for (const [code] of text.matchAll(/\d/gu)) bits |= intentOfCode(Number(code));
  return bits;
}

/** The bit of a Semrush code; 0 for any other number. */
export function intentOfCode(code: number): number {
  return codes[code] ?? 0;
}

function intentsOfPart(part: string): number {
  if (isUnknown(part)) return 0;
  if (letters.test(part)) return allOf([...part]);
  const named = twoNames.exec(part);
  if (named) {
    const bit = intentOfName(named[2]!);
    return bit === intentOfName(named[1]!.trimEnd()) ? bit : 0;
  }
  return intentOfName(part) || allOf(part.replaceAll(/\s+/gu, ' ').split(/ ?[/&+] ?| and | /u));
}

function intentOfName(name: string): number {
  return bitsOf.get(normalForm(name, 'NFC').toLowerCase().replaceAll(/\s+/gu, ' ').replace(suffix, '')) ?? 0;
}

/** The bits of the names if all of them are intents, otherwise 0. */
function allOf(names: readonly string[]): number {
  let bits = 0;
  for (const name of names) {
    const bit = intentOfName(name);
    if (bit === 0) return 0;
    bits |= bit;
  }
  return bits;
}
