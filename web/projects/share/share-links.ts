/** The platforms that a project can be shared to, in the order in which they are offered. */
export const platforms = ['X', 'Facebook', 'LinkedIn', 'WhatsApp', 'Email', 'Reddit'] as const
export type Platform = (typeof platforms)[number]

type Shared = { title: string; link: string }

/** Returns the URL of a public project. */
export function publicLink(origin: string, projectId: string): string {
  return `${origin}/world/${projectId}`
}

const pages: { [platform in Platform]: (shared: Shared) => string } = {
  X: ({ title, link }) => withQuery('https://x.com/intent/post', { text: title, url: link }),
  Facebook: ({ link }) => withQuery('https://www.facebook.com/sharer/sharer.php', { u: link }),
  LinkedIn: ({ link }) => withQuery('https://www.linkedin.com/sharing/share-offsite/', { url: link }),
  WhatsApp: ({ title, link }) => withQuery('https://wa.me/', { text: `${title} ${link}` }),
  Email: ({ title, link }) => withQuery('mailto:', { subject: title, body: `${title}\n\n${link}` }),
  Reddit: ({ title, link }) => withQuery('https://www.reddit.com/submit', { url: link, title }),
}

/** Returns the URL of a platform's page for sharing the link. */
export function shareUrl(platform: Platform, shared: Shared): string {
  return pages[platform](shared)
}

/** Encodes spaces as %20, because mail programs show a `+` as a plus sign. */
function withQuery(base: string, query: Record<string, string>): string {
  const pairs = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
  return `${base}?${pairs.join('&')}`
}
