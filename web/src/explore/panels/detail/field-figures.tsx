import { figureName } from '@kc/pack/filter-words/figure-name';
import type { NumberField } from '@kc/pack/slice/slice';
import type { BranchMembers, NodeDetail } from '@kc/rules/shapes';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import {
  confidenceText,
  exact,
  isConfidence,
  knownFor,
  namedValue,
  share,
  unknown,
  writeFigure,
} from '../../format/figure-text.ts';
import { fieldKey, isScoreKey, isSeasonKey } from '../../tree-data/figures.ts';
import { useExplorer, useLooks } from '../explorer-context.ts';
import { Section } from '../section.tsx';

/** Metrics that are shown separately above. */
const shownAbove: ReadonlySet<string> = new Set(['competition', 'position']);

/** Notes that a mean is weighted by impressions, and for how many keywords if not for all known ones. */
function weightOf(name: string, known: number, weighed: NodeDetail['byImpressions']): string {
  const of = weighed.find((field) => field.name === name)?.known;
  if (of === undefined) return '';
  return ` weighted by impressions${of < known ? ` of ${exact(of)}` : ''}`;
}

/**
 * Totals of a branch for the fields of the file, whether a chart uses them or not. Renders nothing if there are no
 * fields.
 */
export function FieldFigures({ node, weighed }: { node: number; weighed: NodeDetail['byImpressions'] }) {
  const { id, source, tree } = useExplorer();
  const { fields, filter, readScore: score } = useLooks('fields', 'filter', 'readScore');
  const names = fields
    ?.map((field) => field.name)
    .filter((name) => !shownAbove.has(name) && !isSeasonKey(fieldKey(name)));
  const found = useQuery({
    queryKey: ['fields-of', id, node, filter],
    queryFn: ({ signal }) => source.slice({ node, budget: 1, skip: 0, filter, fields: names ?? [] }, signal),
    enabled: names !== undefined && names.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const hasSets = fields?.some(({ kind }) => kind === 'set') ?? false;
  const keywordsHere = found.data?.keywords[0] ?? 0;
  // Until the details load, show the most common value, which every slice includes.
  const members = useQuery({
    queryKey: ['members-of', id, node, filter],
    queryFn: ({ signal }) => source.members({ node, filter }, { signal }),
    enabled: hasSets && keywordsHere > 1,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const slice = found.data;
  if (!slice) return null;
  const row = tree.rowOf(node);
  const how = (name: string, known: number) => score?.how(tree, row, { name, known });
  const keywords = slice.keywords[0]!;
  return (
    <Section title="More from the file">
      <dl className="m-0 grid grid-cols-[minmax(6rem,2fr)_3fr] gap-x-3 gap-y-1.5 text-small">
        {slice.fields.map((field) => {
          const known = field.known[0]!;
          const text = known === 0 ? unknown : field.kind === 'number' ? numberText(field) : namedValue(field, 0);
          const counted = members.data?.find(({ name }) => name === field.name);
          return (
            <div key={field.name} className="contents">
              <dt dir="auto" className="break-words text-left text-muted">
                {figureName(fieldKey(field.name))}
              </dt>
              <dd className="m-0 min-w-0 break-words">
                {known > 0 && keywords > 1 && counted ? (
                  <MemberCounts members={counted} keywords={keywords} />
                ) : (
                  <>
                    <bdi className={known === 0 ? 'text-muted italic' : 'text-ink'}>{text}</bdi>
                    {known > 0 && (keywords > 1 || isScoreKey(fieldKey(field.name))) && (
                      <span className="block text-micro text-muted">
                        {isScoreKey(fieldKey(field.name))
                          ? how(field.name, known)
                          : field.kind === 'number'
                            ? [
                                `${rollUpTexts[field.rollUp]}${weightOf(field.name, known, weighed)}`,
                                knownFor(known, keywords),
                              ]
                                .filter(Boolean)
                                .join(', ')
                            : `${exact(field.count[0])} of ${exact(known)} known`}
                      </span>
                    )}
                  </>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </Section>
  );
}

const rollUpTexts = { sum: 'sum', mean: 'mean', own: 'its own, or else the mean' } as const;

function numberText(field: NumberField): string {
  const key = fieldKey(field.name);
  return isConfidence(key, field) ? confidenceText(field.value[0]!) : writeFigure(key, field.value[0]);
}

/** How many members are shown initially. One more is shown directly, because a button would take the same space. */
const shownAtFirst = 5;

/** How many of a branch's keywords have each member of a set, with a bar for the share of known keywords. */
function MemberCounts({ members, keywords }: { members: BranchMembers; keywords: number }) {
  const [isWhole, setWhole] = useState(false);
  const listId = useId();
  const { values, known } = members;
  const isLong = values.length > shownAtFirst + 1;
  const shown = isLong && !isWhole ? values.slice(0, shownAtFirst) : values;
  return (
    <>
      <ul id={listId} className="m-0 flex list-none flex-col gap-1 p-0">
        {shown.map(({ value, count }) => (
          <li key={value}>
            <span className="flex gap-2">
              <bdi className="min-w-0 flex-1 break-words text-ink">{value}</bdi>
              <span className="shrink-0 text-muted">{exact(count)}</span>
              <span className="w-18 shrink-0 text-right text-muted">{share(count, known)}</span>
            </span>
            <span
              aria-hidden="true"
              className="block h-1 rounded-full bg-brand forced-colors:bg-[CanvasText]"
              style={{ width: `${Math.max(1, (count / known) * 100)}%` }}
            />
          </li>
        ))}
      </ul>
      {isLong && (
        <button
          type="button"
          aria-expanded={isWhole}
          aria-controls={listId}
          onClick={() => setWhole(!isWhole)}
          className="mt-1 min-h-6 rounded-chip text-micro font-medium text-brand-ink hover:underline touch:min-h-11"
        >
          {isWhole ? `Only the first ${shownAtFirst}` : `All ${exact(values.length)}`}
        </button>
      )}
      <span className="block text-micro text-muted">{knownFor(known, keywords)}</span>
    </>
  );
}
