import { normalForm } from '@kc/pack/names/normal-form';
import { say } from '@kc/rules/messages';
import { useQueries } from '@tanstack/react-query';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Skeleton } from '../../../ui/progress.tsx';
import { exact } from '../../format/figure-text.ts';
import { type Compared, hasFigures } from '../../model/compared-nodes.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { Section } from '../section.tsx';

/** How many of each branch's keywords are compared: the heaviest ones. */
const maxCompared = 5000;
/** The most names that are listed. */
const maxListed = 50;

/** Lists the keywords that only one of the compared nodes has, and those that all of them have. */
export function ComparedKeywords({ compared }: { compared: readonly Compared[] }) {
  const explorer = useExplorer();
  const { tree, source } = explorer;
  const filter = useLook((state) => state.filter);
  const told = compared.flatMap((one, nth) => (hasFigures(tree, one) ? [{ nth, node: tree.node[one]! }] : []));
  const pages = useQueries({
    queries: told.map(({ node }) => ({
      queryKey: ['compared keywords', explorer.id, node, filter],
      queryFn: ({ signal }: { signal: AbortSignal }) => source.keywords({ node, filter, limit: maxCompared }, signal),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  if (told.length < 2) return null;
  const lists = pages.flatMap(({ data }) => (data ? [data.keywords] : []));
  const isCut = pages.some(({ data }) => data?.next !== undefined);
  return (
    <Section title="Keywords that differ">
      {pages.some(({ isError }) => isError) ? (
        <div role="alert" className="text-small text-bad">
          <p className="m-0 mb-2">{say('explore/rest-failed')}</p>
          <Button size="dense" onClick={() => void Promise.all(pages.map(({ refetch }) => refetch()))}>
            Try again
          </Button>
        </div>
      ) : lists.length < told.length ? (
        <Skeleton className="h-20" />
      ) : (
        <Differences lists={lists} numbers={told.map(({ nth }) => nth + 1)} />
      )}
      {isCut && (
        <p className="m-0 mt-1 text-micro text-muted">Among the {exact(maxCompared)} heaviest keywords of each</p>
      )}
    </Section>
  );
}

type DifferencesProps = {
  readonly lists: readonly (readonly ListedKeyword[])[];
  /** The comparison number of each list's node. */
  readonly numbers: readonly number[];
};

function Differences({ lists, numbers }: DifferencesProps) {
  const { shared, only } = differingKeywords(lists);
  return (
    <>
      {only.map((keywords, i) => (
        <Names key={numbers[i]} keywords={keywords}>
          Only in <Badge tone="brand">{numbers[i]}</Badge>
        </Names>
      ))}
      <Names keywords={shared}>In all of them</Names>
    </>
  );
}

function Names({ keywords, children }: { keywords: readonly ListedKeyword[]; children: React.ReactNode }) {
  const explorer = useExplorer();
  const label = (
    <>
      {children}
      <span className="ml-auto text-muted tabular-nums">{exact(keywords.length)}</span>
    </>
  );
  if (keywords.length === 0) return <p className="m-0 flex min-h-8 items-center gap-1.5 pl-4 text-small">{label}</p>;
  return (
    <details className="text-small">
      <summary className="min-h-8 cursor-pointer touch:min-h-11">
        <span className="inline-flex min-h-8 w-[calc(100%-1rem)] items-center gap-1.5">{label}</span>
      </summary>
      <ul className="m-0 list-none p-0 pl-4">
        {keywords.slice(0, maxListed).map(({ node, name }) => (
          <li key={node}>
            <button
              type="button"
              onClick={() => void explorer.goToNode(node)}
              className="min-h-7 max-w-full truncate text-left text-brand-ink hover:underline touch:min-h-11"
            >
              <bdi>{name}</bdi>
            </button>
          </li>
        ))}
        {keywords.length > maxListed && (
          <li className="text-micro text-muted">and {exact(keywords.length - maxListed)} more</li>
        )}
      </ul>
    </details>
  );
}

type ListedKeyword = { readonly node: number; readonly name: string };

type DifferingKeywords = {
  /** Keywords in every list. */
  readonly shared: readonly ListedKeyword[];
  /** For each list, the keywords that no other list has. */
  readonly only: readonly (readonly ListedKeyword[])[];
};

/**
 * Splits lists of keywords into common and unique ones. Spellings compare as in the pack: in NFC, ignoring case and
 * spaces. A keyword that occurs twice in a list counts once. Each list keeps its order.
 */
export function differingKeywords(lists: readonly (readonly ListedKeyword[])[]): DifferingKeywords {
  const maps = lists.map((list) => {
    const byKey = new Map<string, ListedKeyword>();
    for (const one of list) if (!byKey.has(keyOf(one.name))) byKey.set(keyOf(one.name), one);
    return byKey;
  });
  const inAll = (key: string) => maps.every((map) => map.has(key));
  const inOne = (key: string) => maps.filter((map) => map.has(key)).length === 1;
  const pick = (map: ReadonlyMap<string, ListedKeyword> | undefined, test: (key: string) => boolean) =>
    [...(map ?? [])].flatMap(([key, one]) => (test(key) ? [one] : []));
  return { shared: pick(maps[0], inAll), only: maps.map((map) => pick(map, inOne)) };
}

/** Source: docs/pack-format.md: how entries of the file are matched with nodes. */
const keyOf = (name: string): string => normalForm(name, 'NFC').toLowerCase().trim().replaceAll(/\s+/g, ' ');
