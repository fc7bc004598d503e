import { X } from 'lucide-react';
import { useExplorer } from '../explorer-context.ts';
import { uploadMoment, useEarlier } from './use-uploads.ts';

/** "Compared with Jan 12, 2026 ✕", among the chips of the filter. */
export function ComparedChip() {
  const explorer = useExplorer();
  const text = `Compared with ${uploadMoment(useEarlier())}`;
  return (
    <button
      type="button"
      aria-label={`Stop comparing: ${text}`}
      onClick={explorer.stopComparingUploads}
      className="flex min-h-7 shrink-0 items-center gap-1 rounded-full border border-line bg-info-soft pr-2 pl-3 text-small whitespace-nowrap text-info hover:border-brand touch:min-h-11"
    >
      {text}
      <X size={14} aria-hidden="true" className="shrink-0" />
    </button>
  );
}
