import { say } from '@kc/rules/all-messages';
import { limits } from '@kc/rules/limits';
import { useMutation } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../../api/client.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { useCanEdit, useDraft, useDraftEditor, useEditing } from './draft-context.ts';
import { lastOperation } from './edits.ts';

type Named = { readonly name: string; readonly description: string };

/** Publishes the draft as it is on the screen. */
function usePublish() {
  const editor = useDraftEditor();
  const draft = useDraft();
  const canEdit = useCanEdit();
  const isSaved = useEditing(({ edits }) => edits.pending.length === 0);
  const publish = useMutation({
    mutationFn: ({ name, description }: Named) => {
      const { edits } = editor.store.getState();
      const after = lastOperation(edits);
      return client.drafts.publish({ id: draft.id, after, name: name.trim() || draft.name, description });
    },
    onMutate: () => editor.store.setState({ problem: undefined }),
    onSuccess: (published) => editor.receive(published),
    onError: editor.publishFailed,
  });
  return { publish: publish.mutate, isOff: !canEdit || !isSaved || publish.isPending };
}

/** @param isSmall whether name and description are elsewhere; otherwise they are in the menu beside the button */
export function PublishButton({ isSmall }: { readonly isSmall: boolean }) {
  const draft = useDraft();
  const canEdit = useCanEdit();
  const { publish, isOff } = usePublish();
  const [typed, setTyped] = useState<Partial<Named>>({});
  const named = { ...draft, ...typed };
  return (
    <span className="flex items-center">
      <span id="publish-text" className="sr-only">
        {becomes(draft.ownerEmail)}
      </span>
      <Button
        variant="primary"
        size="dense"
        disabled={isOff}
        aria-describedby="publish-text"
        className={isSmall ? '' : 'rounded-r-none'}
        onClick={() => publish(named)}
      >
        Publish
      </Button>
      {!isSmall && (
        <Popover
          label="Name and description"
          align="end"
          className="w-80 max-w-[calc(100vw-1rem)]"
          trigger={
            <button
              type="button"
              aria-label="Name and description"
              disabled={!canEdit}
              className={`${buttonClass('primary', 'dense')} rounded-l-none border-on-brand/40 border-l px-1.5`}
            >
              <ChevronDown size={16} strokeWidth={1.75} aria-hidden="true" />
            </button>
          }
        >
          {(close) => <PublishForm typed={typed} onType={setTyped} onDone={close} />}
        </Popover>
      )}
    </span>
  );
}

type FormProps = {
  readonly typed: Partial<Named>;
  readonly onType: (typed: Partial<Named>) => void;
  readonly onDone: () => void;
};

/** Publishes under another name and description. */
export function PublishForm({ typed, onType, onDone }: FormProps) {
  const draft = useDraft();
  const { publish, isOff } = usePublish();
  const { name, description } = { ...draft, ...typed };
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onDone();
        if (!isOff) publish({ name, description });
      }}
    >
      <Field
        label="Name"
        value={name}
        maxLength={limits.maxDraftNameLength}
        error={name.trim() === '' ? say('draft/name-empty') : undefined}
        onChange={(event) => onType({ ...typed, name: event.target.value })}
        autoComplete="off"
      />
      <Field
        label="Description"
        value={description}
        maxLength={limits.maxDescriptionLength}
        onChange={(event) => onType({ ...typed, description: event.target.value })}
        autoComplete="off"
      />
      <p className="m-0 text-small text-muted">{becomes(draft.ownerEmail)}</p>
      <Button type="submit" variant="primary" disabled={isOff || name.trim() === ''}>
        Publish
      </Button>
    </form>
  );
}

const becomes = (email: string): string => `Becomes the active map of ${email}; the one before stays in the list.`;
