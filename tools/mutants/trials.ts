import { resolve } from 'node:path';
import { createVitest, type TestModule, type TestSpecification, type Vitest } from 'vitest/node';
import { root } from '../source-files.ts';
import { type Change, mutantVariable } from './mutation.ts';

/** The projects of short tests, the cheapest first. */
const shortProjects = ['unit', 'server', 'component'];
/** As long as what a short test waits for may take. With a mutant most waits are in vain. */
const longestWaitMs = 15_000;
const longestTestMs = 60_000;

/** One Vitest for all mutants: starting it, PostgreSQL and a browser for each takes longer than most tests. */
export class Trials {
  readonly #vitest: Vitest;
  /** Test files that pass as the sources are. */
  readonly #sound = new Set<string>();

  private constructor(vitest: Vitest) {
    this.#vitest = vitest;
  }

  static async open(): Promise<Trials> {
    process.env[mutantVariable] = '';
    const vitest = await createVitest({ root, watch: false, bail: 1, project: shortProjects, reporters: [{}] });
    for (const { config } of vitest.projects) {
      config.testTimeout = longestTestMs;
      config.expect.poll = { ...config.expect.poll, timeout: longestWaitMs };
    }
    await vitest.standalone();
    return new Trials(vitest);
  }

  close(): Promise<void> {
    return this.#vitest.close();
  }

  /**
   * Runs tests against a change until one fails: the first by itself, then the others of each project.
   *
   * @returns the name of the test that noticed it, and whether its file passes as the sources are
   * @throws Error if no test ran
   */
  async killer(change: Change, tests: readonly string[]): Promise<{ by?: string; isSure: boolean }> {
    for (const files of this.#inOrder(tests)) {
      const failed = await this.#failure(files, change);
      if (failed !== undefined) return { by: failed.name, isSure: await this.#isSound(failed.file) };
    }
    return { isSure: true };
  }

  #inOrder([first, ...others]: readonly string[]): string[][] {
    // The browser's project has the browser's name, too: "component (chromium)".
    const byProject = Map.groupBy(others, (test) => this.#specificationOf(test).project.name.split(' ')[0]!);
    const groups = shortProjects.map((project) => byProject.get(project) ?? []);
    return [first === undefined ? [] : [first], ...groups].filter((group) => group.length > 0);
  }

  #specificationOf(test: string): TestSpecification {
    const [found] = this.#vitest.getModuleSpecifications(resolve(root, test));
    if (!found) throw new Error(`No project has ${test}, or its browser is missing`);
    return found;
  }

  async #isSound(file: string): Promise<boolean> {
    if (!this.#sound.has(file) && (await this.#failure([file])) === undefined) this.#sound.add(file);
    return this.#sound.has(file);
  }

  async #failure(files: readonly string[], change?: Change): Promise<{ file: string; name: string } | undefined> {
    process.env[mutantVariable] = change ? JSON.stringify(change) : '';
    if (change) this.#vitest.invalidateFile(resolve(root, change.file));
    const specifications = files.map((file) => this.#specificationOf(file));
    // What a run answers has the modules of earlier runs, too, and what fails stays failed until it runs again.
    for (const { project, moduleId } of specifications) this.#vitest.state.clearFiles(project, [moduleId]);
    const { unhandledErrors } = await this.#vitest.runTestSpecifications(specifications);
    if (change) this.#vitest.invalidateFile(resolve(root, change.file));
    process.env[mutantVariable] = '';
    const modules = specifications.flatMap(({ testModule }) => testModule ?? []);
    const failed = modules.find((module) => !module.ok());
    if (failed) return { file: failed.relativeModuleId, name: nameOfFailure(failed) };
    if (unhandledErrors.length > 0) return { file: files[0]!, name: `${files[0]}: ${String(unhandledErrors[0])}` };
    if (!modules.some((module) => module.state() === 'passed')) throw new Error(`No test ran of ${files.join(', ')}`);
    return undefined;
  }
}

function nameOfFailure(module: TestModule): string {
  const [test] = module.children.allTests('failed');
  return `${module.relativeModuleId} ${test ? `"${test.fullName}"` : (module.errors()[0]?.message ?? '')}`;
}
