import { ListPlus } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useExplorer } from '../explorer-context.ts';
import { editPlanned, togglePlanned } from './plan-actions.ts';
import { StatusIcon, statusWords } from './plan-words.tsx';
import { usePlannedNode } from './use-plan.ts';

/** In the details of a node: adds it to the plan, or opens its entry. */
export function PlanButton({ row }: { readonly row: number }) {
  const explorer = useExplorer();
  const toast = useToast();
  const { entry } = usePlannedNode();
  if (entry) {
    return (
      <Button
        size="dense"
        icon={<StatusIcon status={entry.status} />}
        onClick={() => editPlanned(explorer, row, toast)}
      >
        {`Plan: ${statusWords[entry.status]}`}
      </Button>
    );
  }
  return (
    <Button
      size="dense"
      variant="primary"
      icon={<ListPlus size={16} aria-hidden="true" />}
      onClick={() => togglePlanned(explorer, [row], toast)}
    >
      Add to plan
    </Button>
  );
}
