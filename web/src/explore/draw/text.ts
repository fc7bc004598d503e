/**
 * Text that fits its place: measured once, cut with an ellipsis, broken into lines at blanks. A writer belongs to one
 * font of one context.
 */
const remembered = 20_000;

export type Writer = {
  readonly font: string;
  readonly lineHeight: number;
  width(text: string): number;
  /** The text, or its beginning with "…", at most `width` wide; empty when not even that fits. */
  fit(text: string, width: number): string;
  /** The text in at most `lines` lines; the last one may end in "…". */
  wrap(text: string, width: number, lines: number): readonly string[];
};

export function createWriter(measure: (text: string) => number, font: string, lineHeight: number): Writer {
  const widths = new Map<string, number>();
  const fitted = new Map<string, string>();
  const wrapped = new Map<string, readonly string[]>();

  const width = (text: string) => remember(widths, text, () => measure(text));
  const fit = (text: string, room: number) =>
    width(text) <= room
      ? text
      : remember(fitted, `${Math.floor(room)} ${text}`, () => cut(text, Math.floor(room), width));
  const wrap = (text: string, room: number, lines: number) =>
    remember(wrapped, `${lines} ${Math.floor(room)} ${text}`, () =>
      breakLines(text, Math.floor(room), lines, width, fit),
    );
  return { font, lineHeight, width, fit, wrap };
}

function remember<V>(cache: Map<string, V>, key: string, compute: () => V): V {
  const known = cache.get(key);
  if (known !== undefined) return known;
  if (cache.size > remembered) cache.clear();
  const value = compute();
  cache.set(key, value);
  return value;
}

/** The longest beginning that fits with its ellipsis, by halving; whole characters of any script stay whole. */
function cut(text: string, room: number, width: (text: string) => number): string {
  const characters = charactersOf(text);
  let [low, high] = [0, characters.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (width(shortened(characters, middle)) <= room) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? '' : shortened(characters, low);
}

const shortened = (characters: readonly string[], count: number) => `${characters.slice(0, count).join('').trimEnd()}…`;

const segmenter = new Intl.Segmenter();

function charactersOf(text: string): readonly string[] {
  if (/^[ -~]*$/.test(text)) return [...text];
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function breakLines(
  text: string,
  room: number,
  lines: number,
  width: (text: string) => number,
  fit: (text: string, room: number) => string,
): readonly string[] {
  const words = text.split(' ');
  const done: string[] = [];
  let line = '';
  for (let i = 0; i < words.length; i++) {
    const longer = line === '' ? words[i]! : `${line} ${words[i]!}`;
    if (line === '' || width(longer) <= room) {
      line = longer;
      continue;
    }
    if (done.length + 1 >= lines) {
      line = [line, ...words.slice(i)].join(' ');
      break;
    }
    done.push(fit(line, room));
    line = words[i]!;
  }
  return [...done, fit(line, room)].filter((part) => part !== '');
}
