/** Where a bucket is, and how to sign in there. It is passed to threads and processes, so it is plain data. */
export type BucketPlace = {
  readonly bucket: string;
  /** Of all names: empty, or ending in a slash. */
  readonly prefix: string;
  /** Of a store other than AWS. */
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
};

/** A bucket, and the folder of this machine for packs under construction and for copies of packs. */
export type S3Place = BucketPlace & {
  readonly kind: 's3';
  readonly folder: string;
  /** What copies of packs may take on this machine. */
  readonly cacheBytes: number;
};
