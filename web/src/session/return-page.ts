/** The link that a user opened before signing in. It belongs to this tab and is lost with it. */
const key = 'wanted-page';

/** @param href path and search of this site */
export const keepReturnPage = (href: string): void => sessionStorage.setItem(key, href);

/** Where to go after sign-in: once to the link that was opened, if it leads into the user's landing page. */
export function takeReturnPage(home: string): string {
  const wanted = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return wanted?.startsWith(`${home}?`) ? wanted : home;
}
