import { PackDamaged, type PackField, type Part } from '../format/pack-format.ts';
import { lastMember } from '../upload/member-sets.ts';
import type { Numbers } from './pack-values.ts';
import type { ColumnCheck, LoadedColumns } from './tree-checks.ts';

/** Checks that values are listed in the metadata, and that no branch knows a field for more keywords than it has. */
export function fieldChecks(
  field: PackField,
  keywords: Uint32Array,
  held: LoadedColumns,
): { [Name in Part['name']]?: ColumnCheck } {
  const { name } = field;
  if (field.kind === 'number') {
    const sum = held.column(`sum:${name}`, Float64Array);
    return {
      [`sum:${name}`]: held.check(`sum:${name}`, Float64Array),
      [`weighed:${name}`]: held.check(`weighed:${name}`, Uint32Array, (found) => checkKnown(name, found, keywords)),
      [`known:${name}`]: held.check(`known:${name}`, Uint32Array, (known) => {
        checkKnown(name, known, keywords);
        for (let at = 0; at < known.length; at++)
          if (Number.isNaN(sum[at]) !== (known[at] === 0))
            throw new PackDamaged(`${name} of branch ${at} is ${sum[at]}`);
      }),
    };
  }
  const top = held.column(`top:${name}`, Uint8Array);
  const count = held.column(`top_count:${name}`, Uint32Array);
  const { values } = field;
  return {
    [`field:${name}`]: field.kind === 'set' ? setsBelow(name, values.length) : numbersBelow(name, values.length),
    [`top:${name}`]: held.check(`top:${name}`, Uint8Array),
    [`top_count:${name}`]: held.check(`top_count:${name}`, Uint32Array),
    [`known:${name}`]: held.check(`known:${name}`, Uint32Array, (known) => {
      checkKnown(name, known, keywords);
      checkCounts(field, known);
      for (let at = 0; at < known.length; at++) {
        const isThere = top[at]! > 0 && top[at]! < values.length && count[at]! > 0;
        if (count[at]! > known[at]! || isThere !== known[at]! > 0) throw new PackDamaged(`${name} of branch ${at}`);
      }
    }),
  };
}

/** Two words per row. */
function setsBelow(name: string, end: number): ColumnCheck {
  return {
    take(numbers, from) {
      for (let at = 0; at < numbers.length; at += 2) {
        const last = lastMember(numbers[at]!, numbers[at + 1]!);
        if (last >= end) throw new PackDamaged(`${name} of row ${(from + at) / 2} is value ${last}`);
      }
    },
  };
}

/** Checks that the counts in the metadata equal those of the root. */
function checkCounts({ name, kind, values, counts }: Exclude<PackField, { kind: 'number' }>, known: Uint32Array): void {
  const counted = kind === 'set' ? Math.max(...counts) : counts.reduce((sum, count) => sum + count, 0);
  const isRight = kind === 'set' ? counted <= known[0]! : counted === known[0];
  if (counts.length !== values.length || (known.length > 0 && !isRight)) {
    throw new PackDamaged(`${name} counts ${counted} keywords`);
  }
}

/** Checks the numbers of dictionary values. */
export function numbersBelow(name: string, end: number): ColumnCheck {
  return {
    take(numbers, from) {
      for (let at = 0; at < numbers.length; at++)
        if (numbers[at]! >= end) throw new PackDamaged(`${name} of row ${from + at} is value ${numbers[at]}`);
    },
  };
}

export function checkKnown(name: string, known: Numbers, keywords: Uint32Array): void {
  for (let at = 0; at < known.length; at++) {
    if (known[at]! > keywords[at]!) throw new PackDamaged(`${name} of branch ${at} is known of ${known[at]} keywords`);
  }
}
