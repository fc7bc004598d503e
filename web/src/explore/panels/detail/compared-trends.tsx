import { Badge } from '../../../ui/badge.tsx';
import { type Compared, nameOf } from '../../model/compared-nodes.ts';
import { useExplorer } from '../explorer-context.ts';
import { Section } from '../section.tsx';
import type { ComparedDetails } from './compared-figures.ts';
import { TrendColumns } from './trend-chart.tsx';
import { monthName, peakOf } from './trend-months.ts';

type Props = { readonly compared: readonly Compared[]; readonly details: ComparedDetails };

/** The year of each node that is compared, where it is known of two at least. */
export function ComparedTrends({ compared, details }: Props) {
  const { tree } = useExplorer();
  const trends = compared.flatMap((one, nth) => {
    const trend = details[nth]?.trend;
    return trend ? [{ nth, trend, name: nameOf(tree, one) }] : [];
  });
  if (trends.length < 2) return null;
  return (
    <Section title="Trends">
      <ul className="m-0 grid list-none grid-cols-2 gap-x-4 gap-y-3 p-0">
        {trends.map(({ nth, trend, name }) => (
          <li key={nth} className="min-w-0">
            <p className="m-0 mb-1 flex items-center gap-1.5 text-micro text-muted">
              <Badge tone="brand">{nth + 1}</Badge>
              <bdi className="min-w-0 truncate">{name}</bdi>
            </p>
            <TrendColumns trend={trend} />
            <p className="m-0 mt-1 text-micro text-muted">{peakText(trend)}</p>
          </li>
        ))}
      </ul>
      <p className="m-0 mt-1 text-micro text-muted">Each on a scale of its own, oldest month first</p>
    </Section>
  );
}

function peakText({ months, newest }: NonNullable<NonNullable<ComparedDetails[number]>['trend']>): string {
  const peak = peakOf(months);
  return peak === undefined ? 'The same every month' : `Peak: ${monthName(peak, newest)}`;
}
