/** Characters that file systems reject, and invisible ones or ones that change the reading direction. */
const unfit = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\/:*?"<>|]+/gu;
const mostCharacters = 100;

/**
 * The file name of a download: the name of the uploaded file, followed by the name of the branch.
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
