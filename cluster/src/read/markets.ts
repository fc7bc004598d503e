import { normalForm } from '../../../pack/src/names/normal-form.ts';
import { isoDate } from '../../../pack/src/upload/written-dates.ts';
import type { Reading } from './reading.ts';

/**
 * The market and the day of an export by the name of its file, such as `drupal_broad-match_us_2026-04-30.csv` or
 * `x-organic.Positions-us-20250911.csv`.
 */
export function originOfName(name: string): Pick<Reading, 'market' | 'exported'> {
  const market =
    /(?<=[-_])([a-z]{2})(?=[-_]\d{4}-?\d{2}-?\d{2}(?!\d))/iu.exec(name)?.[1] ?? /google_([a-z]{2})_/iu.exec(name)?.[1];
  return { market: market && marketOf(market), exported: dayIn(name) };
}

/**
 * The markets of files whose names differ in that alone, such as `desks_us.csv` and `desks_uk.csv`, in their order; none for other files.
 */
export function marketsOfNames(names: readonly string[]): readonly (string | undefined)[] {
  const parts = names.map((name) =>
    name
      .replace(/\.[a-z]{3,6}$/iu, '')
      .split(/[-_.,()\s]+/u)
      .filter(Boolean),
  );
  while (isShared(parts.map((words) => words[0]))) for (const words of parts) words.shift();
  while (isShared(parts.map((words) => words.at(-1)))) for (const words of parts) words.pop();
  const markets = parts.map((words) => marketOf(words.join(' ')));
  const areMarkets = names.length > 1 && markets.every((market) => market !== undefined && isCountry(market));
  return areMarkets && new Set(markets).size === names.length ? markets : names.map(() => undefined);
}

const isShared = (words: readonly (string | undefined)[]): boolean =>
  words[0] !== undefined && words.every((word) => word === words[0]);

/** Whether two letters are those of a country, unlike "en" and "v2". */
const isCountry = (market: string): boolean => new Set(marketsOfThree.values()).has(market);

/** The last day that the lines above a header name, such as "May 1, 2025 - April 30, 2026". */
export const dayOfTitles = (titles: readonly string[]): string | undefined =>
  titles.map(dayIn).findLast((day) => day !== undefined);

/**
 * A country in one spelling, two letters in lower case: Ahrefs' `gb`, "United Kingdom", Google's 2826 and Search Console's `gbr` are
 * Semrush's `uk`.
 * Undefined for any other text.
 */
export function marketOf(country: string): string | undefined {
  const text = country.trim();
  const code = text.toLowerCase();
  if (/^[a-z]{2}$/u.test(code)) return code === 'gb' ? 'uk' : code;
  // "Nga" is Russia in Vietnamese, and "nga" is Nigeria.
  const ofThree = text === code || text === code.toUpperCase() ? marketsOfThree.get(code) : undefined;
  if (ofThree !== undefined) return ofThree;
  return code.length < 2 || code.length > longestName ? undefined : marketsByName().get(plain(code));
}

/** In characters. */
const longestName = 64;

/** The languages in which tools may have written the name of a country. */
const languages = [
  ...['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ru', 'vi', 'ja', 'zh', 'pl', 'sv', 'da', 'nb', 'fi', 'cs', 'tr', 'ko'],
  ...['uk', 'hu', 'ro', 'el', 'id', 'bg'],
];
/** Names in use that are none of those of CLDR. */
const otherNames: readonly (readonly [string, string])[] = [
  ['united states of america', 'us'],
  ['great britain', 'uk'],
  ['turkey', 'tr'],
  ['czech republic', 'cz'],
  ['russian federation', 'ru'],
  ['republic of korea', 'kr'],
  ['viet nam', 'vn'],
];
/** The codes of three letters that Search Console's interface has, behind those of two. Source: ISO 3166-1; Kosovo as in CLDR. */
const codesOfThree = `
  ad and, ae are, af afg, ag atg, ai aia, al alb, am arm, ao ago, aq ata, ar arg, as asm, at aut, au aus, aw abw,
  ax ala, az aze, ba bih, bb brb, bd bgd, be bel, bf bfa, bg bgr, bh bhr, bi bdi, bj ben, bl blm, bm bmu, bn brn,
  bo bol, bq bes, br bra, bs bhs, bt btn, bv bvt, bw bwa, by blr, bz blz, ca can, cc cck, cd cod, cf caf, cg cog,
  ch che, ci civ, ck cok, cl chl, cm cmr, cn chn, co col, cr cri, cu cub, cv cpv, cw cuw, cx cxr, cy cyp, cz cze,
  de deu, dj dji, dk dnk, dm dma, do dom, dz dza, ec ecu, ee est, eg egy, eh esh, er eri, es esp, et eth, fi fin,
  fj fji, fk flk, fm fsm, fo fro, fr fra, ga gab, gb gbr, gd grd, ge geo, gf guf, gg ggy, gh gha, gi gib, gl grl,
  gm gmb, gn gin, gp glp, gq gnq, gr grc, gs sgs, gt gtm, gu gum, gw gnb, gy guy, hk hkg, hm hmd, hn hnd, hr hrv,
  ht hti, hu hun, id idn, ie irl, il isr, im imn, in ind, io iot, iq irq, ir irn, is isl, it ita, je jey, jm jam,
  jo jor, jp jpn, ke ken, kg kgz, kh khm, ki kir, km com, kn kna, kp prk, kr kor, kw kwt, ky cym, kz kaz, la lao,
  lb lbn, lc lca, li lie, lk lka, lr lbr, ls lso, lt ltu, lu lux, lv lva, ly lby, ma mar, mc mco, md mda, me mne,
  mf maf, mg mdg, mh mhl, mk mkd, ml mli, mm mmr, mn mng, mo mac, mp mnp, mq mtq, mr mrt, ms msr, mt mlt, mu mus,
  mv mdv, mw mwi, mx mex, my mys, mz moz, na nam, nc ncl, ne ner, nf nfk, ng nga, ni nic, nl nld, no nor, np npl,
  nr nru, nu niu, nz nzl, om omn, pa pan, pe per, pf pyf, pg png, ph phl, pk pak, pl pol, pm spm, pn pcn, pr pri,
  ps pse, pt prt, pw plw, py pry, qa qat, re reu, ro rou, rs srb, ru rus, rw rwa, sa sau, sb slb, sc syc, sd sdn,
  se swe, sg sgp, sh shn, si svn, sj sjm, sk svk, sl sle, sm smr, sn sen, so som, sr sur, ss ssd, st stp, sv slv,
  sx sxm, sy syr, sz swz, tc tca, td tcd, tf atf, tg tgo, th tha, tj tjk, tk tkl, tl tls, tm tkm, tn tun, to ton,
  tr tur, tt tto, tv tuv, tw twn, tz tza, ua ukr, ug uga, um umi, us usa, uy ury, uz uzb, va vat, vc vct, ve ven,
  vg vgb, vi vir, vn vnm, vu vut, wf wlf, ws wsm, xk xkk, ye yem, yt myt, za zaf, zm zmb, zw zwe
`;
const marketsOfThree: ReadonlyMap<string, string> = new Map(
  codesOfThree.split(',').map((pair) => {
    const [two, three] = pair.trim().split(' ');
    return [three!, two === 'gb' ? 'uk' : two!];
  }),
);
let names: ReadonlyMap<string, string> | undefined;

/**
 * Countries by their names, and by the numbers of places in Google's interfaces: 2000 and the number of ISO 3166. The names come from CLDR by way of `Intl`, which lists them by code only: building this takes 50 ms.
 * The first language that has a name decides.
 */
function marketsByName(): ReadonlyMap<string, string> {
  if (names) return names;
  const found = new Map(otherNames);
  const codes = regionCodes();
  for (const language of languages) {
    // "Hong Kong SAR China" in the long style is "Hong Kong" in the short one.
    for (const style of ['long', 'short'] as const) {
      const regions = new Intl.DisplayNames([language], { type: 'region', fallback: 'none', style });
      for (const code of codes) {
        const name = plain(regions.of(code) ?? '');
        if (name !== '' && !found.has(name)) found.set(name, marketOf(code)!);
      }
    }
  }
  for (let number = 0; number < 1000; number++) {
    const digits = String(number).padStart(3, '0');
    const [, region] = /^und-([A-Z]{2})$/u.exec(Intl.getCanonicalLocales(`und-${digits}`)[0]!) ?? [];
    if (region !== undefined) found.set(`2${digits}`, marketOf(region)!);
  }
  names = found;
  return names;
}

const plain = (name: string): string => normalForm(name, 'NFC').toLowerCase().replace(/^the /u, '').trim();

/** All codes but those of former countries and the other aliases, such as VD for VN. */
function regionCodes(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters
    .flatMap((one) => letters.map((other) => one + other))
    .filter((code) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`);
}

/**
 * Days as tools write them in titles and in the names of files: "2026-04-30", "20260430", "30.04.2026", "30 avril 2026", "30. April
 * 2026", "Apr 30, 2026". Day and month of "03/04/2026" cannot be told apart.
 */
const days =
  /(?<!\d)20\d{2}(-?)\d{2}\1\d{2}(?!\d)|(?<!\d)\d{1,2}\.\d{1,2}\.20\d{2}(?!\d)|(?<!\d)20\d{2}年\s?\d{1,2}月\s?\d{1,2}|(?<!\d)\d{1,2}(?:\.|er|º)?\s(?:de\s)?\p{L}{3,12}\.?\s(?:de\s)?20\d{2}(?!\d)|(?<!\p{L})\p{L}{3,12}\.? \d{1,2}, 20\d{2}(?!\d)/gu;

/** The last day in a text, as `2026-04-30`. */
const dayIn = (text: string): string | undefined =>
  [...text.matchAll(days)]
    .map(([day]) =>
      /^\d{4}-?\d{2}-?\d{2}$/u.test(day) ? day.replace(/^(\d{4})-?(\d{2})-?/u, '$1-$2-') : isoDate(day, true),
    )
    .findLast((day) => /^20\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/u.test(day));
