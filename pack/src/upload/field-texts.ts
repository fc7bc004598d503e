/** Texts that say that nothing is known. */
export const unknownWords = /^(?:n\/?a|n\.\s?a\.?|#n\/a|null|none|nan|undefined|[-–—?])?$/iu;

/** Of a value that is a name: a longer text is prose. */
export const maxValueBytes = 64;
