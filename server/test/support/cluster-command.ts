import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const command = fileURLToPath(new URL('../../src/commands/cluster.ts', import.meta.url));

/** Runs `npm run cluster` with some arguments. */
export async function runCluster(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
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
