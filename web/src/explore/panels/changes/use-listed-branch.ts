import { say } from '@kc/rules/messages';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ExplorerSource } from '../../model/source.ts';
import { useExplorer, useLook } from '../explorer-context.ts';

/** A branch by its pack row. */
type Branch = { readonly node: number; readonly name: string };

/**
 * The branch whose changes are listed; none if it is everything, or until it is found. If the address names a branch that
 * this upload does not have, everything is listed, and a notice says so.
 */
export function useListedBranch() {
  const { id, source, store } = useExplorer();
  const address = useLook((state) => state.changesIn);
  const found = useQuery({
    queryKey: ['branch', id, address],
    queryFn: ({ signal }) => branchAt(source, address!, signal),
    enabled: address !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isMissing = found.data === null;
  useEffect(() => {
    if (isMissing) store.setState({ changesIn: undefined, notice: say('explore/place-missing') });
  }, [isMissing, store]);
  return { branch: found.data ?? undefined, isKnown: address === undefined || found.isSuccess, failed: found };
}

async function branchAt(source: ExplorerSource, address: string, signal: AbortSignal): Promise<Branch | null> {
  const { path, gone } = await source.locate(address, '');
  const node = path.at(-1);
  if (node === undefined || gone !== undefined) return null;
  const { name } = await source.node(node, '', signal);
  return { node, name };
}
