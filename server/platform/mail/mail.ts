import type { Logger } from 'pino'
import { Undeliverable } from './failure.ts'

export type Email = {
  /** A single bare email address. */
  to: string
  subject: string
  text: string
  html: string
  /** Where the recipient stops such emails, by opening the page or by one press in the mail program (RFC 8058). */
  unsubscribe?: string
  /** The same for every attempt at one email, so that a mailbox can detect duplicates. */
  id: string
}

/** Sends emails. Throws `Undeliverable` if the recipient is refused permanently, and `NotSent` if a later attempt may succeed. */
export type Mail = {
  /** `signal` ends the attempt; without it, the attempt ends before its job could be started a second time. */
  send(email: Email, signal?: AbortSignal): Promise<void>
}

/**
 * Sends an email and returns whether the mail server accepted it. A permanent refusal of the recipient is logged with `name`;
 * any other error is thrown, so that the job is retried.
 */
export async function deliver(
  { mail, log }: { mail: Mail; log: Logger },
  name: string,
  email: Email,
): Promise<boolean> {
  try {
    await mail.send(email)
    return true
  } catch (error) {
    if (!(error instanceof Undeliverable)) throw error
    log.warn({ err: error }, `${name} could not be delivered`)
    return false
  }
}
