/**
 * Words by which lists of ad blockers know advertising, buttons of social networks, counters and overlays in the address of a script.
 * They block it on every site, and what it does never opens.
 */
const BLOCKED =
  /^(?:ads?|advert\w*|affiliates?|analytics|badges?|banners?|beacons?|consents?|cookies?|counters?|follow\w*|gdpr|interstitials?|metrics|modals?|newsletters?|notifications?|overlays?|pixels?|popups?|popunders?|promos?|promotions?|push|reactions?|shar(?:e|es|ing)|social|sponsors?|sponsored|stats|statistics|subscri\w*|teasers?|telemetry|track\w*|visits?|widgets?)$/

/** Returns the name of a built file without the words that ad blockers look for. */
export function neutralName(name: string): string {
  const words = name.split(/[-._]/).filter((word) => !BLOCKED.test(word.toLowerCase()))
  return words.join('-') || 'part'
}
