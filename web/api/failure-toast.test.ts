import { afterEach, expect, test, vi } from 'vitest'
import { toast } from '#web/ui/feedback/toast.tsx'
import { ApiError } from './api-error.ts'
import { toastError, toastFailure } from './failure-toast.ts'
import { storeToken } from './token.ts'

afterEach(() => storeToken(null))

test('a call that failed because the session has ended shows no toast, because the sign-in page shows it', () => {
  const show = vi.spyOn(toast, 'error').mockReturnValue()
  const message = 'Please sign in to continue'
  const refused = new ApiError(401, 'not_signed_in', message, { isFromServer: true })
  storeToken('a token')
  toastError(refused, 'Failed to update role')
  expect(show.mock.calls).toEqual([[message]])

  storeToken(null)
  toastError(refused, 'Failed to update role')
  toastFailure(refused, 'Failed to update project')
  expect(show).toHaveBeenCalledTimes(1)
  toastError(new ApiError(403, 'forbidden', 'No', { isFromServer: true }), 'Failed to update role')
  expect(show).toHaveBeenLastCalledWith('No')
})
