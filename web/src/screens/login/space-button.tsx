import { limits } from '@kc/rules/limits';
import { ArrowRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { spaceButtonClass } from '../../ui/space-button.ts';
import { nextWords } from './waiting-words.ts';

/** The card's main button. While it works it keeps its size and says something new every two seconds. */
export function SpaceButton({ label, busy }: { readonly label: string; readonly busy: boolean }) {
  return (
    <button type="submit" aria-busy={busy} className={classNames(spaceButtonClass, 'w-full')}>
      {busy ? <WaitingWords /> : label}
      {!busy && <ArrowRight size={18} strokeWidth={2} aria-hidden />}
    </button>
  );
}

function WaitingWords() {
  const [words, setWords] = useState(() => nextWords(undefined, Math.random()));
  useEffect(() => {
    const timer = setInterval(() => setWords((now) => nextWords(now, Math.random())), limits.loginMessageMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <svg viewBox="0 0 24 24" aria-hidden="true" className="motion size-5 animate-[orbit_1.2s_linear_infinite]">
        <circle cx="12" cy="12" r="9" fill="none" stroke="currentColor" strokeWidth="1.5" opacity="0.35" />
        <circle cx="12" cy="3" r="2.5" fill="currentColor" />
        <circle cx="12" cy="12" r="3" fill="currentColor" />
      </svg>
      {words}
    </>
  );
}
