/**
 * Business constants, units in the names.
 *
 * Source: spec §9; the upload thresholds spec §4 "Upload progress"; session lifetimes decisions §2.4.
 */
export const limits = {
  minPasswordLength: 6,
  minAdminPasswordLength: 12,
  /** Longer passwords are refused before any hashing; decisions §2.9 asks for at least 128. */
  maxPasswordLength: 1024,
  maxEmailLength: 254,
  maxDisplayNameLength: 200,
  maxDescriptionLength: 2000,

  maxUploadMb: 3072,
  maxUploadBytes: 3072 * 1024 * 1024,
  uploadProcessingPercent: 60,
  uploadFinalizingPercent: 85,
  minChunkBytes: 1024 * 1024,
  maxChunkBytes: 16 * 1024 * 1024,
  durableEveryBytes: 4 * 1024 * 1024,
  uploadPollMs: 500,
  /** How long each of the last two steps of an upload is shown, 85 % and 100 %, however quick they were. */
  uploadLastStepMs: 500,
  /** Who sends less, averaged over the window, is cut off and may go on. Security REL-23. */
  minUploadBytesPerSecond: 10 * 1024,
  uploadRateWindowMs: 30_000,

  bannerMs: 5_000,
  /** Changes of status or role in one call, which is one transaction. So many fit in a request body. */
  maxBulkChanges: 900,
  /** Emails that have several accounts, listed before a clean-up. Its figures are of all of them. */
  maxDuplicateGroups: 100,
  loginRedirectMs: 1_500,
  loginMessageMs: 2_000,
  userListDelayMs: 500,
  userListRetries: 2,
  userListRetryMs: 1_000,
  statusFirstCheckMs: 200,
  statusPollMs: 30_000,
  statusLoadingMs: 1_500,
  approvalCacheMs: 5 * 60_000,
  duplicateCleanupMs: 5_000,
  adminFixReloadMs: 1_500,
  pageTransitionMs: 300,
  resizeDebounceMs: 150,
  /** How long a first page waits at most for the theme that the admins set. */
  themeWaitMs: 800,
  overlayMinMs: 700,
  overlayFadeMs: 300,
  overlaySafetyMs: 10_000,
  overlayForcedMs: 15_000,
  loginPreparingMs: 800,

  mobileBelowPx: 768,
  shortBelowPx: 600,
  starsDesktop: 200,
  starsMobile: 100,
  dashboardDots: 15,
  idShownLength: 8,

  sessionMs: 24 * 3_600_000,
  rememberedSessionMs: 30 * 24 * 3_600_000,
  rememberedIdleMs: 7 * 24 * 3_600_000,
  claimLinkMs: 24 * 3_600_000,
  resetLinkMs: 30 * 60_000,
  verifyLinkMs: 24 * 3_600_000,
  /** From a sign-up's challenge to its proof; and how long a browser works on it before it gives up. Decisions §2.11. */
  signUpCheckMs: 5 * 60_000,
  signUpCheckWorkMs: 60_000,
  /** From the click on the Google button until the issuer sends the browser back. */
  googleRoundTripMs: 10 * 60_000,

  /** How long a password that was just given again counts; how long the token of one deletion does. Security S6, S7. */
  stepUpMs: 10 * 60_000,
  idTokenMs: 60_000,
  /** Between a deletion and the report whether the email is free again. */
  availabilityCheckMs: 2_000,
  availabilityDebounceMs: 400,
  /** How long a deletion counts as having been just now. */
  justDeletedMs: 15 * 60_000,
  /** How long the files of a deleted account stay on disk; decisions §6. */
  deletedFilesMs: 24 * 3_600_000,

  /** Rows of a slice at most; pack.md "Queries". */
  maxSliceRows: 20_000,
  firstSliceRows: 4_000,
  maxSearchHits: 200,
  /** Rows that an export lists one by one; branches have no limit. And exports of one person at once. */
  maxExportedRows: 200_000,
  maxExportsAtOnce: 4,
  /** Of a branch's list of keywords, on a page where nobody says how many, and at most. */
  keywordsAtATime: 200,
  maxKeywordsAtATime: 10_000,

  /** Views that one person saves of one hierarchy; characters of what one is called, and of what it keeps. */
  maxSavedViews: 100,
  maxViewNameLength: 160,
  maxViewStateLength: 12_000,

  activityPageLines: 50,
  maxFilterLength: 200,
} as const;
