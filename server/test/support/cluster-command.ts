import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import { clusterLists } from '../../src/commands/cluster-lists.ts';

const command = fileURLToPath(new URL('../../src/commands/cluster.ts', import.meta.url));

type Ended = { code: number; stdout: string; stderr: string };

/** Runs what `npm run cluster` does with some arguments, in this process: starting one takes longer than a short list. */
export async function runCluster(...args: string[]): Promise<Ended> {
  const written = { stdout: '', stderr: '' };
  const decoder = new TextDecoder();
  const writers = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((part) => {
      written[name] += typeof part === 'string' ? part : decoder.decode(part);
      return true;
    }),
  );
  try {
    const code = await clusterLists(args);
    return { code, ...written };
  } finally {
    for (const writer of writers) writer.mockRestore();
  }
}

/** The same in a process of its own, as a person starts it. */
export async function startCluster(...args: string[]): Promise<Ended> {
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [command, ...args])) };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

export type TreeNode = { name: string; type: string; children?: TreeNode[] };

/** The upload that a command wrote. */
export const mapAt = async (path: string) =>
  JSON.parse(await readFile(path, 'utf8')) as {
    keywords: Record<string, unknown>[];
    hierarchy: TreeNode;
    clustering: Readonly<Record<string, unknown>>;
  };

export const leavesOf = (node: TreeNode): string[] => (node.children ? node.children.flatMap(leavesOf) : [node.name]);
