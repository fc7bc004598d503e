/** How long a user waits for a response after pressing a button, in milliseconds. */
const waitMs = 10_000;

/** Reads the document that the server sends for a page. */
export const readPage = () => fetch('/', { cache: 'no-store', signal: AbortSignal.timeout(waitMs) });

/**
 * Reloads the page if the server answers. Without a connection, a reload would leave only the browser's own error page, and
 * what is open would be lost.
 *
 * @returns whether it answers
 */
export async function reloadIfServed(): Promise<boolean> {
  const isServed = await readPage().then(
    ({ ok }) => ok,
    () => false,
  );
  if (isServed) location.reload();
  return isServed;
}
