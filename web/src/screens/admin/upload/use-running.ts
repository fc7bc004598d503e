import { limits } from '@kc/rules/limits';
import { useEffect, useState } from 'react';
import { isUnderWay, type Transfer } from '../../../api/uploads.ts';

type LastStep = { readonly number: number; readonly state: 'saving' | 'active' | 'over' };

/**
 * The upload to show progress of, or `undefined`.
 *
 * The server saves a small file faster than it is asked for its state. So an upload that was under way here and has
 * succeeded goes through its last two steps, 85 % and 100 %, long enough to be read, before its outcome is told.
 */
export function useRunning(transfer: Transfer | undefined): Transfer | undefined {
  const [last, setLast] = useState<LastStep>();
  const number = transfer?.number;
  const runs = transfer !== undefined && isUnderWay(transfer);
  if (runs && last?.number !== number) setLast({ number: transfer.number, state: 'saving' });

  const isClosing = transfer?.state === 'active' && last?.number === number && last?.state !== 'over';
  useEffect(() => {
    if (!isClosing || number === undefined) return;
    const steps = [
      setTimeout(() => setLast({ number, state: 'active' }), limits.uploadLastStepMs),
      setTimeout(() => setLast({ number, state: 'over' }), 2 * limits.uploadLastStepMs),
    ];
    return () => steps.forEach(clearTimeout);
  }, [isClosing, number]);

  if (isClosing) return { ...transfer, state: last?.state ?? 'saving' };
  return runs ? transfer : undefined;
}
