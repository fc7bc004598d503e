/** A value in a text: from `start` up to `end`. */
export type JsonRange = { readonly start: number; readonly end: number };

/** A node of a hierarchy; its children are its texts and objects, as they are where a map is read. */
export type NodeRange = JsonRange & { readonly children: readonly NodeRange[] };

type MapRanges = {
  /** The entries of keywords, of any kind. */
  readonly entries: readonly JsonRange[];
  readonly root: NodeRange;
};

/**
 * Finds where the parts of a map are in its text. Of members with the same name, the last counts, as in `JSON.parse`.
 *
 * @param text JSON that was parsed before: nothing is checked
 */
export function rangesOf(text: string): MapRanges {
  const scan = new Scan(text);
  let entries: JsonRange[] = [];
  let root: NodeRange = { start: 0, end: 0, children: [] };
  scan.members((name) => {
    if (name === 'keywords') entries = scan.itemRanges();
    else if (name === 'hierarchy') root = scan.node();
    else scan.skip();
  });
  return { entries, root };
}

/** Replaces or adds a member of an object in its text; the rest stays as it was written. @param json the value */
export function withMember(object: string, name: string, json: string): string {
  const others: string[] = [];
  const scan = new Scan(object);
  scan.members((own, start) => {
    scan.skip();
    if (own !== name) others.push(object.slice(start, scan.at));
  });
  return `{${[...others, `${JSON.stringify(name)}:${json}`].join()}}`;
}

/** Scans JSON. Each method starts at a value and ends after it. */
class Scan {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#blanks();
  }

  get at(): number {
    return this.#at;
  }

  /** @param take receives the name of each member and the position at which it starts */
  members(take: (name: string, start: number) => void): void {
    this.#each(() => {
      const { start, end } = this.skip();
      this.#blanks();
      this.#at++;
      this.#blanks();
      take(JSON.parse(this.#text.slice(start, end)) as string, start);
    });
  }

  itemRanges(): JsonRange[] {
    const ranges: JsonRange[] = [];
    if (this.#text[this.#at] === '[') this.#each(() => ranges.push(this.skip()));
    else this.skip();
    return ranges;
  }

  node(): NodeRange {
    const start = this.#at;
    let children: NodeRange[] = [];
    if (this.#text[start] !== '{') return { ...this.skip(), children };
    this.members((name) => {
      if (name === 'children') children = this.#nodes();
      else this.skip();
    });
    return { start, end: this.#at, children };
  }

  skip(): JsonRange {
    const start = this.#at;
    for (let depth = 0; ; ) {
      const one = this.#text[this.#at];
      if (one === '"') this.#string();
      else if (one === '{' || one === '[') {
        depth++;
        this.#at++;
      } else if (one === '}' || one === ']') {
        depth--;
        this.#at++;
      } else if (depth === 0) this.#plain();
      else this.#at++;
      if (depth === 0) return { start, end: this.#at };
    }
  }

  #nodes(): NodeRange[] {
    const nodes: NodeRange[] = [];
    if (this.#text[this.#at] !== '[') {
      this.skip();
      return nodes;
    }
    this.#each(() => {
      const one = this.#text[this.#at];
      if (one === '"' || one === '{') nodes.push(this.node());
      else this.skip();
    });
    return nodes;
  }

  /** The parts of an object or a list. */
  #each(take: () => void): void {
    this.#at++;
    this.#blanks();
    if (this.#text[this.#at] === '}' || this.#text[this.#at] === ']') {
      this.#at++;
      return;
    }
    for (;;) {
      take();
      this.#blanks();
      const isOver = this.#text[this.#at] !== ',';
      this.#at++;
      if (isOver) return;
      this.#blanks();
    }
  }

  #string(): void {
    for (let from = this.#at + 1; ; ) {
      const quote = this.#text.indexOf('"', from);
      let before = quote - 1;
      while (this.#text[before] === '\\') before--;
      from = quote + 1;
      if ((quote - before) % 2 === 0) continue;
      this.#at = from;
      return;
    }
  }

  /** A number, `true`, `false` or `null`. */
  #plain(): void {
    const ends = /[\s,\]}]|$/gu;
    ends.lastIndex = this.#at;
    this.#at = ends.exec(this.#text)!.index;
  }

  #blanks(): void {
    while (this.#at < this.#text.length && ' \t\n\r'.includes(this.#text[this.#at]!)) this.#at++;
  }
}
