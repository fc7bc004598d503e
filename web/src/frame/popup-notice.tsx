import { sayRefusal } from '@kc/rules/messages';
import { type ReactNode, useCallback } from 'react';
import { toRefusal } from '../api/refusal.ts';
import { PopupFailed } from '../ui/lazy-popup.tsx';
import { useToast } from '../ui/toast.tsx';

/** Says why a menu does not open: its script is loaded when it is asked for, and may not come. */
export function PopupNotice({ children }: { children: ReactNode }) {
  const toast = useToast();
  const tell = useCallback((failure: unknown) => toast(sayRefusal(toRefusal(failure))), [toast]);
  return <PopupFailed value={tell}>{children}</PopupFailed>;
}
