/** Keys of display preferences on this device. They contain no personal data. */
const choices = /^(theme|sidebar|explorer)/;

/**
 * Sign-out clears all data of this site in the browser (`Clear-Site-Data`). This restores the device preferences
 * afterwards.
 */
export async function keepingDeviceChoices<T>(clearing: () => Promise<T>): Promise<T> {
  const kept = Object.entries(localStorage).filter(([key]) => choices.test(key));
  const answer = await clearing();
  for (const [key, value] of kept) localStorage.setItem(key, value);
  return answer;
}
