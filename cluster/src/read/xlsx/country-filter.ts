import { normalForm } from '@kc/pack/names/normal-form';
import type { Rows } from '../reading.ts';
import type { Workbook } from './workbook.ts';

/** The sheet of Search Console's exports that says how their rows were filtered, and its row for the country. */
const filterSheets = /^(?:filters?|filtres|filtros|filtri|фильтры|bộ lọc|フィルタ|筛选器)$/iu;
const countryLabels = /^(?:country|land|pays|país|paese|страна|quốc gia|国|国家\/地区)$/iu;
/** A sheet of filters has a handful of rows. */
const searchedRows = 50;
/** The languages in which Search Console may have written the name of the country. */
const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ru', 'vi', 'ja', 'zh'];

/** The market of a Search Console workbook, from the sheet that names its filters; undefined if it covers all countries. */
export async function countryFilter(workbook: Workbook): Promise<string | undefined> {
  const sheet = workbook.sheets.find((name) => filterSheets.test(name.trim()));
  if (sheet === undefined) return undefined;
  let country: string | undefined;
  const rows = ({ cells }: Rows) => {
    const found = cells.find(([label]) => countryLabels.test(label?.trim() ?? ''));
    country ??= found?.[1]?.trim();
  };
  await workbook.read(sheet, { rows }, searchedRows);
  return country === undefined ? undefined : codeOfCountry(country);
}

/**
 * The two-letter code of a country by its name in one of {@link languages}, in Semrush's spelling (`uk`).
 *
 * Names come from CLDR by way of `Intl`, the codes are tried in turn: `Intl` lists names by code only.
 */
export function codeOfCountry(country: string): string | undefined {
  const wanted = plain(country);
  for (const language of languages) {
    // "Hong Kong SAR China" in the long style is "Hong Kong" in the short one.
    const styles = (['long', 'short'] as const).map(
      (style) => new Intl.DisplayNames([language], { type: 'region', fallback: 'none', style }),
    );
    const code = regionCodes.find((one) => styles.some((names) => plain(names.of(one) ?? '') === wanted));
    if (code) return code === 'GB' ? 'uk' : code.toLowerCase();
  }
  return undefined;
}

const plain = (name: string): string => normalForm(name, 'NFC').toLowerCase().replace(/^the /u, '').trim();

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** All codes but those of former countries and the other aliases, such as VD for VN. */
const regionCodes = letters
  .flatMap((one) => letters.map((other) => one + other))
  .filter((code) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`);
