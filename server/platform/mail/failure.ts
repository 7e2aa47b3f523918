import type { NodemailerError } from 'nodemailer'

/** Why an email was not sent, for the person who configured the mail server. */
export type FailureReason =
  | 'unreachable'
  | 'not_encrypted'
  | 'login_refused'
  | 'sender_refused'
  | 'relay_refused'
  | 'recipient_refused'
  | 'try_later'
  | 'refused'

const sentences: { [reason in FailureReason]: string } = {
  unreachable: 'the mail server could not be reached, or did not respond in time',
  not_encrypted:
    'there is no encrypted connection to the mail server as SMTP_URL or the mail server asks for',
  login_refused: 'the mail server refused the login of SMTP_URL, or requires one',
  sender_refused: 'the mail server refuses to send for the address in MAIL_FROM',
  relay_refused: 'the mail server does not forward emails from this server to others',
  recipient_refused: 'the mail server refused the recipient',
  try_later: 'the mail server asks to try again later',
  refused: 'the mail server refused the email, for a reason other than its recipient',
}

/** An email that was not sent. The message is a sentence for the log; the response of the mail server is in the cause. */
export class NotSent extends Error {
  readonly reason: FailureReason
  constructor(reason: FailureReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** An email that can never be sent to this recipient; a retry is useless. */
export class Undeliverable extends NotSent {
  constructor(message: string, options?: ErrorOptions) {
    super('recipient_refused', message, options)
  }
}

/** Returns `Undeliverable` for an error of nodemailer if the mail server refused the recipient permanently, otherwise `NotSent`. */
export function failureOf(error: NodemailerError): NotSent {
  if (refusesRecipient(error)) return new Undeliverable(sentences.recipient_refused, { cause: error })
  const reason = reasonOf(error)
  return new NotSent(reason, sentences[reason], { cause: error })
}

/** The second and third number of an enhanced status code (RFC 3463): "550 5.1.1 …", and by some servers "550 #5.1.1 …" or "550 … (#5.1.1)". */
const ENHANCED_STATUS = /(?:^\d{3}[ -]|#)\d\.(\d{1,3})\.(\d{1,3})/
/** The enhanced status codes, without their class, that refuse the sender although they are among those of addresses. */
const OF_SENDER = ['1.7', '1.8']
/** Those that refuse the recipient: its address, or its mailbox as disabled or full. */
const OF_RECIPIENT = ['1.1', '1.2', '1.3', '1.4', '1.6', '1.10', '2.1', '2.2']
/** Without a specific enhanced status code, these refuse the recipient, unless the text names another reason. */
const CODES_OF_RECIPIENT = [550, 551, 553, 556]
/** More emails than allowed in a time: "Domain example.org has exceeded the max emails per hour" of cPanel. */
const TOO_MANY = /limit|too many|\bper (?:minute|hour|day)\b|hourly|daily/i
const OTHER_REASON = /relay|sender|authenticat|black ?list|block|spam|\bIP\b/i

const statusOf = (response: string) => ENHANCED_STATUS.exec(response)?.slice(1).join('.') ?? ''

/**
 * Returns whether a response permanently refuses the recipient. Servers refuse a login, a sender, a client or a further email of the
 * day with the same codes, and Postfix delays that until the recipient; these go away, some once somebody corrects the settings, so
 * the email is sent later. An unknown code counts as one of these: a useless retry costs less than a lost email.
 */
function refusesRecipient({ command, responseCode = 0, response = '' }: NodemailerError): boolean {
  if (responseCode < 500 || (command !== 'RCPT TO' && command !== 'DATA')) return false
  const status = statusOf(response)
  if (OF_RECIPIENT.includes(status)) return true
  // Microsoft 365 refuses unknown recipients with a code of the network.
  if (status === '4.1') return /recipient address rejected/i.test(response)
  // Exim sends no enhanced status codes: "550 relay not permitted", "550 Sender verify failed".
  const isUnspecific = status === '' || status.startsWith('0.')
  const mayBeRecipient =
    status === '1.0' || (isUnspecific && command === 'RCPT TO' && CODES_OF_RECIPIENT.includes(responseCode))
  return mayBeRecipient && !OTHER_REASON.test(response) && !TOO_MANY.test(response)
}

const reasons: { [code: string]: FailureReason } = {
  ECONNECTION: 'unreachable',
  ESOCKET: 'unreachable',
  ETIMEDOUT: 'unreachable',
  EABORT: 'unreachable',
  EDNS: 'unreachable',
  EAUTH: 'login_refused',
  ENOAUTH: 'login_refused',
}

/** TLS on a port that begins without, or a certificate that is not trusted; nodemailer gives both the code of a broken connection. */
const isOfTls = ({ code, message }: NodemailerError) =>
  code === 'ESOCKET' && /SSL routines|certificate|altnames/i.test(message)

/**
 * "Sender address rejected" of Postfix, "SendAsDenied" of Microsoft 365, "From address is not one of your addresses" of iCloud, "Not
 * authorised to send from this header address" of Fastmail, "The … domain is not verified" of services for programs.
 */
const OF_SENDER_TEXT = /sender|sendas|from address|send from|domain (?:is )?not (?:verified|allowed)/i

function reasonOf(error: NodemailerError): FailureReason {
  const { code = '', command, responseCode = 0, response = '' } = error
  if (code === 'ETLS' || code === 'EREQUIRETLS' || isOfTls(error)) return 'not_encrypted'
  if (responseCode >= 400 && responseCode < 500) return 'try_later'
  if (responseCode === 538 || /starttls/i.test(response)) return 'not_encrypted'
  if ([530, 534, 535].includes(responseCode)) return 'login_refused'
  if (command === 'MAIL FROM' && TOO_MANY.test(response)) return 'refused'
  if (command === 'MAIL FROM' || OF_SENDER.includes(statusOf(response))) return 'sender_refused'
  if (OF_SENDER_TEXT.test(response)) return 'sender_refused'
  if (/relay/i.test(response)) return 'relay_refused'
  return reasons[code] ?? 'refused'
}
