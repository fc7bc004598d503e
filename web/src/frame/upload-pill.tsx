import { paths } from '@kc/rules/paths';
import { Link } from '@tanstack/react-router';
import { isUnderWay, percentOf, useUploads } from '../api/uploads.ts';

const heldWords = { paused: 'paused', lost: 'waiting', 'signed-out': 'waiting' } as const;

/** The running upload, from every page: a ring that fills, and the way back to it. */
export function UploadPill() {
  const transfer = useUploads((uploads) => uploads.transfer);
  if (!transfer || !isUnderWay(transfer)) return null;
  const percent = percentOf(transfer);
  const held = transfer.standstill && heldWords[transfer.standstill];
  return (
    <Link
      to={paths.admin}
      search={{ tab: 'upload' }}
      aria-label={`Upload of ${transfer.fileName}: ${percent}%${held ? `, ${held}` : ''}`}
      title={`${transfer.fileName} for ${transfer.receiver.email}`}
      className="flex h-9 items-center gap-2 rounded-full bg-brand-soft pr-3 pl-2 font-medium text-brand-ink text-small no-underline touch:h-11"
    >
      <svg viewBox="0 0 24 24" aria-hidden="true" className="size-6 -rotate-90">
        <circle cx="12" cy="12" r="9" fill="none" strokeWidth="3" className="stroke-line" />
        <circle
          cx="12"
          cy="12"
          r="9"
          fill="none"
          strokeWidth="3"
          pathLength="100"
          strokeDasharray={`${percent} 100`}
          className={held ? 'stroke-warn' : 'stroke-brand'}
        />
      </svg>
      {percent}%{held && <span className="hidden capitalize sm:inline">{held}</span>}
    </Link>
  );
}
