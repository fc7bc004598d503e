import { say } from '@kc/rules/messages';
import { useId } from 'react';

/** Google sign-in, which this server does not offer: the button says so instead of failing. */
export function GoogleButton({ label }: { readonly label: string }) {
  const note = useId();
  return (
    <div>
      <button
        type="button"
        disabled
        aria-describedby={note}
        className="flex h-11 w-full cursor-not-allowed items-center justify-center gap-3 rounded-control border border-space-border text-body font-medium text-space-muted"
      >
        <span className="inline-flex size-7 items-center justify-center rounded-chip bg-white">
          <GoogleMark />
        </span>
        {label}
      </button>
      <p id={note} className="mt-1.5 text-center text-small text-space-muted">
        {say('sign-in/google-off')}
      </p>
    </div>
  );
}

function GoogleMark() {
  return (
    <svg viewBox="0 0 24 24" className="size-4.5" aria-hidden="true">
      <path fill="none" stroke="#4285f4" strokeWidth="4" d="M12 12h9.6a9.6 9.6 0 0 1-3.1 6.6" />
      <path fill="none" stroke="#34a853" strokeWidth="4" d="M18.5 18.6a9.3 9.3 0 0 1-14.2-2.3" />
      <path fill="none" stroke="#fbbc05" strokeWidth="4" d="M4.3 16.3a9.3 9.3 0 0 1 0-8.6" />
      <path fill="none" stroke="#ea4335" strokeWidth="4" d="M4.3 7.7a9.3 9.3 0 0 1 14.3-2.2" />
    </svg>
  );
}
