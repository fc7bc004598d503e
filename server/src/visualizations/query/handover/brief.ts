import { fileLanguages } from '@kc/pack/filter/file-languages';
import type { ByteSource } from '@kc/pack/format/byte-source';
import { namesOf } from '@kc/pack/format/names-at';
import { noRow } from '@kc/pack/format/pack-format';
import { describeSimilar } from '@kc/pack/format/similar';
import { figuresOfRows } from '@kc/pack/handover/handover';
import { questionTest } from '@kc/pack/match/match-questions';
import { packResults } from '@kc/pack/warnings/pack-results';
import type { Brief, BriefKeyword, BriefPage, BriefPages, Some } from '@kc/rules/brief';
import { columnsFor, entryRow, type HandoverRow, missingRow, outlineFacts, pathOf } from './handover-columns.ts';
import { type Handover, type HandoverLine, isSameKeyword } from './handover-lines.ts';
import type { HandoverQuery, PlannedRow } from './handover-query.ts';
import { urlsOf } from './keyword-lines.ts';

/** Supporting keywords of a brief, unless somebody chooses another number. */
const usualTop = 20;

/** A brief lists at most so many of these. */
const most = { questions: 15, pages: 10, similar: 5 } as const;
/** URLs are looked at for the heaviest keywords of an entry. They may have to be read from the uploaded file. */
const mostLookedAt = 2_000;
const blockRows = 512;

/**
 * The briefs of a hand-over, in its order.
 *
 * Cost: the names of all keywords of each entry, the figures of those that are listed, and the URLs of at most 2,000 of each.
 */
export async function* briefsOf(handover: Handover, original: ByteSource, query: HandoverQuery): AsyncGenerator<Brief> {
  const isQuestion = questionTest(fileLanguages(handover.pack.metadata.fields));
  for await (const lines of handover.lines()) {
    for (const line of lines) yield await briefOf(handover, line, { original, query, isQuestion });
  }
  for (const entry of handover.missing) yield briefOfMissing(handover, entry, query);
}

/** An entry that the upload does not have. */
function briefOfMissing(handover: Handover, entry: PlannedRow, query: HandoverQuery): Brief {
  const path = pathOf(entry);
  const values = missingRow(entry);
  const { primaryKeyword } = entry.fields;
  return {
    title: path.at(-1)!,
    path,
    node: '',
    isMissing: true,
    ...targetOf(handover, values, query),
    figures: { keywords: entry.keywords, volume: entry.volume ?? undefined, intents: [] },
    primary: primaryKeyword === '' ? undefined : { name: primaryKeyword, intents: [], isListed: false },
    supporting: nothing,
    questions: nothing,
    lookedAt: 0,
  };
}

const nothing = { shown: [], more: 0 };

type Sources = {
  readonly original: ByteSource;
  readonly query: HandoverQuery;
  readonly isQuestion: (name: string) => boolean;
};

async function briefOf(
  handover: Handover,
  line: HandoverLine,
  { original, query, isQuestion }: Sources,
): Promise<Brief> {
  const { pack } = handover;
  const { path, address, figures, place, links, linkedFrom } = line;
  const found = await chosenRows(handover, line, query.top ?? usualTop, isQuestion);
  const keyword = await keywordsAt(handover, [
    ...(found.primary === undefined ? [] : [found.primary]),
    ...found.supporting.shown,
    ...found.questions.shown,
  ]);
  const rows = handover.keywords.of(line.index).subarray(0, mostLookedAt);
  const { source } = query;
  return {
    title: path.at(-1) ?? pack.metadata.rootName,
    path,
    node: address,
    opens: source.link && `${source.link}&sel=${address}&panel=plan`,
    ...targetOf(handover, entryRow(line, '\n'), query),
    figures: {
      keywords: figures.keywords,
      volume: figures.volume,
      volumeKnown: figures.volumeKnown,
      difficulty: figures.difficulty,
      difficultyKnown: figures.difficultyKnown,
      cpc: figures.cpc,
      intents: figures.intents,
      intentKnown: figures.intentKnown,
    },
    primary:
      line.primary === ''
        ? undefined
        : found.primary === undefined
          ? { name: line.primary, intents: [], isListed: false }
          : { ...keyword(found.primary), isListed: found.isListed },
    supporting: { ...found.supporting, shown: found.supporting.shown.map(keyword) },
    questions: { ...found.questions, shown: found.questions.shown.map(keyword) },
    ranking: await rankingPages(handover, rows, original),
    results: await resultPages(handover, rows, original),
    lookedAt: rows.length,
    linksTo: links,
    linksFrom: linkedFrom,
    similar: pack.metadata.similar
      ? (await describeSimilar(pack, place.row)).slice(0, most.similar).map(({ name, above }) => ({ name, above }))
      : undefined,
  };
}

const targetOf = (
  handover: Handover,
  values: HandoverRow,
  { reader }: HandoverQuery,
): Pick<Brief, 'target' | 'note'> => ({
  target: columnsFor(outlineFacts, reader, handover).flatMap(({ id, title }) => {
    const value = String(values[id] ?? '');
    return ofTarget.includes(id) && value !== '' ? [{ id, title, value }] : [];
  }),
  note: String(values.note ?? '') || undefined,
});

/** The facts of a plan that are part of the target. The others have a place of their own. */
const ofTarget: readonly string[] = ['status', 'contentType', 'url', 'owner', 'due', 'tags'];

/** Which keywords of an entry a brief has, as rows. The primary one may be a keyword of another entry. */
async function chosenRows(
  { pack, keywords, pause }: Handover,
  { index, primary, primaryRow }: HandoverLine,
  top: number,
  isQuestion: (name: string) => boolean,
): Promise<{
  primary: number | undefined;
  isListed: boolean;
  supporting: Some<number>;
  questions: Some<number>;
}> {
  const all = keywords.of(index);
  const [supporting, questions]: [number[], number[]] = [[], []];
  let [own, questionCount] = [noRow, 0];
  for (let from = 0; from < all.length; from += blockRows) {
    await pause();
    const rows = all.subarray(from, from + blockRows);
    const nameOf = await namesOf(pack, rows);
    for (const row of rows) {
      const name = nameOf(row);
      if (own === noRow && isSameKeyword(name, primary)) own = row;
      else if (supporting.length < top) supporting.push(row);
      if (!isQuestion(name)) continue;
      questionCount++;
      if (questions.length < most.questions) questions.push(row);
    }
  }
  const isListed = own !== noRow;
  const others = all.length - Number(isListed);
  return {
    primary: isListed ? own : primaryRow,
    isListed,
    supporting: { shown: supporting, more: others - supporting.length },
    questions: { shown: questions, more: questionCount - questions.length },
  };
}

/** Some keywords with their figures, by row. */
async function keywordsAt(
  { pack, figures, pause }: Handover,
  rows: readonly number[],
): Promise<(row: number) => BriefKeyword> {
  const rising = Uint32Array.from(new Set(rows)).sort();
  const [nameOf, ofRows] = [await namesOf(pack, rising), await figuresOfRows(figures, rising, undefined, pause)];
  const found = new Map(
    Array.from(rising, (row, at) => {
      const { volume, difficulty, cpc, position, intents } = ofRows[at]!;
      return [row, { name: nameOf(row), volume, difficulty, cpc, position, intents: intents.map((one) => one.intent) }];
    }),
  );
  return (row) => found.get(row)!;
}

/** The pages that the file names for some keywords, those of most keywords first. */
async function rankingPages(
  { pack, figures, pause }: Handover,
  rows: Uint32Array,
  original: ByteSource,
): Promise<BriefPages | undefined> {
  const pages = new Map<string, { keywords: number; bestPosition?: number | undefined }>();
  let known = 0;
  for (let from = 0; from < rows.length; from += blockRows) {
    await pause();
    const some = rows.subarray(from, from + blockRows);
    const urlOf = await urlsOf(pack, [...some], original, pause);
    const ranked = some.filter((row) => urlOf(row) !== undefined);
    if (ranked.length === 0) continue;
    const ofRows = await figuresOfRows(figures, ranked, undefined, pause);
    known += ranked.length;
    for (const [at, row] of ranked.entries()) {
      const page = pages.get(urlOf(row)!) ?? { keywords: 0 };
      const { position = Number.POSITIVE_INFINITY } = ofRows[at]!;
      const best = Math.min(position, page.bestPosition ?? Number.POSITIVE_INFINITY);
      pages.set(urlOf(row)!, { keywords: page.keywords + 1, ...(Number.isFinite(best) && { bestPosition: best }) });
    }
  }
  return pagesOf(pages, known);
}

/**
 * The pages in the first ten search results of some keywords, those of most keywords first. Of a page in the results of one
 * keyword alone only the address of the best one is kept; others are counted.
 */
async function resultPages(
  { pack, pause }: Handover,
  rows: Uint32Array,
  original: ByteSource,
): Promise<BriefPages | undefined> {
  const found = await packResults(pack, original, pause);
  if (!found) return undefined;
  const { numberOf, results } = found;
  const pages = new Map<number, { keywords: number; bestPosition: number }>();
  let known = 0;
  for (const row of rows) {
    const keyword = numberOf[row]!;
    if (keyword === noRow) continue;
    known++;
    const first = results.offset[keyword]!;
    for (let at = first; at < results.offset[keyword + 1]!; at++) {
      const page = pages.get(results.url[at]!) ?? { keywords: 0, bestPosition: Number.POSITIVE_INFINITY };
      const bestPosition = Math.min(page.bestPosition, at - first + 1);
      pages.set(results.url[at]!, { keywords: page.keywords + 1, bestPosition });
    }
  }
  const named = [...pages].map(([url, page]) => [results.texts[url]!, page] as const);
  const shown = pagesOf(new Map(named.filter(([url]) => url !== '')), known);
  return shown && { ...shown, more: pages.size - shown.shown.length };
}

function pagesOf(pages: ReadonlyMap<string, Omit<BriefPage, 'url'>>, known: number): BriefPages | undefined {
  if (pages.size === 0) return undefined;
  const placeOf = ({ bestPosition = Number.POSITIVE_INFINITY }: BriefPage) => bestPosition;
  const inOrder = Array.from(pages, ([url, page]): BriefPage => ({ url, ...page })).sort(
    (one, other) => other.keywords - one.keywords || placeOf(one) - placeOf(other) || 0,
  );
  const shown = inOrder.slice(0, most.pages);
  return { shown, more: inOrder.length - shown.length, known };
}
