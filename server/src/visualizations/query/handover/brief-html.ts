import { createHash } from 'node:crypto';
import type { Brief } from '@kc/rules/brief';
import { htmlText } from '../../../http/html-text.ts';
import { type BriefBlock, type BriefText, sectionsOf, unknownNote } from './brief-sections.ts';
import { pathText } from './handover-columns.ts';

/** The colours are those of the product, in `web/src/tokens.css`. On paper it is always light. */
const style = `
:root { color-scheme: light; --bg: #f6f7fc; --surface: #ffffff; --sunken: #eef0f8; --ink: #12162b; --muted: #535b7c;
  --line: #dfe2f0; --brand-ink: #3f37c9; --brand-soft: #ecebff; }
@media screen and (prefers-color-scheme: dark) {
  :root { color-scheme: dark; --bg: #0a0d1c; --surface: #12172c; --sunken: #0c1022; --ink: #e9ecfb; --muted: #a6aecc;
    --line: #262d4c; --brand-ink: #c3c0ff; --brand-soft: #22224d; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; background: var(--bg); color: var(--ink); overflow-wrap: anywhere;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main, nav, footer { max-width: 50rem; margin: 0 auto 1rem; }
article, nav { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem; }
article { margin-bottom: 1.5rem; }
h1, h2 { line-height: 1.25; margin: 0; text-wrap: balance; }
h1 { font-size: 1.6rem; }
h2 { font-size: 1rem; margin-top: 1.5rem; padding-top: .75rem; border-top: 1px solid var(--line); }
p { margin: .4rem 0 0; }
a { color: var(--brand-ink); }
.where, .sentence, footer { color: var(--muted); font-size: .875rem; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .2rem 1rem; margin: .5rem 0 0; }
dt { color: var(--muted); }
dd { margin: 0; }
.scroll { overflow-x: auto; margin-top: .5rem; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
th, td { padding: .3rem .5rem; border-bottom: 1px solid var(--line); text-align: start; vertical-align: baseline; }
th { font-weight: 600; background: var(--sunken); white-space: nowrap; }
td { overflow-wrap: break-word; }
th:first-child, td:first-child { min-width: 9rem; overflow-wrap: anywhere; }
td.number, th.number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
ul, ol { margin: .5rem 0 0; padding-inline-start: 1.25rem; }
nav ol { columns: 14rem; column-gap: 2rem; padding-inline-start: 2.25rem; }
blockquote { margin: .75rem 0 0; padding: .5rem .75rem; background: var(--brand-soft); border-radius: 8px;
  white-space: pre-wrap; }
@media print {
  @page { margin: 16mm; }
  body { padding: 0; background: none; font-size: 10.5pt; }
  main, nav, footer { max-width: none; }
  article, nav { border: 0; padding: 0; margin: 0; break-after: page; }
  article:last-child { break-after: auto; }
  h2, th { break-after: avoid; }
  tr, li, blockquote { break-inside: avoid; }
  thead { display: table-header-group; }
  .scroll { overflow: visible; }
}
`;

/** Nothing may be loaded or run but this style, wherever the file is opened. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`;

/** A table of contents with more entries than this is no help. */
const mostContents = 500;

/**
 * Briefs as one page that needs nothing else: it has no scripts, loads nothing, and is for screens and paper.
 *
 * @param titles the names of the entries, for a table of contents if there are several
 */
export async function* briefsHtml(
  briefs: AsyncIterable<Brief>,
  { root, titles }: { readonly root: string; readonly titles: readonly string[] },
): AsyncGenerator<string> {
  const title = titles.length === 1 ? `Brief: ${titles[0]}` : `Briefs: ${root}`;
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${htmlText(title)}</title>
<style>${style}</style>
</head>
<body>
${titles.length > 1 && titles.length <= mostContents ? contents(root, titles) : ''}<main>
`;
  let number = 0;
  for await (const brief of briefs) yield articleOf(brief, ++number);
  if (number === 0) yield '<p>There is no entry here.</p>\n';
  yield `</main>\n<footer>${unknownNote}</footer>\n</body>\n</html>\n`;
}

function contents(root: string, titles: readonly string[]): string {
  const items = titles.map((title, at) => `<li><a href="#brief-${at + 1}">${isolated(title)}</a></li>\n`);
  return `<nav aria-label="Briefs"><p>${isolated(root)}</p>\n<ol>\n${items.join('')}</ol></nav>\n`;
}

function articleOf(brief: Brief, number: number): string {
  const id = `brief-${number}`;
  const facts = [
    ...(brief.path.length > 1 ? [isolated(pathText(brief.path))] : []),
    ...(brief.isMissing ? ['This upload does not have it.'] : []),
    ...(brief.opens === undefined
      ? []
      : [`<a href="${htmlText(brief.opens)}" rel="noreferrer">Open in the explorer</a>`]),
  ];
  const parts = sectionsOf(brief).map(
    ({ title, blocks }) => `<h2>${htmlText(title)}</h2>\n${blocks.map((block) => blockHtml(block, title)).join('')}`,
  );
  return `<article id="${id}" aria-labelledby="${id}-title">
<h1 id="${id}-title" dir="auto">${htmlText(brief.title)}</h1>
${facts.map((fact) => `<p class="where">${fact}</p>\n`).join('')}${parts.join('')}</article>
`;
}

function blockHtml(block: BriefBlock, title: string): string {
  switch (block.kind) {
    case 'facts':
      return `<dl>${block.facts.map(([name, value]) => `<dt>${htmlText(name)}</dt><dd>${written(value)}</dd>`).join('\n')}</dl>\n`;
    case 'table': {
      const kinds = block.columns.map(({ isNumber }) => (isNumber ? ' class="number"' : ''));
      const head = block.columns.map((column, at) => `<th scope="col"${kinds[at]}>${htmlText(column.title)}</th>`);
      const rows = block.rows.map((row) => row.map((cell, at) => `<td${kinds[at]}>${written(cell)}</td>`).join(''));
      // What scrolls sideways on a narrow screen is reached by keyboard.
      return `<div class="scroll" role="region" tabindex="0" aria-label="${htmlText(title)}"><table>
<thead><tr>${head.join('')}</tr></thead>
<tbody>${rows.map((row) => `<tr>${row}</tr>\n`).join('')}</tbody></table></div>
`;
    }
    case 'list':
      return `<ul>${block.items.map((item) => `<li>${item.map(written).join('')}</li>\n`).join('')}</ul>\n`;
    case 'sentence':
      return `<p class="sentence">${htmlText(block.text)}</p>\n`;
    case 'note':
      return `<blockquote dir="auto">${htmlText(block.text)}</blockquote>\n`;
  }
}

function written({ text, isOurs = false, href }: BriefText): string {
  if (href !== undefined) return `<a href="${htmlText(href)}" rel="noreferrer">${isolated(text)}</a>`;
  return isOurs ? htmlText(text) : isolated(text);
}

/** A text of a file, whose direction changes nothing around it. */
const isolated = (text: string): string => `<bdi>${htmlText(text)}</bdi>`;
