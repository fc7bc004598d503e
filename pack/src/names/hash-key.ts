/** Secret halves of a hash key: 32 random bits each, new for every ingest, so that no file can be built to be slow. */
export type HashKey = readonly [number, number];
