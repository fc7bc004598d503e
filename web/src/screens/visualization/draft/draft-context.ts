import type { Draft, DraftMarks } from '@kc/rules/draft-shapes';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { client } from '../../../api/client.ts';
import { useExplorer, useLook } from '../../../explore/panels/explorer-context.ts';
import type { LoadedTree } from '../../../explore/tree-data/loaded-tree.ts';
import type { DraftEditor, EditorState } from './draft-editor.ts';
import type { Tick } from './ticks.ts';

export const DraftContext = createContext<DraftEditor | undefined>(undefined);

/** The editor of the draft around this. @throws Error outside of one */
export function useDraftEditor(): DraftEditor {
  const editor = useContext(DraftContext);
  if (!editor) throw new Error('No draft around this view');
  return editor;
}

/** Selects a value from the state of the editor. */
export function useEditing<T>(pick: (state: EditorState) => T): T {
  return useStore(useDraftEditor().store, pick);
}

export const useDraft = (): Draft => useEditing(({ edits }) => edits.draft);

/** Whether this person may change the draft now. */
export const useCanEdit = (): boolean =>
  useEditing(({ edits, isEditor }) => isEditor !== false && edits.draft.state === 'ready');

const noMarks: DraftMarks = { locked: [], new: [], confidence: {}, excluded: { total: 0, keywords: [] } };

/** What is locked, new and excluded in the revision on the screen. The previous marks stay until the next arrive. */
export function useMarks(): DraftMarks {
  const { id } = useDraft();
  // Revisions are immutable, so each has marks of its own.
  const { id: viewId } = useExplorer();
  const found = useQuery({
    queryKey: ['draft marks', id, viewId],
    queryFn: ({ signal }) => client.drafts.marks({ id }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  return found.data ?? noMarks;
}

/** A loaded row as it can be ticked. */
export function tickOf(tree: LoadedTree, row: number): Tick {
  return {
    address: tree.addressOf(row),
    type: row === 0 ? 'root' : (tree.types[tree.type[row]!] ?? ''),
    name: tree.name(row),
    keywords: tree.keywords[row]!,
  };
}

/** The row as it can be ticked; renders again when the tree grows. */
export function useTick(row: number): Tick {
  const { tree } = useExplorer();
  useLook((state) => state.treeVersion);
  return tickOf(tree, row);
}
