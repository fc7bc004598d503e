import type { Brief } from '@kc/rules/brief';
import { type BriefBlock, type BriefText, sectionsOf, unknownNote } from './brief-sections.ts';
import { pathText } from './handover-columns.ts';
import { escaped } from './outline-markdown.ts';

/** Briefs as one Markdown text, each under a heading of the first level. */
export async function* briefsMarkdown(briefs: AsyncIterable<Brief>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const brief of briefs) {
    yield `${isFirst ? '' : '\n---\n\n'}${briefMarkdown(brief)}`;
    isFirst = false;
  }
  if (isFirst) yield 'There is no entry here.\n';
}

function briefMarkdown(brief: Brief): string {
  const where = brief.path.length > 1 ? `${escaped(pathText(brief.path))}\n\n` : '';
  const missing = brief.isMissing ? 'This upload does not have it.\n\n' : '';
  // The address is ours, so nothing in it needs an escape.
  const opens = brief.opens === undefined ? '' : `[Open in the explorer](${brief.opens})\n\n`;
  const parts = sectionsOf(brief).map(
    ({ title, blocks }) => `## ${title}\n\n${blocks.map(blockMarkdown).join('\n')}\n`,
  );
  return `# ${escaped(brief.title)}\n\n${where}${missing}${opens}${parts.join('')}${unknownNote}\n`;
}

function blockMarkdown(block: BriefBlock): string {
  switch (block.kind) {
    case 'facts':
      return block.facts.map(([title, value]) => `- ${title}: ${written(value)}\n`).join('');
    case 'table':
      return [
        line(block.columns.map(({ title }) => title)),
        line(block.columns.map(({ isNumber }) => (isNumber ? '---:' : '---'))),
        ...block.rows.map((row) => line(row.map(written))),
      ].join('');
    case 'list':
      return block.items.map((item) => `- ${item.map(written).join('')}\n`).join('');
    case 'sentence':
      return `${block.text}\n`;
    case 'note':
      return block.text
        .split('\n')
        .map((text) => `> ${escaped(text)}  \n`)
        .join('');
  }
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
const written = ({ text, isOurs = false }: BriefText): string => (isOurs ? text : escaped(text));
