import type { Links } from '#server/files/links.ts'
import { pathInEmail } from './email-path.ts'
import type { OfLink } from './store.ts'

/** What a reader decides by the link of an email. */
export type Step = 'confirm' | 'stop'

const PATHS: { [step in Step]: string } = { confirm: '/follow', stop: '/unsubscribe/follower' }

const signedText = (step: Step, id: string) => `follower ${step} ${id}`

/** Returns the path at which a follower decides. It is signed, so nothing of it is stored. */
export const pathOfStep = (links: Pick<Links, 'sign'>, step: Step, id: string): string =>
  `${PATHS[step]}/${id}/${links.sign(signedText(step, id))}`

export const isProofOf = (
  links: Pick<Links, 'isSigned'>,
  { step, id, proof }: { step: Step; id: string; proof: string },
): boolean => links.isSigned(signedText(step, id), proof)

/** Returns the path at which a follower reads the project: its public page, or through the share link of their own. */
export const readingPathOf = (
  links: Pick<Links, 'sign'>,
  projectId: string,
  link: OfLink | undefined,
): string => (link ? pathInEmail(links, link.linkId, link.tokenHash) : `/world/${projectId}`)
