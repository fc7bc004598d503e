/**
 * "12.5 %": a share of a whole in percent. Only all is "100 %", and only nothing is "0 %": what is nearly so is "over 99.9 %"
 * or "under 0.1 %".
 *
 * @param share 0 to 1; a growth may be more
 */
export function shareText(share: number, decimals: 0 | 1 = 1): string {
  const percent = 100 * share;
  const step = decimals === 1 ? 0.1 : 1;
  if (percent > 0 && percent < step) return `under ${step} %`;
  if (percent < 100 && percent > 100 - step) return `over ${100 - step} %`;
  const isWhole = percent === 0 || percent >= 100;
  return `${percent.toFixed(isWhole ? 0 : decimals)} %`;
}
