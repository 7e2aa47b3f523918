import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Instance } from '#contract/administration.ts'
import type { Calls } from '#contract/calls.ts'
import type { CallInput } from '#contract/parts/call.ts'
import type { Person, ServerInvitation } from '#contract/people.ts'
import { currentOf } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { newId } from '#web/api/ids.ts'
import { change } from '#web/saving/change.ts'
import { useChange } from '#web/saving/use-change.ts'
import { announcementKey } from '#web/shell/announcement.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { administrationKey, auditQuery, termsQuery } from './queries.ts'
import { updateSetting } from './update-setting.ts'

type Change<Input, Result> = {
  send: (input: Input) => Promise<Result>
  /** The text of the toast after success. */
  successText: (input: Input) => string
  /** The text of the toast after a failure; omitted if the form shows failures. */
  failureText?: string
  /**
   * Whether the form knows from the response what is saved. The change then ends before everything is fetched again, so that its
   * draft, which other tabs read too, is gone by the time of the toast.
   */
  isKnown?: true
}

/** A change by an administrator, after which all data of the administration is refetched. */
function useAdminChange<Input, Result>({ send, successText, failureText, isKnown }: Change<Input, Result>) {
  const client = useQueryClient()
  const running = useRef<Promise<Result>>(null)
  const mutation = useMutation({
    mutationFn: send,
    onSuccess: (_result, input) => toast.success(successText(input)),
    // The form shows a conflict itself.
    onError: (error) =>
      failureText !== undefined && currentOf(error) === null && toastError(error, failureText),
    onSettled() {
      const fetched = client.invalidateQueries({ queryKey: administrationKey })
      return isKnown ? undefined : fetched
    },
  })

  /** A second press before the first one has been rendered sends nothing, and gets the result of the first. */
  function mutateAsync(input: Input): Promise<Result> {
    running.current ??= mutation.mutateAsync(input).finally(() => {
      running.current = null
    })
    return running.current
  }

  return {
    ...mutation,
    mutateAsync,
    mutate: (input: Input) => void mutateAsync(input).catch(() => undefined), // a toast has reported the failure
  }
}

type PersonFields = CallInput<Calls['updatePerson']>['body']
export type PersonChange = Omit<PersonFields, 'quota'>

/** Returns the name of a person or, without one, the email. */
export const nameOf = ({ name, email }: Pick<Person, 'name' | 'email'>) => name || email

export const useUpdatePerson = (person: Person) =>
  useAdminChange({
    send: (body: PersonChange) => change('updatePerson', { params: { personId: person._id }, body }),
    successText: (change) => successTextOf(nameOf(person), change),
    failureText: 'Failed to change the account',
  })

/** Changes the quota of an account; null restores the default. The form shows refusals. */
export const useUpdateQuota = (person: Person) =>
  useAdminChange({
    send: (quota: number | null) =>
      change('updatePerson', { params: { personId: person._id }, body: { quota } }),
    successText: () => `The storage limit of ${nameOf(person)} is changed`,
  })

function successTextOf(name: string, { isApproved, isSuspended, isAdmin }: PersonChange): string {
  if (isApproved) return `${name} can sign in now`
  if (isSuspended !== undefined) return isSuspended ? `${name} is suspended` : `${name} can sign in again`
  return isAdmin ? `${name} is an administrator now` : `${name} is no administrator any more`
}

/** Changes the email of an account. The form shows refusals. */
export const useChangePersonEmail = (person: Person) =>
  useAdminChange({
    send: (email: string) =>
      change('changePersonEmail', { params: { personId: person._id }, body: { email } }),
    successText: (email) => `${nameOf(person)} signs in with ${email} now`,
  })

export const useRefusePerson = (person: Person) =>
  useAdminChange({
    send: (_input: void) => change('refusePerson', { params: { personId: person._id } }),
    successText: () => `${nameOf(person)} was refused`,
    failureText: 'Failed to refuse the account',
  })

export const useTurnOffPersonTwoFactor = (person: Person) =>
  useAdminChange({
    send: (_input: void) => change('turnOffPersonTwoFactor', { params: { personId: person._id } }),
    successText: () => `${nameOf(person)} signs in with the password alone now`,
    failureText: 'Failed to turn two-step sign-in off',
  })

/** Creates a password reset link, and passes its token to `onMade`. */
export function useMakeResetLink(person: Person, onMade: (token: string) => void) {
  const client = useQueryClient()
  return useChange({
    mutationKey: ['reset link', person._id],
    mutationFn: (_input: void) => request('makeResetLink', { params: { personId: person._id } }),
    // Not a callback of `mutate`, which does not run once the row of the account is removed.
    onSuccess: ({ token }) => onMade(token),
    onError: (error) => toastError(error, 'Failed to make the link'),
    onSettled: () => client.invalidateQueries({ queryKey: administrationKey }),
    gcTime: 0,
  })
}

/** Invites a person to this server. If they have an invitation already, it gets another link. */
export function useInviteToServer(sendsMail: boolean) {
  const lost = useRef<{ email: string; _id: string }>(null)
  return useAdminChange({
    async send(email: string) {
      const body = lost.current?.email === email ? lost.current : { email, _id: newId() }
      lost.current = body
      const invitation = await change('inviteToServer', { body })
      lost.current = null
      return invitation
    },
    successText: (email) =>
      sendsMail ? `Invitation sent to ${email}` : `Copy the link and give it to ${email}`,
    failureText: 'Failed to invite',
  })
}

export const useWithdrawInvitation = ({ _id, email }: ServerInvitation) =>
  useAdminChange({
    send: (_input: void) => change('withdrawServerInvitation', { params: { invitationId: _id } }),
    successText: () => `The invitation of ${email} is withdrawn`,
    failureText: 'Failed to withdraw the invitation',
  })

type RegistrationChange = CallInput<Calls['updateRegistration']>['body'] & { version: number }
type TextChange = { text: string | null; version: number }

/** Returns the saved version: that of the response or, if a repeated update was already done, of the refusal. */
const versionIn = (updated: Instance | { version: number }, name: keyof Instance['versions']) =>
  'versions' in updated ? updated.versions[name] : updated.version

/** These three mutations resolve to the saved version. */
export const useUpdateRegistration = () =>
  useAdminChange({
    send: async ({ version, ...body }: RegistrationChange) =>
      versionIn(await updateSetting('updateRegistration', { body }, version), 'registration'),
    successText: () => 'Registration saved',
    failureText: 'Failed to save who may register',
    isKnown: true,
  })

export function useUpdateAnnouncement() {
  const client = useQueryClient()
  return useAdminChange({
    send: async ({ text, version }: TextChange) => {
      const updated = await updateSetting('updateAnnouncement', { body: { text } }, version)
      void client.invalidateQueries({ queryKey: announcementKey })
      return versionIn(updated, 'announcement')
    },
    successText: ({ text }) => (text === null ? 'Announcement removed' : 'Announcement saved'),
    failureText: 'Failed to save the announcement',
    isKnown: true,
  })
}

export function useUpdateTerms() {
  const client = useQueryClient()
  return useAdminChange({
    send: async ({ text, version }: TextChange) => {
      const saved = versionIn(await updateSetting('updateTerms', { body: { text } }, version), 'terms')
      const changedAt = new Date().toISOString()
      // Keeps the form mounted: without cached terms it would be replaced by a skeleton until they are fetched.
      if (text !== null)
        client.setQueryData(termsQuery.queryKey, { text, html: '', changedAt, version: saved })
      return saved
    },
    successText: ({ text }) => (text === null ? 'Terms removed' : 'Terms saved'),
    failureText: 'Failed to save the terms',
    isKnown: true,
  })
}

/** Sends a test email to the user and resolves to its outcome. */
export function useSendTestEmail() {
  const client = useQueryClient()
  return useChange({
    mutationKey: ['send test email'],
    mutationFn: (_input: void) => request('sendTestEmail', {}),
    onError: (error) => toastError(error, 'Failed to send a test email'),
    onSettled: () => client.invalidateQueries({ queryKey: auditQuery.queryKey }),
  })
}
