/** How the product looks on this device; it says nothing of anybody. */
const choices = ['theme', 'theme-setting', 'sidebar', 'explorer.safe-colours', 'explorer.patterns'];

/**
 * Signing out has the browser clear all that this site keeps (`Clear-Site-Data`); what was chosen for the device comes
 * back afterwards.
 */
export async function keepingDeviceChoices<T>(clearing: () => Promise<T>): Promise<T> {
  const kept = choices.map((key) => [key, localStorage.getItem(key)] as const);
  const answer = await clearing();
  for (const [key, value] of kept) if (value !== null) localStorage.setItem(key, value);
  return answer;
}
