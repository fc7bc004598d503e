import { useEffect, useReducer, useRef } from 'react';
import { client } from '../../api/client.ts';
import type { Preview } from './preview-state.ts';
import { hashOf, knownCorrections, type Memories, type Memory, unknownHeaders } from './remembered.ts';
import type { ImportForm } from './use-import-form.ts';

/**
 * Reads lists as the person corrected an earlier one with the same header, unless they have started to correct this
 * one. If the server cannot be reached, nothing is recalled, and what it remembers stays.
 */
export function useRemembered({ lists, recall, uncorrect }: ImportForm, { keys, files }: Preview) {
  const [memories, add] = useReducer(withMemory, new Map<number, Memory>());
  const requested = useRef(new Set<number>());
  useEffect(() => {
    for (const { key, header } of unknownHeaders(lists, { keys, files }, requested.current)) {
      requested.current.add(key);
      findMemory(header).then(
        (memory) => {
          if (!memory) return;
          add([key, memory]);
          if (memory.corrections) recall(key, memory.corrections);
        },
        () => undefined, // the list is read as it is
      );
    }
  });
  /** Also reads the list again without corrections. @throws if the server could not be reached */
  const forget = async (key: number): Promise<void> => {
    const memory = memories.get(key);
    if (!memory) return;
    await client.listReadings.forget({ header: memory.header });
    add([key, { header: memory.header }]);
    uncorrect(key);
  };
  return { memories, forget };
}

/** What the server remembers about a header, of which only a hash is sent. */
async function findMemory(names: readonly string[]): Promise<Memory | undefined> {
  const header = await hashOf(names);
  if (header === undefined) return undefined;
  const { found } = await client.listReadings.find({ header });
  const corrections = found && knownCorrections(found.corrections);
  return { header, correctedAt: found?.correctedAt, corrections };
}

const withMemory = (memories: Memories, [key, memory]: readonly [number, Memory]): Memories =>
  new Map(memories).set(key, memory);
