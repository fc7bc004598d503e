/** Business constants, with units in their names. */
export const limits = {
  minPasswordLength: 6,
  minAdminPasswordLength: 12,
  /** Longer passwords are refused before they are hashed. */
  maxPasswordLength: 1024,
  maxEmailLength: 254,
  maxDisplayNameLength: 200,
  maxDescriptionLength: 2000,

  maxUploadMb: 3072,
  maxUploadBytes: 3072 * 1024 * 1024,
  uploadProcessingPercent: 60,
  uploadFinalizingPercent: 85,
  minChunkBytes: 1024 * 1024,
  /** Behind a proxy that refuses larger requests. */
  smallestChunkBytes: 64 * 1024,
  maxChunkBytes: 16 * 1024 * 1024,
  durableEveryBytes: 4 * 1024 * 1024,
  uploadPollMs: 500,
  /** How long each of the last two steps of an upload, 85 % and 100 %, stays visible, however fast it was. */
  uploadLastStepMs: 500,
  /** Slower senders, averaged over the window, are disconnected; they may resume. Source: SECURITY.md, REL-23. */
  minUploadBytesPerSecond: 10 * 1024,
  uploadRateWindowMs: 30_000,
  /** Open connections of one network that is no trusted proxy. Source: SECURITY.md, REL-24. */
  maxConnectionsPerNetwork: 512,

  /** Keyword lists of one draft. */
  maxLists: 20,
  /** Words and phrases of one kind in the filter of an import. */
  maxFilterPhrases: 500,
  maxListNameLength: 255,
  /** What one request may bring. */
  maxImportMb: 100,
  maxPastedBytes: 5 * 1024 * 1024,
  maxDraftNameLength: 200,
  /** Rows that one operation on a draft may name. */
  maxDraftSelection: 10_000,
  /** Operations that can be undone. */
  maxDraftOperations: 200,
  /** Rows of a review list of a draft that are requested at a time. */
  reviewPageRows: 100,
  /** Drafts of one owner that are not published: created by the owner, and in all. */
  maxOwnDrafts: 3,
  maxDrafts: 20,
  /** The highest limits that an administrator can set for one user. */
  maxOwnVisualizations: 10_000,
  maxOwnStorageMb: 10_000_000,
  /** Drafts that an account begins in an hour. */
  draftsPerHour: 60,
  /**
   * What an import may write, as multiples of what was sent: its map, and what editing needs, which is up to 3 KiB for a
   * keyword of at least eight bytes. Either may have a few bytes in any case.
   */
  importWrites: 100,
  importVectors: 400,
  minImportWrites: 64 * 1024 * 1024,
  draftLeaseMs: 60_000,
  draftLeaseRenewMs: 20_000,
  draftKeptMs: 30 * 86_400_000,
  draftPollMs: 500,
  /** How long a revision that another one has replaced can be read. */
  pastRevisionMs: 60_000,
  /** Operations on drafts per minute and account. */
  draftOperationsPerMinute: 60,

  bannerMs: 5_000,
  /** Changes of status or role per call, which is one transaction. This many fit into a request body. */
  maxBulkChanges: 900,
  /** Emails with several accounts that are listed before a clean-up. Its totals cover all of them. */
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
  resizeDebounceMs: 150,
  /** How long the first page waits for the theme that the administrators chose. */
  themeWaitMs: 800,
  overlayMinMs: 700,
  overlayFadeMs: 300,
  overlaySafetyMs: 10_000,
  loginPreparingMs: 800,

  mobileBelowPx: 768,
  /** From this width on, both panels fit beside the chart. */
  panelsFromPx: 1200,
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
  /** The time between a sign-up's challenge and its proof, and how long a browser works on it before it gives up. */
  signUpCheckMs: 5 * 60_000,
  signUpCheckWorkMs: 60_000,
  /** From the click on the Google button until the issuer returns the browser. */
  googleRoundTripMs: 10 * 60_000,

  /** How long re-entering a password counts, and how long a deletion's token is valid. Source: SECURITY.md, S6, S7. */
  stepUpMs: 10 * 60_000,
  idTokenMs: 60_000,
  /** Time from a deletion to the report whether the email is free again. */
  availabilityCheckMs: 2_000,
  availabilityDebounceMs: 400,
  /** How long a deletion counts as recent. */
  justDeletedMs: 15 * 60_000,
  /** How long the files of a deleted account stay on disk. */
  deletedFilesMs: 24 * 3_600_000,

  /** Maximum rows of a slice. */
  maxSliceRows: 20_000,
  firstSliceRows: 4_000,
  /** Rows of a flat list in one answer: at most, and usually. */
  maxRowsOfLevel: 500,
  firstRowsOfLevel: 200,
  /** Points of a level that are drawn one by one, and names of rows that have no place among them. */
  maxPointsOfLevel: 5_000,
  /** Edges along an axis of the cells that count the others. */
  maxCellEdges: 200,
  maxUnplacedNames: 200,
  /** Nodes that a selection names one by one. */
  maxSelectedRows: 200_000,
  maxSearchHits: 200,
  /** Maximum rows that an export lists one by one (branches have no limit), and simultaneous exports per user. */
  maxExportedRows: 200_000,
  maxExportsAtOnce: 4,
  /** Page size of a branch's keyword list: the default and the maximum. */
  keywordsAtATime: 200,
  /** Nodes in a page of changes between two uploads. */
  changesAtATime: 100,
  maxKeywordsAtATime: 10_000,

  /** Views that a user may save of one hierarchy; length of a view's name and of its state, in characters. */
  maxSavedViews: 100,
  maxViewNameLength: 160,
  /** Filters of an account for all its data, and scores. */
  maxPresets: 50,
  maxPresetNameLength: 80,
  /** In characters, as in `pack/filter-text`. */
  maxFilterTextLength: 2000,
  /** A formula of at most 500 characters, and its roll-up. */
  maxScoreTextLength: 600,
  maxViewStateLength: 12_000,

  /** Entries of a plan, whose paths are all matched for every answer, and those that one request may change or read. */
  maxPlanEntries: 20_000,
  maxPlanTargets: 1_000,
  /** Entries that one address can name for their briefs. */
  maxBriefNodes: 300,
  /** The most keywords of an entry that can be requested. */
  maxTopKeywords: 1_000,
  planPageEntries: 2_000,
  /** Lengths of the fields of an entry, in characters. */
  maxPlanAssigneeLength: 80,
  maxPlanUrlLength: 2_000,
  maxPlanNoteLength: 5_000,
  maxPlanKeywordLength: 400,
  maxPlanTags: 20,
  maxPlanTagLength: 40,
  /** Lines of an entry's history that are listed. */
  maxPlanHistory: 200,
  /** How long the response to a write is kept for a repetition of the write, and a removed entry so that it can be restored. */
  planBatchKeptMs: 86_400_000,
  planRemovedKeptMs: 90 * 86_400_000,
  planUndoMs: 10 * 60_000,
  /** How long a page caches the people who can be owners. */
  planPeopleKeptMs: 60_000,
  /** What is assigned to somebody within this time is reported in one mail; what could not be sent for so long is dropped. */
  assignmentMailDelayMs: 5 * 60_000,
  assignmentMailKeptMs: 86_400_000,
  /** Writes to a plan per minute and account. */
  planWritesPerMinute: 240,
  /** How often a change is sent again that did not reach the server. */
  planSendAgainMs: 5_000,
  /** How long a change by somebody else stays marked. */
  planMarkedMs: 3_000,

  /** Warnings of one page; warnings that can be dismissed for one data set; characters of a URL or keyword of one. */
  warningsAtATime: 50,
  maxWarningsAtATime: 200,
  maxDismissedWarnings: 5_000,
  maxWarningSubject: 4_000,
  /** Places of a warning that its line lists, and nodes that the map marks. */
  warningPlaces: 20,
  /** The groups of a warning that are named, and the keywords of each. */
  warningGroups: 6,
  warningGroupKeywords: 5,
  maxWarningMarks: 20_000,

  /** Links of a visualization that have not ended; characters of the name of a client's. */
  maxShareLinks: 20,
  maxLinkNameLength: 80,
  /** Columns that a link names, and characters of a name. */
  maxLinkColumns: 1_000,
  maxColumnName: 1_000,
  /** How long the cookie of a link is valid, and how many requests a link may make in a minute. */
  linkSessionMs: 12 * 3_600_000,
  linkCallsPerMinute: 300,

  /** Access tokens of an account that have not ended; characters of a name; days of a life; requests in a minute. */
  maxAccessTokens: 50,
  maxTokenNameLength: 80,
  maxTokenDays: 366,
  tokenCallsPerMinute: 600,

  /** Webhooks; characters of an address; lines of the log of each; after how long without success one is switched off. */
  maxWebhooks: 20,
  maxWebhookUrlLength: 500,
  webhookLogLines: 100,
  webhookOffAfterMs: 24 * 3_600_000,
  /** How long a receiver may take to answer. */
  webhookAnswerMs: 10_000,
  /** Changes of a plan within this time are reported together. */
  webhookPlanMs: 60_000,
  /** How often the log of a webhook is read while something is about to be sent. */
  webhookPollMs: 2_000,

  activityPageLines: 50,
  maxFilterLength: 200,
} as const;
