/** Methods and paths of the HTTP contract, made by the build (see `vite.config.ts`). */
declare module 'virtual:contract' {
  const calls: import('./calls.ts').Calls;
  export default calls;
}
