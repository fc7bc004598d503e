import { readText } from './source-files.ts';

/** A released version: what `CHANGELOG.md` says below its heading. */
export type Release = {
  readonly name: string;
  readonly commit: string;
  /** The newest migration that its servers know. */
  readonly schema: string;
  /** The version of the job runner's tables. */
  readonly jobs: number;
};

const heading = /^## (\d+\.\d+\.\d+)$/;
const facts = /^\d{4}-\d\d-\d\d · commit `([0-9a-f]{40})` · schema `([\w-]+)` · jobs (\d+)$/;

/**
 * All releases, newest first.
 *
 * @throws Error if one lacks the line of its facts
 */
export function releasesIn(changelog: string): Release[] {
  const lines = changelog.split('\n');
  return lines.flatMap((line, at) => {
    const name = heading.exec(line)?.[1];
    if (name === undefined) return [];
    const [, commit, schema, jobs] = facts.exec(lines[at + 2] ?? '') ?? [];
    if (!commit || !schema || !jobs)
      throw new Error(`CHANGELOG.md: ${name} has no line with date, commit, schema and jobs`);
    return [{ name, commit, schema, jobs: Number(jobs) }];
  });
}

export const releases = (): Release[] => releasesIn(readText('CHANGELOG.md'));
