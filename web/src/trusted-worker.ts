/**
 * Workers under Trusted Types: the only place that creates script URLs that the browser accepts.
 *
 * The policy `kc` accepts only our own built files, so no other text can become a script.
 */
type ScriptPolicy = { createScriptURL(url: string): string };
type TrustedTypes = { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy };

const policy = makePolicy();

/**
 * Creates a module worker.
 *
 * @param url URL of the built worker: `import url from './x.worker.ts?worker&url'`
 * @throws TypeError if the URL is not one of our scripts
 */
export function createWorker(url: string, name?: string): Worker {
  return new Worker(policy.createScriptURL(url), { type: 'module', ...(name ? { name } : {}) });
}

function makePolicy(): ScriptPolicy {
  const rules = { createScriptURL: (url: string) => ownScript(url, location.origin, import.meta.env.DEV) };
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  return trustedTypes?.createPolicy('kc', rules) ?? rules;
}

/**
 * Returns the URL if it is one of our built scripts. In development, sources are served, which have no fixed folder.
 */
export function ownScript(url: string, origin: string, development: boolean): string {
  const { origin: its, pathname, href } = new URL(url, origin);
  const built = /^\/assets\/[\w.-]+\.js$/.test(pathname);
  if (its !== origin || !(built || development)) throw new TypeError(`Not a script of this product: ${url}`);
  return href;
}
