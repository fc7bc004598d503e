const maxLength = 31;
/** Excel keeps this name for itself. */
const ofExcel = 'history';

/** Gives each sheet a name that Excel accepts and that no other sheet has, whatever its case. */
export interface SheetNames {
  /** @param isFixed whether it is one of the reserved names, which is given as it is */
  nameOf(name: string, isFixed: boolean): string;
  /** The name of a sheet in which another one goes on: "SEO (2)". */
  next(name: string): string;
}

/** @param reserved names that only fixed sheets have */
export function createSheetNames(reserved: readonly string[]): SheetNames {
  const taken = new Set([ofExcel, ...reserved.map((name) => name.toLowerCase())]);
  const take = (name: string): string => {
    taken.add(name.toLowerCase());
    return name;
  };
  const next = (name: string): string => {
    for (let nth = 2; ; nth++) {
      const suffix = ` (${nth})`;
      const numbered = cut(name, maxLength - suffix.length) + suffix;
      if (!taken.has(numbered.toLowerCase())) return take(numbered);
    }
  };
  return {
    nameOf(name, isFixed) {
      if (isFixed) return name;
      const clean = cleanName(name);
      return taken.has(clean.toLowerCase()) ? next(clean) : take(clean);
    },
    next,
  };
}

function cleanName(name: string): string {
  const plain = name.replace(/[[\]:*?/\\\p{Cc}\p{Cs}]/gu, ' ').replace(/\s+/gu, ' ');
  return cut(plain.replace(/^[\s']+/u, ''), maxLength).replace(/(?<![\s'])[\s']+$/u, '') || 'Sheet';
}

/** The first characters of a text, without half a surrogate pair at the end. */
function cut(text: string, length: number): string {
  let end = 0;
  for (const sign of text) {
    if (end + sign.length > length) break;
    end += sign.length;
  }
  return text.slice(0, end);
}
