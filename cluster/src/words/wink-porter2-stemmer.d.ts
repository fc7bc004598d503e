declare module 'wink-porter2-stemmer' {
  /** Porter's second stemmer for English. */
  export default function stem(word: string): string;
}
