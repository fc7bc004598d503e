import { useRef, useState } from 'react';
import { type NewNotice, type Notice, noticeAfter } from './notices.ts';

/** The notice that is shown, and how to show another or none. `current` is the one shown now, for what happens later. */
export function useNotices() {
  const [notice, setNotice] = useState<Notice>();
  const current = useRef(notice);
  current.current = notice;
  const [tell] = useState(() => (next: NewNotice) => setNotice((last) => noticeAfter(last, next)));
  const [dismiss] = useState(() => () => setNotice(undefined));
  return { notice, current, tell, dismiss };
}
