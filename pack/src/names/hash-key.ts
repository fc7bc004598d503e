/**
 * The secret halves of a hash key: 32 random bits each, new for every ingest, so that no file can be crafted to cause
 * collisions.
 */
export type HashKey = readonly [number, number];
