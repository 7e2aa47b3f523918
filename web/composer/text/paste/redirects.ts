/** Addresses that programs put around those of links, and the parameter with the address that was linked. */
const REDIRECTS: [around: RegExp, parameter: string][] = [
  [/^https?:\/\/(?:www\.)?google\.[a-z.]{2,6}\/url\?/i, 'q'],
  [/^https?:\/\/(?:www\.)?google\.[a-z.]{2,6}\/url\?/i, 'url'],
  [/^https:\/\/[a-z0-9]+\.safelinks\.protection\.outlook\.com\//i, 'url'],
  [/^https:\/\/statics\.teams\.cdn\.office\.net\/[\w./-]{0,100}safelinks[\w./-]{0,100}\?/i, 'url'],
  [/^https:\/\/lm?\.facebook\.com\/l\.php\?/i, 'u'],
  [/^https:\/\/slack-redir\.net\/link\?/i, 'url'],
]

/** Returns the address to which a link leads: mail and office programs copy one that passes through their servers. */
export function linkedAddress(address: string): string {
  for (const [around, parameter] of REDIRECTS) {
    if (!around.test(address)) continue
    const [, query] = address.split(/[?#]/)
    const linked = new URLSearchParams(query).get(parameter)
    if (linked !== null && /^https?:\/\//i.test(linked)) return linked
  }
  return address
}
