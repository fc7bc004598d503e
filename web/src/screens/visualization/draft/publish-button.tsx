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

/** Publishes the draft as it is on the screen. Name and description are in the menu beside the button. */
export function PublishButton() {
  const editor = useDraftEditor();
  const draft = useDraft();
  const canEdit = useCanEdit();
  const isSaved = useEditing(({ edits }) => edits.pending.length === 0);
  const [typed, setTyped] = useState<{ readonly name?: string; readonly description?: string }>({});
  const { name, description } = { ...draft, ...typed };
  const publish = useMutation({
    mutationFn: () => {
      const { edits } = editor.store.getState();
      const after = lastOperation(edits);
      return client.drafts.publish({ id: draft.id, after, name: name.trim() || draft.name, description });
    },
    onMutate: () => editor.store.setState({ problem: undefined }),
    onSuccess: (published) => editor.receive(published),
    onError: editor.publishFailed,
  });
  const isOff = !canEdit || !isSaved || publish.isPending;
  const text = becomes(draft.ownerEmail);
  return (
    <span className="flex items-center">
      <span id="publish-text" className="sr-only">
        {text}
      </span>
      <Button
        variant="primary"
        size="dense"
        disabled={isOff}
        aria-describedby="publish-text"
        className="rounded-r-none"
        onClick={() => publish.mutate()}
      >
        Publish
      </Button>
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
        {(close) => (
          <form
            className="flex flex-col gap-3"
            onSubmit={(event) => {
              event.preventDefault();
              close();
              if (!isOff) publish.mutate();
            }}
          >
            <Field
              label="Name"
              value={name}
              maxLength={limits.maxDraftNameLength}
              error={name.trim() === '' ? say('draft/name-empty') : undefined}
              onChange={(event) => setTyped({ ...typed, name: event.target.value })}
              autoComplete="off"
            />
            <Field
              label="Description"
              value={description}
              maxLength={limits.maxDescriptionLength}
              onChange={(event) => setTyped({ ...typed, description: event.target.value })}
              autoComplete="off"
            />
            <p className="m-0 text-small text-muted">{text}</p>
            <Button type="submit" variant="primary" disabled={isOff || name.trim() === ''}>
              Publish
            </Button>
          </form>
        )}
      </Popover>
    </span>
  );
}

const becomes = (email: string): string => `Becomes the active map of ${email}; the one before stays in the list.`;
