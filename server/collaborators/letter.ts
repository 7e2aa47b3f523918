import { INVITATION_DAYS } from '#contract/collaborators.ts'
import { composeLetter } from '#server/platform/mail/letter.ts'
import type { Letter } from '#server/platform/mail/mail.ts'
import { shownName } from './present.ts'

/** How much of a title or a name a letter repeats. */
const WORDS_MAX = 80
/** As much of the hash as tells one letter from another in a header of one line. */
const ID_LENGTH = 32

type Invited = { tokenHash: string; token: string; email: string; title: string; name: string | null }

/** The letter with the link of an invitation. */
export function invitationLetter(publicUrl: string, invited: Invited): Letter {
  const { tokenHash, token, email, title, name } = invited
  const host = new URL(publicUrl).host
  const project = `“${harmless(title)}”`
  return {
    id: `invitation-${tokenHash.slice(0, ID_LENGTH)}`,
    to: email,
    subject: `You are invited to ${project} on Milepost`,
    ...composeLetter({
      title: 'You are invited to a project',
      opening: [
        `${harmless(shownName(name))} invited you to collaborate on the project ${project} on Milepost (${host}).`,
      ],
      action: { label: 'See the invitation', url: `${publicUrl}/invite/${token}` },
      closing: [
        `The link can be answered within ${INVITATION_DAYS} days, by somebody who is signed in with the address ${email}.`,
        'If you do not know who invites you, or do not want to, leave it or decline.',
      ],
    }),
  }
}

/**
 * Somebody's words to a stranger, whom we send them to: short, in one line, in the order in which they are written, and
 * with nothing in them that a mail program makes a link of.
 */
function harmless(words: string): string {
  const line = words.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ').trim()
  const characters = [...line]
  const short = characters.length <= WORDS_MAX ? line : `${characters.slice(0, WORDS_MAX - 1).join('')}…`
  return short.replaceAll(/[.:/@](?=\S)/g, '$&\u200b')
}
