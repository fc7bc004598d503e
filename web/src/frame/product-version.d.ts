/** The version that the bundle was built from (see `vite.config.ts`). */
declare const __PRODUCT_VERSION__: string;
