import { limits } from '@kc/rules/limits';
import { say, sayRefusal } from '@kc/rules/messages';
import type { Session } from '@kc/rules/shapes';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from '../../api/client.ts';
import { toRefusal } from '../../api/refusal.ts';
import { type Notice, unfixed } from './admin-notice.ts';

/**
 * "Fix Admin Status": asks the server to write the status down, says how it went, and loads the page again a moment
 * after it went well. Leaving the page calls the reload off.
 *
 * Source: spec §4 "Fix admin status".
 */
export function useAdminFix(session: Session, tell: (notice: Omit<Notice, 'id'>) => void) {
  const fix = useMutation({
    mutationFn: () => client.adminCheck.fix(),
    onSuccess: ({ updated }) => tell(updated ? { tone: 'success', text: say('admin-check/fixed') } : unfixed(session)),
    onError: (error) =>
      tell({ tone: 'error', text: say('admin-check/fix-failed', { reason: sayRefusal(toRefusal(error)) }) }),
  });
  const fixed = fix.data?.updated === true;
  useEffect(() => {
    if (!fixed) return;
    const timer = setTimeout(() => location.reload(), limits.adminFixReloadMs);
    return () => clearTimeout(timer);
  }, [fixed]);
  return { fix: () => fix.mutate(), busy: fix.isPending || fixed };
}
