import { decoderOf } from '../../src/read/encodings.ts';
import type { Encoding } from '../../src/read/reading.ts';

/** A dozen keywords in a language, and the encodings with one byte per character in which people export it. */
const languages: readonly {
  readonly language: string;
  readonly encodings: readonly Encoding[];
  readonly keywords: string;
}[] = [
  {
    language: 'German',
    encodings: ['windows-1252', 'ibm850', 'macintosh'],
    keywords:
      'eichentisch, kieferntisch weiß, runder tisch für küche, kleiner tisch, weißer tisch, eckschreibtisch, höhenverstellbarer tisch, gartenstühle, bürostuhl, küchentisch, esstisch holz, stühle günstig',
  },
  {
    language: 'French',
    encodings: ['windows-1252', 'ibm850', 'macintosh'],
    keywords:
      'bureau chêne, bureau en pin, table à manger, fauteuil réglable, chaise été, bureau écolier, étagère, meuble à tiroirs, bureau forêt, tête de lit, table âgée, chaise rénovée, garçon',
  },
  {
    language: 'Spanish',
    encodings: ['windows-1252', 'ibm850'],
    keywords:
      'mesa de roble, mesa pequeña, silla de jardín, sillón, mesa de niños, baño, camión, cómo limpiar, qué mesa, mesas económicas, habitación, niña',
  },
  {
    language: 'Portuguese',
    encodings: ['windows-1252', 'ibm850'],
    keywords:
      'mesa de carvalho, cadeira de escritório, mesas pequenas, colchão, balcão, mesa de crianças, como limpar, preço, armário, são paulo, ação, pão',
  },
  {
    language: 'Swedish',
    encodings: ['windows-1252', 'ibm850'],
    keywords:
      'ekbord, skrivbord för barn, stol på hjul, höga bord, möbler, trädgårdsstol, kök, små bord, bäst, köpa, målarfärg, hylla',
  },
  {
    language: 'Danish',
    encodings: ['windows-1252', 'ibm850'],
    keywords:
      'egebord, skrivebord til børn, stol på hjul, høje borde, møbler, havestol, køkken, små borde, bedste, købe, malerfarve, æble',
  },
  {
    language: 'Russian',
    encodings: ['windows-1251', 'ibm866', 'koi8-r'],
    keywords:
      'стол дубовый, стол из сосны, круглый стол, маленький стол, белый стол, угловой стол, стул дубовый, стул садовый, офисный стул, стол письменный, купить стол, кресло офисное',
  },
  {
    language: 'Thai',
    encodings: ['windows-874'],
    keywords:
      'โต๊ะไม้โอ๊ค, โต๊ะไม้สน, โต๊ะกลม, โต๊ะเล็ก, โต๊ะสีขาว, โต๊ะเข้ามุม, โต๊ะยืน, เก้าอี้สำนักงาน, เก้าอี้สวน, เก้าอี้คอมพิวเตอร์, โต๊ะอาหาร, เก้าอี้เด็ก',
  },
  {
    language: 'Bulgarian',
    encodings: ['windows-1251', 'ibm866'],
    keywords:
      'дъбова маса, маса от бор, кръгла маса, малка маса, бяла маса, ъглово бюро, дъбов стол, градински стол, офис стол, бюро за писане, купи маса, кресло',
  },
  {
    language: 'Ukrainian',
    encodings: ['windows-1251'],
    keywords:
      'стіл дубовий, стіл із сосни, круглий стіл, маленький стіл, білий стіл, кутовий стіл, стілець дубовий, садовий стілець, офісне крісло, письмовий стіл, купити стіл, крісло',
  },
  {
    language: 'Greek',
    encodings: ['windows-1253'],
    keywords:
      'δρύινο γραφείο, γραφείο από πεύκο, στρογγυλό τραπέζι, μικρό τραπέζι, λευκό γραφείο, γωνιακό γραφείο, καρέκλα γραφείου, καρέκλα κήπου, τραπέζι κουζίνας, αγορά, φθηνό, ξύλινο',
  },
  {
    language: 'Hebrew',
    encodings: ['windows-1255'],
    keywords:
      'שולחן אלון, שולחן אורן, שולחן עגול, שולחן קטן, שולחן לבן, שולחן פינתי, כיסא משרדי, כיסא גינה, שולחן מטבח, לקנות, זול, עץ',
  },
  {
    language: 'Arabic',
    encodings: ['windows-1256'],
    keywords:
      'مكتب خشب, طاولة مستديرة, طاولة صغيرة, مكتب أبيض, مكتب زاوية, كرسي مكتب, كرسي حديقة, طاولة مطبخ, شراء, رخيص, خشب, أفضل',
  },
  {
    language: 'Turkish',
    encodings: ['windows-1254'],
    keywords:
      'meşe masa, çam masa, yuvarlak masa, küçük masa, beyaz masa, köşe masası, ofis koltuğu, bahçe sandalyesi, mutfak masası, satın al, ucuz ahşap, ğ ış',
  },
  {
    language: 'Polish',
    encodings: ['windows-1250'],
    keywords:
      'stół dębowy, stół sosnowy, okrągły stół, mały stół, biały stół, biurko narożne, krzesło biurowe, krzesło ogrodowe, stół kuchenny, kupić, tani, żółty',
  },
  {
    language: 'Czech',
    encodings: ['windows-1250'],
    keywords:
      'dubový stůl, stůl z borovice, kulatý stůl, malý stůl, bílý stůl, rohový stůl, kancelářská židle, zahradní židle, kuchyňský stůl, koupit, levný, dřevěný',
  },
];

export const inEncodings = languages.flatMap(({ language, encodings, keywords }) =>
  encodings.map((encoding) => ({ language, encoding, bytesOf: encoderOf(encoding), keywords: keywords.split(', ') })),
);

/** The other way round than a decoder: platforms write nothing but UTF-8. */
function encoderOf(encoding: Encoding): (text: string) => Uint8Array {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const byteOf = new Map(Array.from(decoderOf(encoding).decode(bytes), (sign, byte) => [sign, byte]));
  return (text) =>
    Uint8Array.from(text, (sign) => {
      const byte = byteOf.get(sign);
      if (byte === undefined) throw new RangeError(`${sign} is not in ${encoding}`);
      return byte;
    });
}
