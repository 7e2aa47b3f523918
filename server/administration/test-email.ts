import { v7 as uuidv7 } from 'uuid'
import type { TestEmailOutcome } from '#contract/administration.ts'
import type { AppDeps } from '#server/deps.ts'
import { requireAdministratorForChange } from '#server/permissions/administrators.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { AppError, conflict } from '#server/platform/api/errors.ts'
import { isUnderLimit } from '#server/platform/limits/limits.ts'
import { composeEmail, mailboxOf } from '#server/platform/mail/email.ts'
import { NotSent } from '#server/platform/mail/failure.ts'
import type { Email } from '#server/platform/mail/mail.ts'
import { transact } from '#server/platform/transact.ts'
import { recordAudit } from './audit.ts'
import { findPerson } from './store.ts'

const TEST_LIMIT = { name: 'test emails', calls: 5, seconds: 10 * 60 }
/** The maximum duration of a test, so that the administrator gets a result while they wait, before a proxy ends the request. */
const LONGEST_TEST_MS = 20_000

/**
 * Sends an email to the requesting administrator, and returns the outcome. Only the log contains the mail server's reason for a
 * failure. Throws `conflict` on a server without mail.
 */
export async function sendTestEmail(
  deps: AppDeps & { publicUrl: string },
  caller: Caller,
): Promise<{ outcome: TestEmailOutcome }> {
  const { mail, log } = deps
  const signal = AbortSignal.timeout(LONGEST_TEST_MS)
  const to = await transact(deps, async (trx) => {
    await requireAdministratorForChange(trx, caller)
    if (!mail) throw conflict('This server is not set up to send email')
    const now = deps.clock()
    const person = await findPerson(trx, caller.userId)
    const email = person?.email ?? ''
    if (!(await isUnderLimit({ trx, now }, TEST_LIMIT, mailboxOf(email))))
      throw new AppError(
        'too_many_requests',
        'You have sent some already. Look for them, or try again later.',
        {
          retryAfter: TEST_LIMIT.seconds,
        },
      )
    await recordAudit(trx, { kind: 'test_email_sent', actorId: caller.userId, now })
    return email
  })
  try {
    await mail?.send(testEmail(deps, to), signal)
    return { outcome: 'sent' }
  } catch (error) {
    log.warn({ err: error }, 'a test email was not sent')
    if (!(error instanceof NotSent)) throw error
    return { outcome: error.reason }
  }
}

function testEmail({ publicUrl }: { publicUrl: string }, to: string): Email {
  return {
    id: uuidv7(),
    to,
    subject: 'Test email of Milepost',
    ...composeEmail({
      title: 'Email works',
      opening: [
        `You asked Milepost (${new URL(publicUrl).host}) for this email. Others will arrive the same way.`,
      ],
      action: { label: 'Administration', url: `${publicUrl}/admin` },
      closing: [],
    }),
  }
}
