/** The HTTP contract with methods and paths only, made by the build (see `vite.config.ts`). */
declare module 'virtual:contract' {
  import type { contract as full } from '@kc/rules/api';

  const contract: typeof full;
  export default contract;
}
