import { signInTexts } from '#contract/sign-in.ts'
import { AppError, conflict, invalid } from '#server/platform/api/errors.ts'

export function commonPassword(path = 'password'): AppError {
  const message = signInTexts.commonPassword
  return new AppError('common_password', message, { issues: [{ path, message }] })
}

/** The error of a password that consists of words of its account. */
export function passwordOfAccountWords(path = 'password'): AppError {
  const message =
    'This password is nothing else than your name, your email or “Milepost”. Please choose another.'
  return new AppError('common_password', message, { issues: [{ path, message }] })
}

/** Not `incorrect_password`: clients would treat its status as an expired session. */
export const wrongPassword = (): AppError =>
  invalid([{ path: 'currentPassword', message: signInTexts.incorrectPassword }])

export const emailTaken = (): AppError => conflict(signInTexts.emailTaken)
