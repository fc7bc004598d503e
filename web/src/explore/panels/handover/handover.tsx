import { use } from 'react';
import type { Explorer } from '../../model/explorer.ts';
import type { HandoverCalls } from '../../model/source.ts';
import { useExplorer } from '../explorer-context.ts';
import { HandoverDialog } from './handover-dialog.tsx';

const loading = new WeakMap<Explorer, Promise<HandoverCalls>>();

/** The dialog, once its calls are loaded. */
export function Handover() {
  const explorer = useExplorer();
  const { handover } = explorer.source;
  if (!handover) return null;
  const calls = loading.get(explorer) ?? handover();
  loading.set(explorer, calls);
  calls.catch(() => loading.delete(explorer));
  return <HandoverDialog calls={use(calls)} />;
}
