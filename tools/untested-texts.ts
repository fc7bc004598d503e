/** Codes whose text no test mentions, and why. The list may only get shorter. */
export const untestedCodes: Readonly<Record<string, string>> = {
  'session/not-approved': 'the route guard redirects before the message could be read',
  'step-up/required': 'the deletion dialog asks for the password instead of showing the message',
  'email/not-yet': 'needs an email that is in use again two seconds after its account was deleted',
  'email/unchecked': 'shown when the request for the availability of an email fails',
  'settings/auto-approve-closed':
    'the switch is disabled while registration is closed, so only a direct API call gets it',
  'upload/too-slow': 'the browser resumes by itself and reports a lost connection, so only a direct API call gets it',
  'request/invalid': 'no screen sends such a request, only a direct API call',
  'request/cross-site': 'no screen sends such a request, only a direct API call',
};

/** Groups of codes, by prefix, whose texts no test quotes because other tests cover the whole group. */
export const testedByGroup: Readonly<Record<string, string>> = {
  'google/': 'the stories of Google sign-in',
  'account/bulk-': 'the tests of the changes of many accounts',
  'visualization/': 'the stories of the explorer',
  'explore/': 'the stories of the explorer',
};
