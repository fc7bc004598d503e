import { say } from '@kc/rules/messages';
import type { NodeDetail } from '@kc/rules/shapes';
import { Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { counted, exact } from '../../format/figure-text.ts';
import { useExplorer } from '../explorer-context.ts';
import { Section } from '../section.tsx';
import { copyKeywords } from '../share/copy-branch.ts';
import { KeywordList } from './keyword-listbox.tsx';

/** Every keyword of a branch, heaviest first, loaded on demand. */
export function AllKeywords({ detail }: { detail: NodeDetail }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={`All keywords (${exact(detail.keywords)})`}>
      <div className="flex flex-wrap gap-2">
        <Button size="dense" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide the list' : 'Show the list'}
        </Button>
        <CopyLines detail={detail} />
      </div>
      {isOpen && <KeywordList detail={detail} />}
      {isOpen && detail.repeats > 0 && (
        <p className="m-0 mt-1 text-micro text-muted">
          A keyword is listed in every branch that has it, so {counted(detail.repeats, 'line')}{' '}
          {detail.repeats === 1 ? 'repeats another' : 'repeat others'}.
        </p>
      )}
    </Section>
  );
}

function CopyLines({ detail }: { detail: NodeDetail }) {
  const explorer = useExplorer();
  const toast = useToast();
  const copy = () =>
    copyKeywords(explorer, detail.node, detail.keywords).then(toast, () => toast(say('explore/copy-refused')));
  return (
    <Button size="dense" icon={<Copy size={16} />} onClick={() => void copy()}>
      Copy as lines
    </Button>
  );
}
