import { type RefObject, useRef } from 'react';
import { ButtonPanel } from '../../../ui/popover.tsx';
import { ScoreEditor } from './score-editor.tsx';

type Props = {
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly isSmall: boolean;
  readonly onClose: () => void;
};

/** The editor of the score: below its button, or as a sheet on a small screen. */
export function ScoreOverlay(props: Props) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <ButtonPanel
      {...props}
      label="Score"
      align="start"
      initialFocus={field}
      className="w-[min(28.75rem,calc(100vw-1rem))]"
    >
      <ScoreEditor field={field} onClose={props.onClose} />
    </ButtonPanel>
  );
}
