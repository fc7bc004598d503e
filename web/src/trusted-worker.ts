/**
 * Workers under Trusted Types: the only place that makes a script address the browser accepts.
 *
 * The policy `kc` lets through nothing but our own built files, so no other text can ever become a script.
 */
type ScriptPolicy = { createScriptURL(url: string): string };
type TrustedTypes = { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy };

const policy = makePolicy();

/**
 * A module worker.
 *
 * @param url where the built worker lies: `import url from './x.worker.ts?worker&url'`
 * @throws TypeError for an address that is no script of ours
 */
export function createWorker(url: string, name?: string): Worker {
  return new Worker(policy.createScriptURL(url), { type: 'module', ...(name ? { name } : {}) });
}

function makePolicy(): ScriptPolicy {
  const rules = { createScriptURL: (url: string) => ownScript(url, location.origin, import.meta.env.DEV) };
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  return trustedTypes?.createPolicy('kc', rules) ?? rules;
}

/** The address itself when it is one of our built scripts. Development serves sources, which have no fixed folder. */
export function ownScript(url: string, origin: string, development: boolean): string {
  const { origin: its, pathname, href } = new URL(url, origin);
  const built = /^\/assets\/[\w.-]+\.js$/.test(pathname);
  if (its !== origin || !(built || development)) throw new TypeError(`Not a script of this product: ${url}`);
  return href;
}
