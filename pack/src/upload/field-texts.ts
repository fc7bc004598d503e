/** Texts that mean "unknown". */
export const unknownWords = /^(?:n\/?a|n\.\s?a\.?|#n\/a|null|none|nan|undefined|[-–—?])?$/iu;

/** The maximum length of a value of a category. A longer text is prose. */
export const maxValueBytes = 64;
