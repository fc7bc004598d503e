import { useQuery } from '@tanstack/react-query';
import { lazily } from '../../../ui/number-text.ts';
import type { Upload } from '../../model/source.ts';
import { useExplorer, useLook } from '../explorer-context.ts';

/**
 * The uploads of the owner, newest first, including the one that is shown. Asked for again when visualizations change.
 */
export function useUploads(isWanted = true) {
  const { id, source } = useExplorer();
  return useQuery({
    queryKey: ['visualizations', 'to compare with', id],
    queryFn: ({ signal }) => source.comparison!.uploads(signal),
    enabled: isWanted && source.comparison !== undefined,
  });
}

/** The upload that is compared with, once it is known. */
export function useEarlier(): Upload | undefined {
  const vs = useLook((state) => state.vs);
  const uploads = useUploads(vs !== undefined);
  return uploads.data?.find(({ id }) => id === vs);
}

const moment = lazily(() => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }));

/** "Jan 12, 2026, 9:41 AM": several uploads may be of one day. */
export const uploadMoment = (upload: Pick<Upload, 'date'> | undefined): string =>
  upload ? moment().format(upload.date) : 'another upload';

/** "From may.json of May 1, 2026, 9:41 AM (older) to june.json of Jun 1, 2026, 9:12 AM (newer, on the screen)" */
export function directionText(from: Upload, to: Upload): string {
  const [first, second] = from.date <= to.date ? ['older', 'newer'] : ['newer', 'older'];
  return `From ${from.name} of ${uploadMoment(from)} (${first}) to ${to.name} of ${uploadMoment(to)} (${second}, on the screen)`;
}
