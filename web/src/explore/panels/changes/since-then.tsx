import { say } from '@kc/rules/explorer-messages';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../ui/button.tsx';
import { exact, isKnown, mean } from '../../format/figure-text.ts';
import { useExplorer, useLooks } from '../explorer-context.ts';
import { Section } from '../section.tsx';
import { changeWords, differenceText, pathText } from './change-words.ts';
import { uploadMoment, useEarlier } from './use-uploads.ts';

const figures = [
  { of: 'keywords', label: 'Keywords', write: exact },
  { of: 'volume', label: 'Volume', write: exact },
  { of: 'difficulty', label: 'Difficulty', write: mean },
  { of: 'position', label: 'Position', write: mean },
] as const;

/** Lists what changed in a branch. */
function ListWithin({ node }: { node: number }) {
  const { store, tree } = useExplorer();
  const row = tree.rowOf(node);
  if (row <= 0 || tree.childCount[row] === 0) return null;
  return (
    <Button
      size="dense"
      className="mt-2"
      onClick={() => store.setState({ panel: 'changes', changesIn: tree.addressOf(row) })}
    >
      List what changed in it
    </Button>
  );
}

/** In the details of a node: its figures before and after, and where it was. */
export function SinceThen({ node }: { node: number }) {
  const explorer = useExplorer();
  const { vs, filter, thresholds } = useLooks('vs', 'filter', 'thresholds');
  const earlier = useEarlier();
  const found = useQuery({
    queryKey: ['change', explorer.id, vs, node, filter, thresholds],
    queryFn: ({ signal }) => explorer.source.change({ vs: vs!, node, filter, ct: thresholds || undefined }, { signal }),
    enabled: vs !== undefined && explorer.source.uploads !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (vs === undefined) return null;
  const title = `Since ${uploadMoment(earlier)}`;
  if (!found.data) {
    return (
      <Section title={title}>
        <p role="status" className="m-0 text-small text-muted">
          {found.isError ? say('explore/changes-failed') : 'Comparing…'}
        </p>
      </Section>
    );
  }
  const { changes, before, after, from } = found.data;
  return (
    <Section title={title}>
      <p className="m-0 mb-2 flex flex-wrap gap-x-3 text-small">
        {changes.length === 0 && 'No change'}
        {changes.map((one) => (
          <span key={one}>
            <span aria-hidden="true">{changeWords[one].sign} </span>
            {changeWords[one].label}
          </span>
        ))}
      </p>
      {from && (
        <p className="m-0 mb-2 text-small text-muted">
          Was <bdi>{pathText(from)}</bdi>
        </p>
      )}
      {before && after && (
        <table className="w-full text-small">
          <thead className="text-micro text-muted">
            <tr>
              <th scope="col" className="py-0.5 text-left font-normal">
                <span className="sr-only">Figure</span>
              </th>
              <th scope="col" className="py-0.5 text-right font-normal">
                Before
              </th>
              <th scope="col" className="py-0.5 text-right font-normal">
                After
              </th>
              <th scope="col" className="py-0.5 text-right font-normal">
                Change
              </th>
            </tr>
          </thead>
          <tbody className="tabular-nums">
            {figures
              .filter(({ of }) => isKnown(before[of]) || isKnown(after[of]))
              .map(({ of, label, write }) => (
                <tr key={of}>
                  <th scope="row" className="py-0.5 text-left font-normal text-muted">
                    {label}
                  </th>
                  <td className="py-0.5 text-right">{write(before[of])}</td>
                  <td className="py-0.5 text-right">{write(after[of])}</td>
                  <td className="py-0.5 text-right">{differenceText(before, after, of) || '–'}</td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
      <ListWithin node={node} />
    </Section>
  );
}
