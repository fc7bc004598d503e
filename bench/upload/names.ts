import { randomFrom } from './random-from.ts';

/** Makes keywords: the same one for the same number, and a different one for every number. */
export type KeywordText = (number: number) => string;

type Words = {
  readonly questions: readonly string[];
  readonly kinds: readonly string[];
  readonly things: readonly string[];
  readonly places: readonly string[];
  /** Between words. */
  readonly space: string;
};

const english = {
  questions: ['', '', '', 'how to ', 'best ', 'cheap ', 'what is ', 'where to buy '],
  places: ['', '', ' near me', ' online', ' for beginners', ' in 2026', ' with free shipping', ' reviews'],
  space: ' ',
};
const things = 'shoe lamp café tent boot garden chair kettle bicycle piano jacket drone camera window carpet'.split(
  ' ',
);
const kinds = 'red wooden small winter leather outdoor électrique modern vintage folding running kids giày'.split(' ');

export const words = {
  /** English, with four words in other languages. */
  latin: { ...english, things, kinds },
  ascii: {
    ...english,
    things: things.map((word) => word.replace('é', 'e')),
    kinds: kinds.map((word) => word.replace('é', 'e').replace('giày', 'sport')),
  },
  german: {
    questions: ['', '', '', 'Wie funktioniert ', 'beste ', 'günstige ', 'Was heißt ', 'Wo kaufe ich '],
    kinds: 'rote kleine größere schöne Münchner weiße für Küche Büro Straße süße grüne Fußball'.split(' '),
    things: 'Schuhe Lampe Gärten Stühle Fahrräder Töpfe Jacke Öfen Möbel Tür Bälle Kühlschränke Gefäße'.split(' '),
    places: ['', '', ' in der Nähe', ' online', ' für Anfänger', ' über 2026', ' Preisübersicht', ' Prüfung'],
    space: ' ',
  },
  vietnamese: {
    questions: ['', '', '', 'cách làm ', 'mua ', 'giá rẻ ', 'là gì ', 'ở đâu bán '],
    kinds: 'đỏ gỗ nhỏ mùa_đông da ngoài_trời điện hiện_đại cổ_điển gấp chạy_bộ trẻ_em giày'.split(' '),
    things: 'giày đèn cà_phê lều ủng vườn ghế ấm_đun xe_đạp đàn_piano áo_khoác máy_ảnh cửa_sổ thảm'.split(' '),
    places: ['', '', ' gần đây', ' trực tuyến', ' cho người mới', ' năm 2026', ' miễn phí vận chuyển', ' đánh giá'],
    space: ' ',
  },
  japanese: {
    questions: ['', '', '', 'おすすめの', '安い', '人気', '使い方 ', 'どこで買える '],
    kinds: '赤い 木製 小型 冬用 革 屋外 電動 現代 ヴィンテージ 折りたたみ ランニング 子供用 軽量'.split(' '),
    things: '靴 ランプ カフェ テント ブーツ 庭園 椅子 ケトル 自転車 ピアノ ジャケット ドローン カメラ 窓'.split(' '),
    places: ['', '', ' 近く', ' 通販', ' 初心者', ' 2026年', ' 送料無料', ' 口コミ'],
    space: '　',
  },
  arabic: {
    questions: ['', '', '', 'كيفية ', 'أفضل ', 'رخيص ', 'ما هو ', 'أين أشتري '],
    kinds: 'أحمر خشبي صغير شتوي جلد خارجي كهربائي حديث قديم قابل_للطي رياضي أطفال مضيء'.split(' '),
    things: 'حذاء مصباح مقهى خيمة جزمة حديقة كرسي غلاية دراجة بيانو سترة طائرة كاميرا نافذة'.split(' '),
    places: ['', '', ' بالقرب مني', ' عبر الإنترنت', ' للمبتدئين', ' في 2026', ' شحن مجاني', ' آراء'],
    space: ' ',
  },
} satisfies Record<string, Words>;

/** Every fifth keyword is in a language with a script or letters not used in Western Europe. */
const mixed: KeywordText = (number) => {
  const others = [texts.vietnamese, texts.japanese, texts.arabic];
  return number % 5 === 4 ? others[Math.floor(number / 5) % others.length]!(number) : texts.ascii(number);
};

const texts = Object.fromEntries(Object.entries(words).map(([name, some]) => [name, textsOf(some)])) as Record<
  keyof typeof words,
  KeywordText
>;

export const keywordTexts = { ...texts, mixed };

export type NameLanguage = keyof typeof keywordTexts;

function textsOf({ questions, kinds, things, places, space }: Words): KeywordText {
  return (number) => {
    const random = randomFrom(number + 7);
    const of = (list: readonly string[]) => list[Math.floor(random() * list.length)]!.replaceAll('_', ' ');
    return `${of(questions)}${of(kinds)}${space}${of(things)} ${number.toString(36)}${of(places)}`;
  };
}
