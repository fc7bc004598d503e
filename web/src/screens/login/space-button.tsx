import { limits } from '@kc/rules/limits';
import { ArrowRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { spaceButtonClass } from '../../ui/space.tsx';

/** The main button of the card. While busy it keeps its size and shows a new message every two seconds. */
export function SpaceButton({ label, busy }: { readonly label: string; readonly busy: boolean }) {
  return (
    <button type="submit" aria-busy={busy} className={classNames(spaceButtonClass, 'w-full')}>
      {busy ? <WaitingWords /> : label}
      {!busy && <ArrowRight size={18} strokeWidth={2} />}
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
      <OrbitingMark />
      {words}
    </>
  );
}

/** A busy indicator; the text beside it says what is happening. */
export function OrbitingMark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className="motion size-5 animate-[orbit_1.2s_linear_infinite]">
      <circle cx="12" cy="12" r="9" fill="none" stroke="currentColor" strokeWidth="1.5" opacity="0.35" />
      <circle cx="12" cy="3" r="2.5" fill="currentColor" />
      <circle cx="12" cy="12" r="3" fill="currentColor" />
    </svg>
  );
}

export const waitingWords = [
  'Your dude is getting ready',
  'Let me cook',
  'Firing up the engines',
  'Preparing your SEO magic',
  'Getting your data ready',
] as const;

/**
 * A random waiting message, never the previous one.
 *
 * @param random from 0 to below 1
 */
export function nextWords(previous: string | undefined, random: number): string {
  const others = waitingWords.filter((words) => words !== previous);
  return others[Math.floor(random * others.length)] ?? waitingWords[0];
}
