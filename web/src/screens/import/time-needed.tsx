import { secondsFor } from '@kc/rules/clustering-time';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { estimateText } from './draft-words.ts';

type Props = {
  /** Undefined until some are counted. */
  readonly keywords: number | undefined;
  /** Whether the lists have all their groups. */
  readonly isGrouped: boolean;
};

/** "About 15 s on this server": what clustering takes by the last runs. Absent until that is known. */
export function TimeNeeded({ keywords, isGrouped }: Props) {
  const { data: rates } = useQuery({
    queryKey: ['clustering rates'],
    queryFn: ({ signal }) => client.clustering.rates(undefined, { signal }),
  });
  if (!rates || !keywords) return null;
  const seconds = secondsFor(rates, keywords, isGrouped);
  return <p className="mr-auto text-muted text-small tabular-nums">About {estimateText(seconds)} on this server</p>;
}
