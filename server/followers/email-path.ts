import type { Links } from '#server/files/links.ts'

/** What the address of a link in an email proves. It ends with the address of the link. */
export const provenByEmail = (linkId: string, tokenHash: Buffer): string =>
  JSON.stringify(['share link by email', linkId, tokenHash.toString('base64')])

/** Returns the path in emails to the person of a link, which opens the link. Its token is not stored, so this one is signed. */
export const pathInEmail = (links: Pick<Links, 'sign'>, linkId: string, tokenHash: Buffer): string =>
  `/s/${linkId}.${links.sign(provenByEmail(linkId, tokenHash))}`
