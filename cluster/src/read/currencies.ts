/** Capital letters in names of costs that are no currency. */
const noCurrencies: ReadonlySet<string> = new Set(['CPC', 'PPC', 'CPM', 'ADS', 'MAX', 'MIN', 'AVG', 'LOW']);
const mark = /(?:^|[\s,/])(?:in\s)?\(?([A-Z]{3}|[A-Z]{0,2}[$€£¥₽₹₩₴₺₫฿₪₦₱]|руб\.?|zł|kr\.?|Kč|Ft|lei)\)?$/u;

/**
 * The currency that the name of a column of costs ends with, as it is written there: "EUR" of "CPC (EUR)", "₽" of "CPC, ₽".
 * `rest` is the name without it.
 */
export function currencyIn(name: string): { readonly rest: string; readonly currency: string } | undefined {
  const found = mark.exec(name.trim());
  if (!found || found.index === 0 || noCurrencies.has(found[1]!)) return undefined;
  const rest = name.trim().slice(0, found.index).trimEnd();
  return { rest: rest.endsWith(',') ? rest.slice(0, -1) : rest, currency: found[1]! };
}

const columnNames =
  /^(?:currency(?: code)?|währung(?:scode)?|moneda|code? (?:de )?devise|devise|valuta|moeda|waluta|валюта|měna|mena|pénznem|monedă|通貨|货币|币种|幣別|貨幣|통화|para birimi|tiền tệ|mata uang)$/iu;

/** Whether a column says in which currency the costs of its rows are. */
export const namesCurrency = (name: string): boolean => columnNames.test(name.trim());
