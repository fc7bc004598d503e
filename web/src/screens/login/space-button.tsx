import { limits } from '@kc/rules/limits';
import { ArrowRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { spaceButtonClass } from '../../ui/space-button.ts';
import { nextWords } from './loading-messages.ts';
import { OrbitingMark } from './orbiting-mark.tsx';

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
      <OrbitingMark />
      {words}
    </>
  );
}
