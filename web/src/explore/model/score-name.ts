/**
 * The canonical texts of the presets, by which the name of a score is recognised: a link carries no names.
 * `pack/score/score-presets` says which files have them; a test compares both.
 */
export const presetNames: ReadonlyMap<string, string> = new Map([
  ['branch.volume*(1-difficulty/100)', 'Volume × ease'],
  ['max.trafficPotential', 'Traffic potential'],
  ['sum.max(0,volume*(ctrAt(3)-ctrAt(ifUnknown(position,100))))', 'Traffic potential'],
  ['sum.volume*cpc', 'CPC value'],
  ['sum.volume*intentWeight(0.5,0.1,1,1.5)', 'Intent weight'],
]);

/** The name of a score: that of an equal preset, otherwise "Score". @param text its canonical text */
export const scoreName = (text: string): string => presetNames.get(text) ?? 'Score';
