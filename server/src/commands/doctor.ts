import { resolve } from 'node:path';
import { nearMisses, readConfig, readEnvironment } from '../config.ts';
import { examine, sentenceOf } from '../doctor/checks.ts';
import { readArguments } from './arguments.ts';

// npm run doctor: checks a deployment, with the variables of the server. See docs/operations.md.

const root = resolve(import.meta.dirname, '../../..');
const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
const marks = { ok: 'ok      ', warning: 'warning ', problem: 'PROBLEM ' } as const;

process.umask(0o077);
readArguments('Usage: npm run doctor', {});
try {
  const environment = readEnvironment(root, process.env);
  const config = readConfig(environment, root);
  const misses = nearMisses(environment).map((text) => ({ kind: 'warning', about: 'variables', text }) as const);
  const found = [...misses, ...(await examine(config))];
  for (const { kind, about, text } of found) process.stdout.write(`${marks[kind]} ${about.padEnd(11)} ${text}.\n`);
  const problems = found.filter(({ kind }) => kind === 'problem').length;
  const warnings = found.filter(({ kind }) => kind === 'warning').length;
  process.stdout.write(`\n${counted(problems, 'problem')}, ${counted(warnings, 'warning')}\n`);
  process.exitCode = problems > 0 ? 1 : 0;
} catch (error) {
  process.stderr.write(`${sentenceOf(error)}\n`);
  process.exitCode = 1;
}
// Connections that a client keeps open must not keep the command running.
process.exit();
