import { AppError } from '#server/platform/errors.ts'

/** Spec section 8: what the page of an invitation says of a link that leads nowhere. */
const DEAD_LINK = 'This invitation link is invalid or has expired.'

export const deadLink = () => new AppError('not_found', DEAD_LINK)

export const expiredLink = () => new AppError('expired', DEAD_LINK)

export const wrongAccount = () =>
  new AppError(
    'wrong_account',
    'This invitation was sent to another email address. Sign in with the address that was invited to answer it.',
  )

export const unverifiedAddress = () =>
  new AppError(
    'unverified_address',
    'Confirm your email address first, by the link that was mailed to you. Then come back to answer this invitation.',
  )

export const conflict = (message: string) => new AppError('conflict', message)
