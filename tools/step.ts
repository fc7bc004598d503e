import { spawn } from 'node:child_process';
import { root } from './source-files.ts';

/** One command of the test run. */
export type Step = {
  readonly name: string;
  /** A script for Node, relative to the repository, and its arguments. */
  readonly command: readonly [script: string, ...args: string[]];
};
export type StepResult = { readonly step: Step; readonly passed: boolean };

/** Runs a step with this Node. Its output is printed when it ends, so that parallel steps do not mix. */
export function runStep(step: Step, env: NodeJS.ProcessEnv = process.env): Promise<StepResult> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...step.command], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const output: Buffer[] = [];
    child.stdout.on('data', (bytes: Buffer) => output.push(bytes));
    child.stderr.on('data', (bytes: Buffer) => output.push(bytes));
    child.on('error', reject);
    child.on('close', (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${step.name} (${seconds} s)\n`);
      if (code !== 0) process.stdout.write(Buffer.concat(output));
      resolve({ step, passed: code === 0 });
    });
  });
}

/**
 * Runs a step and prints its output as it arrives.
 *
 * @param onStart receives the leader of a separate process group, which no Ctrl-C reaches
 */
export function runStepInView(
  step: Step,
  env: NodeJS.ProcessEnv = process.env,
  onStart?: (leader: number) => void,
): Promise<StepResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...step.command], {
      cwd: root,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: onStart !== undefined,
    });
    if (child.pid !== undefined) onStart?.(child.pid);
    child.on('error', reject);
    child.on('close', (code) => resolve({ step, passed: code === 0 }));
  });
}

/** Runs steps in their order, at most `atOnce` in parallel. */
export async function runSteps(steps: readonly Step[], atOnce: number): Promise<StepResult[]> {
  const waiting = [...steps];
  const results: StepResult[] = [];
  const worker = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) results.push(await runStep(step));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
