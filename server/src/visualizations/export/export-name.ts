/** What no file system takes in a name, and what shows nothing or turns the reading around. */
const unfit = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\/:*?"<>|]+/gu;
const mostCharacters = 100;

/**
 * What a download is called: the uploaded file, and of a branch its name behind it.
 *
 * @param branch undefined for everything
 */
export function exportName(
  fileName: string,
  branch: string | undefined,
  { form, isFiltered }: { readonly form: 'csv' | 'json'; readonly isFiltered: boolean },
): string {
  const parts = [fileName.replace(/\.json$/i, ''), branch ?? ''].map(fit).filter((part) => part !== '');
  return `${parts.join(' – ') || 'keywords'}${isFiltered ? ' (filtered)' : ''}.${form}`;
}

function fit(text: string): string {
  const plain = text.replace(unfit, ' ').replace(/\s+/g, ' ');
  // A leading dot would hide the file, and Windows drops one at the end.
  return [...plain]
    .slice(0, mostCharacters)
    .join('')
    .replace(/^[\s.]+|[\s.]+$/g, '');
}
