import type { WarningThresholds } from '@kc/pack/vocabulary/warnings';
import { type messages, say } from '@kc/rules/all-messages';
import type { WarningLine } from '@kc/rules/warning-shapes';
import { useQueryClient } from '@tanstack/react-query';
import { useToast } from '../../../ui/toast.tsx';
import { useExplorer } from '../explorer-context.ts';
import { warningsKey } from './use-warnings.tsx';

type Failed = Extract<keyof typeof messages, `warnings/not-${'dismissed' | 'restored' | 'set'}`>;

/** Dismisses and restores warnings and sets thresholds. Everything that depends on these is requested again. */
export function useJudge() {
  const explorer = useExplorer();
  const queries = useQueryClient();
  const toast = useToast();
  const { source } = explorer;

  async function change(work: () => Promise<void>, failed: Failed): Promise<void> {
    try {
      await work();
    } catch (failure) {
      toast(say(failed, { reason: explorer.explain(failure) }));
    }
    await queries.invalidateQueries({ queryKey: warningsKey(explorer) });
    explorer.store.setState(({ warningStamp }) => ({ warningStamp: warningStamp + 1 }));
  }

  const restore = (dismissed: string) =>
    change(async () => {
      await source.warnings.restore({ dismissed });
      toast(say('warnings/restored'));
    }, 'warnings/not-restored');

  return {
    restore,
    dismiss: ({ kind, address: node, subject }: WarningLine) =>
      change(async () => {
        const { dismissed } = await source.warnings.dismiss({ kind, node, subject });
        toast(say('warnings/dismissed'), { label: 'Undo', onAction: () => void restore(dismissed) });
      }, 'warnings/not-dismissed'),
    setThresholds: (thresholds: WarningThresholds) =>
      change(async () => {
        await source.warnings.setThresholds({ thresholds });
      }, 'warnings/not-set'),
  };
}
