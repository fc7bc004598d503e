import type { Visualization } from '@kc/rules/shapes';
import { useQuery } from '@tanstack/react-query';
import { dateText, isoDayText } from '../../../ui/number-text.ts';
import { useExplorer, useLook } from '../explorer-context.ts';

/**
 * The uploads of the owner, newest first, including the one that is shown. Asked for again when visualizations change.
 */
export function useUploads(isEnabled = true) {
  const { id, source } = useExplorer();
  return useQuery({
    queryKey: ['visualizations', 'to compare with', id],
    queryFn: ({ signal }) => source.uploads!(signal),
    enabled: isEnabled && source.uploads !== undefined,
  });
}

/** The upload that is compared with, once it is known. */
export function useEarlier(): Visualization | undefined {
  const vs = useLook((state) => state.vs);
  const uploads = useUploads(vs !== undefined);
  return uploads.data?.find(({ id }) => id === vs);
}

type Dated = Pick<Visualization, 'uploadDate' | 'exportedOn'>;

/** In some files only the hierarchy names keywords. */
export const keywordsIn = ({ keywords, nodes }: Pick<Visualization, 'keywords' | 'nodes'>): number => keywords || nodes;

/** "the export of Jan 12, 2026", or "Jan 12, 2026, 09:41 AM": several uploads may be of one day. */
export function uploadMoment(upload: Dated | undefined): string {
  if (!upload) return 'another upload';
  return upload.exportedOn === undefined
    ? dateText(upload.uploadDate)
    : `the export of ${isoDayText(upload.exportedOn)}`;
}

/** "Exported Jan 12, 2026 · published Feb 1, 2026, 09:41 AM": one export may be published several times. */
export const uploadMoments = ({ uploadDate, exportedOn }: Dated): string => {
  const published = dateText(uploadDate);
  return exportedOn === undefined ? published : `Exported ${isoDayText(exportedOn)} · published ${published}`;
};

/** Whether an upload is newer than another one: by the days of their exports if both are known, and they differ. */
export function isNewer(one: Dated, other: Dated): boolean {
  const [day, otherDay] = [one.exportedOn, other.exportedOn];
  if (day !== undefined && otherDay !== undefined && day !== otherDay) return day > otherDay;
  return one.uploadDate > other.uploadDate;
}

type Named = Dated & Pick<Visualization, 'rootName'>;

/**
 * "From may.json of May 1, 2026, 09:41 AM (older) to june.json of Jun 1, 2026, 09:12 AM (newer, on the screen)"; of exports, with the
 * days of both.
 */
export function directionText(from: Named, to: Named): string {
  const named = ({ rootName: name, uploadDate: date, exportedOn }: Named) =>
    exportedOn === undefined
      ? `${name} of ${dateText(date)}`
      : `${name}, exported ${isoDayText(exportedOn)}, published ${dateText(date)}`;
  const [first, second] = isNewer(from, to) ? ['newer', 'older'] : ['older', 'newer'];
  return `From ${named(from)} (${first}) to ${named(to)} (${second}, on the screen)`;
}
