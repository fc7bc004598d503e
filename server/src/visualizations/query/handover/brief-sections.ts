import { shareText } from '@kc/pack/filter-words/share-text';
import { monthText } from '@kc/pack/vocabulary/months';
import type { Brief, BriefKeyword, BriefPages } from '@kc/rules/brief';
import { intentText, pathText } from './handover-columns.ts';

/** A text of a person or a file, a text of ours, or an address to open. */
export type BriefText = { readonly text: string; readonly isOurs?: boolean; readonly href?: string };

/** What a brief says in each form for people, part by part. */
export type BriefBlock =
  | { readonly kind: 'facts'; readonly facts: readonly (readonly [title: string, value: BriefText])[] }
  | {
      readonly kind: 'table';
      readonly columns: readonly { readonly title: string; readonly isNumber: boolean }[];
      readonly rows: readonly (readonly BriefText[])[];
    }
  | { readonly kind: 'list'; readonly items: readonly (readonly BriefText[])[] }
  | { readonly kind: 'sentence'; readonly text: string }
  /** What a person wrote, in its lines. */
  | { readonly kind: 'note'; readonly text: string };

type BriefSection = { readonly title: string; readonly blocks: readonly BriefBlock[] };

/** In a table, what is unknown. */
const unknown = '–';
export const unknownNote = `${unknown} means unknown. It is never 0.`;

/** The parts of a brief, in order. What is not known at all has no part. */
export function sectionsOf(brief: Brief): readonly BriefSection[] {
  const { primary, supporting, questions, ranking, results, note } = brief;
  return [
    section('Target', [
      ...factsOf(targetFacts(brief)),
      ...(note === undefined ? [] : [{ kind: 'note', text: note } as const]),
    ]),
    section(brief.isMissing ? 'Figures when it was last found' : 'Figures', factsOf(figureFacts(brief))),
    section(
      'Primary keyword',
      primary ? [keywordTable([primary]), ...(primary.isListed || brief.isMissing ? [] : [sentence(notListed)])] : [],
    ),
    section('Supporting keywords', listed(supporting.shown, supporting.more, 'keyword')),
    section('Questions', listed(questions.shown, questions.more, 'question')),
    section('Pages that rank best for its keywords', pagesTable(ranking, brief, 'The page is known')),
    section('Pages in the search results', pagesTable(results, brief, 'Results are known')),
    section('Link from here to', linkList(brief.linksTo)),
    section('Link to here from', linkList(brief.linksFrom)),
    section('Similar', similarList(brief)),
  ].filter(({ blocks }) => blocks.length > 0);
}

const section = (title: string, blocks: readonly BriefBlock[]): BriefSection => ({ title, blocks });
const sentence = (text: string): BriefBlock => ({ kind: 'sentence', text });
const ownText = (text: string): BriefText => ({ text, isOurs: true });
const userText = (text: string): BriefText => ({ text });
/** An address is only one to open if it begins as such. */
const address = (text: string): BriefText => (/^https?:\/\/[^/]/i.test(text) ? { text, href: text } : userText(text));

const notListed = 'It is not among the keywords that belong to this entry.';

type Fact = readonly [string, BriefText];
const factsOf = (facts: readonly Fact[]): BriefBlock[] => (facts.length > 0 ? [{ kind: 'facts', facts }] : []);

const targetFacts = ({ target }: Brief): Fact[] =>
  target.map(({ id, title, value }) => [
    title,
    id === 'url' ? address(value) : id === 'due' ? ownText(monthText(value)) : userText(value),
  ]);

function figureFacts({ figures }: Brief): Fact[] {
  const { keywords, volume, volumeKnown, difficulty, difficultyKnown, cpc, intents, intentKnown } = figures;
  const ofKeywords = (known = keywords) =>
    known < keywords ? `, known for ${figureText(known)} of ${figureText(keywords)}` : '';
  const share = difficultyKnown !== undefined && difficultyKnown < 1 ? `, known for ${shareText(difficultyKnown)}` : '';
  return [
    ['Keywords', figureText(keywords)],
    ['Volume', volume === undefined ? undefined : `${figureText(volume)}${ofKeywords(volumeKnown)}`],
    ['Difficulty', difficulty === undefined ? undefined : `${figureText(difficulty)}${share}`],
    ['CPC', cpc === undefined ? undefined : moneyText(cpc)],
    ['Intent', intents.length === 0 ? undefined : `${intentText({ intents })}${ofKeywords(intentKnown)}`],
  ].flatMap(([title, value]): Fact[] => (value === undefined ? [] : [[title!, ownText(value)]]));
}

const figure = (value: number | undefined): string | undefined => (value === undefined ? undefined : figureText(value));

/** The columns of keywords. One of which nothing is known is left out. */
const keywordColumns = [
  { title: 'Volume', isNumber: true, of: ({ volume }: BriefKeyword) => figure(volume) },
  { title: 'Difficulty', isNumber: true, of: ({ difficulty }: BriefKeyword) => figure(difficulty) },
  { title: 'CPC', isNumber: true, of: ({ cpc }: BriefKeyword) => (cpc === undefined ? undefined : moneyText(cpc)) },
  { title: 'Position', isNumber: true, of: ({ position }: BriefKeyword) => figure(position) },
  { title: 'Intent', isNumber: false, of: ({ intents }: BriefKeyword) => intents.map(capitalized).join(', ') },
] as const;

function keywordTable(keywords: readonly BriefKeyword[]): BriefBlock {
  const columns = keywordColumns.filter(({ of }) => keywords.some((one) => cellOf(of(one)) !== unknown));
  return {
    kind: 'table',
    columns: [{ title: 'Keyword', isNumber: false }, ...columns.map(({ title, isNumber }) => ({ title, isNumber }))],
    rows: keywords.map((one) => [userText(one.name), ...columns.map(({ of }) => ownText(cellOf(of(one))))]),
  };
}
const cellOf = (value: string | undefined): string => (value === undefined || value === '' ? unknown : value);

const listed = (shown: readonly BriefKeyword[], more: number, what: string): BriefBlock[] => [
  ...(shown.length > 0 ? [keywordTable(shown)] : []),
  ...(more > 0 ? [sentence(moreText(more, what, shown.length > 0))] : []),
];

/** “And 1,243 more keywords.” */
export const moreText = (more: number, what: string, isAfterSome = true): string =>
  `${isAfterSome ? 'And ' : ''}${figureText(more)} ${isAfterSome ? 'more ' : ''}${what}${more === 1 ? '' : 's'}.`;

function pagesTable(
  pages: BriefPages | undefined,
  { lookedAt, supporting, primary }: Brief,
  known: string,
): BriefBlock[] {
  if (!pages) return [];
  const all = supporting.shown.length + supporting.more + Number(primary?.isListed ?? false);
  const ofThem = lookedAt < all ? `the ${figureText(lookedAt)} heaviest of its keywords` : 'its keywords';
  return [
    {
      kind: 'table',
      columns: [
        { title: 'Page', isNumber: false },
        { title: 'Keywords', isNumber: true },
        { title: 'Best position', isNumber: true },
      ],
      rows: pages.shown.map(({ url, keywords, bestPosition }) => [
        address(url),
        ownText(figureText(keywords)),
        ownText(cellOf(figure(bestPosition))),
      ]),
    },
    sentence(`${known} for ${figureText(pages.known)} of ${ofThem}.`),
    ...(pages.more > 0 ? [sentence(moreText(pages.more, 'page'))] : []),
  ];
}

function linkList(links: Brief['linksTo']): BriefBlock[] {
  if (!links || links.length === 0) return [];
  const items = links.map(({ anchor, path }) => [
    userText(pathText(path)),
    ownText(' with the text “'),
    userText(anchor),
    ownText('”'),
  ]);
  return [{ kind: 'list', items }];
}

function similarList({ similar }: Brief): BriefBlock[] {
  if (!similar || similar.length === 0) return [];
  return [
    { kind: 'list', items: similar.map(({ name, above }) => [userText(name), ownText(' in '), userText(above)]) },
  ];
}

/** 36,540, with a decimal where a figure is no whole number. */
export const figureText = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 1 });
const moneyText = (value: number): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const capitalized = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}`;
