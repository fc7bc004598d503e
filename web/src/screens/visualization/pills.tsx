import { say } from '@kc/rules/messages';
import { CloudOff, Sparkles } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { lazily } from '../../ui/lazily.ts';

type PillsProps = {
  /** Goes on to newer data; undefined when there is none. */
  readonly onUpdate: (() => void) | undefined;
  /** Whether what is looked at is the sample, so that the newer data are the first. */
  readonly isSample: boolean;
  /** When the server was last heard, milliseconds since 1970; undefined while it can be reached. */
  readonly heardAt: number | undefined;
};

const time = lazily(() => new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }));

/** What waits over the picture without moving it: newer data, and that the server is out of reach. */
export function Pills({ onUpdate, isSample, heardAt }: PillsProps) {
  return (
    <div role="status" className="pointer-events-none flex flex-col items-center *:my-1">
      {onUpdate && (
        <button
          type="button"
          onClick={onUpdate}
          className={`${pillClass} pointer-events-auto bg-brand text-on-brand hover:bg-brand-hover`}
        >
          <Sparkles size={16} strokeWidth={1.75} aria-hidden="true" />
          {say(isSample ? 'visualization/first' : 'visualization/newer')}
        </button>
      )}
      {heardAt !== undefined && (
        <p className={`${pillClass} m-0 border border-line-strong bg-surface text-ink`}>
          <CloudOff size={16} strokeWidth={1.75} aria-hidden="true" className="text-warn" />
          {say('visualization/offline', { time: time().format(heardAt) })}
        </p>
      )}
    </div>
  );
}

const pillClass = 'flex h-9 items-center gap-2 rounded-full px-4 text-small font-medium shadow-2 touch:h-11';

/** Whether the browser has a connection at all. */
export function useOnline(): boolean {
  return useSyncExternalStore(listen, () => navigator.onLine);
}

function listen(onChange: () => void): () => void {
  addEventListener('online', onChange);
  addEventListener('offline', onChange);
  return () => {
    removeEventListener('online', onChange);
    removeEventListener('offline', onChange);
  };
}
