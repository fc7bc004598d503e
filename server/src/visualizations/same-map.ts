import { isDeepStrictEqual } from 'node:util';
import type { FieldMap } from '@kc/rules/field-map';

/** Whether two files are read in the same way. */
export const isSameMap = (one: FieldMap | null, other: FieldMap | null): boolean =>
  isDeepStrictEqual(one ?? {}, other ?? {});
