/** The texts of false and true, by the value of their LITERAL record. */
export const literalTexts = ['false', 'true'].map((word) => new TextEncoder().encode(word));
