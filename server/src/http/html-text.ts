const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as it is, in an element or in an attribute with quotes. HTML has no way to write control characters. */
export const htmlText = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => entities[sign]!).replace(/[^\P{Cc}\t\n]|\p{Cs}/gu, '\u{fffd}');
