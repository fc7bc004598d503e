/** The newest month that a file name or the day of an upload suggest. */
export function suggestedMonth(fileName: string, uploadedAt: number): { month: string; isFromFileName: boolean } {
  const written = /(?<!\d)(20\d\d)[-_.]?(0[1-9]|1[0-2])(?!\d{3})/.exec(fileName);
  if (written) return { month: `${written[1]}-${written[2]}`, isFromFileName: true };
  return { month: new Date(uploadedAt).toISOString().slice(0, 7), isFromFileName: false };
}
