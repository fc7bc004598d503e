/**
 * The encodings that requests to other servers accept. Brotli is left out: the decoder of Node before 24.22.1 can be
 * attacked by the response, and the responses we read are too small to need it.
 */
export const withoutBrotli = 'gzip, deflate';
