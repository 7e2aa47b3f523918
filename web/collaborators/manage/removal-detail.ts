import type { ShareLink } from '#contract/shares.ts'

/** Returns what the removal of a collaborator does not say by itself; `links`: those of the project, if they may know their addresses. */
export function removalDetail(isMe: boolean, links: ShareLink[] = [], now = Date.now()): string {
  const open = links.filter(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > now).length
  const what =
    open === 1 ? 'A private link of this project stays' : `${open} private links of this project stay`
  return [
    ...(isMe ? ['That is you: you will lose access to this project.'] : []),
    ...(open > 0
      ? [`${what} open for whoever knows the address. Under Share, a link gets a new address or is revoked.`]
      : []),
  ].join(' ')
}
