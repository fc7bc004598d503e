/** Keys of how the product looks on this device; it says nothing of anybody. */
const choices = /^(theme|sidebar|explorer)/;

/**
 * Signing out has the browser clear all that this site keeps (`Clear-Site-Data`); what was chosen for the device comes
 * back afterwards.
 */
export async function keepingDeviceChoices<T>(clearing: () => Promise<T>): Promise<T> {
  const kept = Object.entries(localStorage).filter(([key]) => choices.test(key));
  const answer = await clearing();
  for (const [key, value] of kept) localStorage.setItem(key, value);
  return answer;
}
