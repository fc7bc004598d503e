import { namesOf } from '@kc/pack/format/names-at';
import { noRow } from '@kc/pack/format/pack-format';
import { figuresOfRows } from '@kc/pack/handover/handover';
import { levelRows } from '@kc/pack/levels/level-rows';
import { monthText } from '@kc/pack/vocabulary/months';
import { figureText, moreText } from './brief-sections.ts';
import { entryRow, type HandoverRow, missingRow, outlineFacts, pathOf, pathText } from './handover-columns.ts';
import type { Handover, HandoverLine } from './handover-lines.ts';
import { keywordLines } from './keyword-lines.ts';

/** A heading per pillar and entry, with the keywords of each entry as a list. @param top at most so many of each entry */
export async function* outlineMarkdown(
  handover: Handover,
  top: number = Number.POSITIVE_INFINITY,
): AsyncGenerator<string> {
  const { pack, missing } = handover;
  yield `# ${escaped(pack.metadata.rootName)}\n`;
  const pillarLine = await pillarLines(handover);
  let pillar = noRow;
  for await (const lines of handover.lines()) {
    for (const line of lines) {
      if (line.place.pillar !== pillar) yield `\n## ${pillarLine(line.place.pillar)}\n`;
      pillar = line.place.pillar;
      yield headOf(line);
      yield* keywordList(handover, line, top);
    }
  }
  if (missing.length === 0) return;
  yield '\n## Not in this upload\n';
  for (const entry of missing) yield `\n### ${escaped(pathText(pathOf(entry)))}\n\n${factsOf(missingRow(entry))}\n`;
}

/** "Help (12 clusters, 36,540)" for each pillar with an entry; the volume is left out where none is known. */
async function pillarLines({ pack, figures, places, pages, pause }: Handover): Promise<(pillar: number) => string> {
  const pillars = [...new Set(places.map(({ pillar }) => pillar))];
  const named = await namesOf(pack, pillars);
  const ofPillars = await figuresOfRows(figures, Uint32Array.from(pillars), undefined, pause);
  const clusters = new Map<number, number>();
  const parent = await pack.column('parent');
  for (const row of await levelRows(figures, pages, 0, pause)) {
    let at = row;
    while (at > 0 && parent[at] !== 0) at = parent[at]!;
    clusters.set(at, (clusters.get(at) ?? 0) + 1);
  }
  const texts = new Map(
    pillars.map((pillar, at) => {
      const [count, { volume }] = [clusters.get(pillar) ?? 0, ofPillars[at]!];
      const facts = [
        ...(count > 0 ? [`${figureText(count)} ${count === 1 ? pages.slice(0, -1) : pages}`] : []),
        ...(volume === undefined ? [] : [figureText(volume)]),
      ];
      return [pillar, `${escaped(named(pillar))}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`] as const;
    }),
  );
  return (pillar) => texts.get(pillar)!;
}

function headOf(line: HandoverLine): string {
  // The pillar has a heading of its own.
  const title = line.path.length > 1 ? line.path.slice(1) : line.path;
  const facts = factsOf(entryRow(line, '; '));
  return `\n### ${escaped(pathText(title))}\n${facts === '' ? '' : `\n${facts}\n`}`;
}

/** What is known of an entry. */
function factsOf(row: HandoverRow): string {
  const facts = outlineFacts.flatMap(({ id, title, kind }) => {
    const value = String(row[id] ?? '');
    return value === '' ? [] : [`${title}: ${escaped(kind === 'month' ? monthText(value) : value)}`];
  });
  // Two blanks at the end break the line within a paragraph.
  return facts.join('  \n');
}

/** @param top at most so many; the others are counted */
async function* keywordList(handover: Handover, { index, primary }: HandoverLine, top: number): AsyncGenerator<string> {
  let listed = 0;
  for await (const lines of keywordLines(handover, index, primary, top)) {
    let part = listed === 0 ? '\n' : '';
    listed += lines.length;
    for (const { name, figures } of lines) {
      const facts = [
        ...(figures.volume === undefined ? [] : [figureText(figures.volume)]),
        ...(figures.difficulty === undefined ? [] : [`KD ${figureText(figures.difficulty)}`]),
      ];
      part += `- ${escaped(name)}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}\n`;
    }
    yield part;
  }
  const more = handover.keywords.count(index) - listed;
  if (more > 0) yield `\n${moreText(more, 'keyword', listed > 0)}\n`;
}

/**
 * A text in one line that Markdown and HTML within it show as it is.
 *
 * Source: https://spec.commonmark.org/0.31.2/#backslash-escapes: every ASCII punctuation character may be escaped. Only
 * those are that mean something within a line, or at its beginning.
 */
export const escaped = (text: string): string =>
  text
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[\\`*_[\]<>|~&$]/gu, '\\$&')
    .replace(/^(?=[#+\-=!:])/u, '\\')
    .replace(/^(\d+)(?=[.)])/u, '$1\\');
