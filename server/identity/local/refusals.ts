import { signInTexts } from '#contract/sign-in.ts'
import { AppError, forbidden, invalid, notSignedIn } from '#server/platform/errors.ts'
import type { Forwarded } from './forward.ts'

const known: { [code: string]: () => AppError } = {
  INVALID_EMAIL: () => invalid([{ path: 'email', message: signInTexts.invalidEmail }]),
  PASSWORD_TOO_SHORT: () => invalid([{ path: 'password', message: signInTexts.weakPassword }]),
  USER_ALREADY_EXISTS: emailTaken,
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: emailTaken,
}

/** better-auth's refusal in our codes; an Error, which becomes a 500, where it makes no sense to us. */
export function refusalOf({ status, code, retryAfter }: Forwarded): Error {
  if (status === 429)
    return new AppError('too_many_requests', 'Too many requests. Please wait a moment and try again.', {
      retryAfter: retryAfter ?? 60,
    })
  const refusal = code === undefined ? undefined : known[code]
  if (refusal) return refusal()
  if (status === 401) return notSignedIn()
  if (status === 403) return forbidden()
  if (status === 400) return new AppError('invalid', 'The request could not be understood')
  return new Error(`the identity provider answered ${status} ${code ?? ''}`)
}

/** A password that guessers try first. */
export function commonPassword(): AppError {
  const message = signInTexts.commonPassword
  return new AppError('common_password', message, { issues: [{ path: 'password', message }] })
}

export function emailTaken(): AppError {
  return new AppError('conflict', signInTexts.emailTaken)
}
