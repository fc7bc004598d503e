/** Codes whose text no test mentions, and why. The list may only get shorter. */
export const unshown: Readonly<Record<string, string>> = {
  'session/not-approved': 'the guard has sent the person on before it could be read',
  'sign-up/check-needed': 'a browser that cannot solve the check; the story of frequent sign-ups tells of one that can',
  'step-up/required': 'the deletion asks for the password instead of saying it',
  'email/not-yet': 'an email that is in use again two seconds after its account was deleted',
  'email/unchecked': 'the availability of an email could not be asked',
  'settings/auto-approve-closed': 'the switch is disabled while registration is closed; only the API answers it',
  'upload/too-slow': 'the browser goes on by itself and says that the connection was lost; only the API answers it',
  'request/invalid': 'no screen asks so; the API answers it',
  'request/cross-site': 'no screen asks so; the API answers it',
  'request/not-found': 'no screen asks so; the API answers it',
};

/** Groups of codes that are tested together with something else. */
export const toldBeside: Readonly<Record<string, string>> = {
  'google/': 'the stories of Google sign-in',
  'account/bulk-': 'the tests of the changes of many accounts',
  'visualization/': 'the stories of the explorer',
  'explore/': 'the stories of the explorer',
};
