/** Returns the header that tells search engines, like the page itself, not to list an unlisted project. */
export const indexingHeaders = (isListed: boolean): Record<string, string> =>
  isListed ? {} : { 'x-robots-tag': 'noindex' }
