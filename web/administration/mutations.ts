import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Instance, Person, ServerInvitation } from '#contract/administration.ts'
import type { CallInput } from '#contract/call.ts'
import type { Calls } from '#contract/calls.ts'
import { currentOf } from '#web/api/api-error.ts'
import { change } from '#web/api/change.ts'
import { request } from '#web/api/client.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { update } from '#web/api/saving.ts'
import { announcementKey } from '#web/shell/announcement.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { administrationKey, auditQuery, invitationsQuery, termsQuery } from './queries.ts'

type Change<Input, Result> = {
  send: (input: Input) => Promise<Result>
  /** The message after a success. */
  said: (input: Input) => string
  /** Without one, the form says why it failed. */
  failure?: string
}

/** A change by an administrator, after which all that administrators see is read again. */
function useChange<Input, Result>({ send, said, failure }: Change<Input, Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: (_result, input) => toast.success(said(input)),
    // The form shows a version that was saved elsewhere.
    onError: (error) => failure !== undefined && currentOf(error) === null && toastError(error, failure),
    onSettled: () => client.invalidateQueries({ queryKey: administrationKey }),
  })
}

type PersonFields = CallInput<Calls['updatePerson']>['body']
export type PersonChange = Omit<PersonFields, 'quota'>

/** How a person is called where there may be no name. */
export const nameOf = ({ name, email }: Pick<Person, 'name' | 'email'>) => name || email

/** Fetches an account as it is now, by one of its emails; undefined where it is gone or has another. */
async function find({ _id }: Person, email: string): Promise<Person | undefined> {
  const { people } = await request('listPeople', { query: { search: email, filter: 'all' } })
  return people.find((person) => person._id === _id)
}

export const useUpdatePerson = (person: Person) =>
  useChange({
    send: (body: PersonChange) =>
      change(
        'updatePerson',
        { params: { personId: person._id }, body },
        { isDone: async () => isChanged(await find(person, person.email), body) },
      ),
    said: (change) => saidOf(nameOf(person), change),
    failure: 'Failed to change the account',
  })

/** Changes how much an account may store, to the usual by null; refusals are shown by the form. */
export const useUpdateQuota = (person: Person) =>
  useChange({
    send: (quota: number | null) =>
      change(
        'updatePerson',
        { params: { personId: person._id }, body: { quota } },
        {
          isDone: async () =>
            (await find(person, person.email))?.storage.quota === (quota ?? person.storage.usual),
        },
      ),
    said: () => `What ${nameOf(person)} may store is changed`,
  })

const isChanged = (person: Person | undefined, { isApproved, isSuspended, isAdmin }: PersonChange): boolean =>
  person !== undefined &&
  (!isApproved || person.state !== 'awaiting') &&
  (isSuspended === undefined || (person.state === 'suspended') === isSuspended) &&
  (isAdmin === undefined || person.isAdmin === isAdmin)

function saidOf(name: string, { isApproved, isSuspended, isAdmin }: PersonChange): string {
  if (isApproved) return `${name} can sign in now`
  if (isSuspended !== undefined) return isSuspended ? `${name} is suspended` : `${name} can sign in again`
  return isAdmin ? `${name} is an administrator now` : `${name} is no administrator any more`
}

/** Changes the email of an account; refusals are shown by the form. */
export function useChangePersonEmail(person: Person) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (email: string) =>
      change(
        'changePersonEmail',
        { params: { personId: person._id }, body: { email } },
        { isDone: async () => (await find(person, email))?.email === email.toLowerCase() },
      ),
    onSuccess: (_changed, email) => toast.success(`${nameOf(person)} signs in with ${email} now`),
    onSettled: () => client.invalidateQueries({ queryKey: administrationKey }),
  })
}

export const useRefusePerson = (person: Person) =>
  useChange({
    send: (_input: void) =>
      change(
        'refusePerson',
        { params: { personId: person._id } },
        { isDone: async () => (await find(person, person.email)) === undefined },
      ),
    said: () => `${nameOf(person)} was refused`,
    failure: 'Failed to refuse the account',
  })

export const useTurnOffPersonTwoFactor = (person: Person) =>
  useChange({
    send: (_input: void) =>
      change(
        'turnOffPersonTwoFactor',
        { params: { personId: person._id } },
        { isDone: async () => (await find(person, person.email))?.hasTwoFactor === false },
      ),
    said: () => `${nameOf(person)} signs in with the password alone now`,
    failure: 'Failed to turn two-step sign-in off',
  })

/** Makes a link to choose a new password, which is the result. */
export function useMakeResetLink(person: Person) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (_input: void) => request('makeResetLink', { params: { personId: person._id } }),
    onError: (error) => toastError(error, 'Failed to make the link'),
    onSettled: () => client.invalidateQueries({ queryKey: administrationKey }),
    gcTime: 0,
  })
}

/** Invites somebody to this server. A second invitation to an email has another link. */
export function useInviteToServer(sendsMail: boolean) {
  const client = useQueryClient()
  return useChange({
    send: (email: string) => {
      const before = tokenFor(email, client.getQueryData(invitationsQuery.queryKey))
      return change(
        'inviteToServer',
        { body: { email } },
        {
          isDone: async () => {
            const token = tokenFor(email, await request('listServerInvitations', {}))
            return token !== undefined && token !== before
          },
        },
      )
    },
    said: (email) => (sendsMail ? `Invitation sent to ${email}` : `Copy the link and give it to ${email}`),
    failure: 'Failed to invite',
  })
}

const tokenFor = (email: string, invitations: ServerInvitation[] = []) =>
  invitations.find((invitation) => invitation.email.toLowerCase() === email.toLowerCase())?.token

export const useWithdrawInvitation = ({ _id, email }: ServerInvitation) =>
  useChange({
    send: (_input: void) =>
      change(
        'withdrawServerInvitation',
        { params: { invitationId: _id } },
        {
          isDone: async () =>
            !(await request('listServerInvitations', {})).some((invitation) => invitation._id === _id),
        },
      ),
    said: () => `The invitation of ${email} is withdrawn`,
    failure: 'Failed to withdraw the invitation',
  })

type RegistrationChange = CallInput<Calls['updateRegistration']>['body'] & { version: number }
type TextChange = { text: string | null; version: number }

/** Returns the version that is saved now: that of a response, or what a repeated update was refused with as it had been done. */
const versionIn = (updated: Instance | { version: number }, name: keyof Instance['versions']) =>
  'versions' in updated ? updated.versions[name] : updated.version

/** The results of the mutations of these three are the versions that are saved then. */
export const useUpdateRegistration = () =>
  useChange({
    send: async ({ version, ...body }: RegistrationChange) =>
      versionIn(await update('updateRegistration', { body }, version), 'registration'),
    said: () => 'Registration saved',
    failure: 'Failed to save who may register',
  })

export function useUpdateAnnouncement() {
  const client = useQueryClient()
  return useChange({
    send: async ({ text, version }: TextChange) => {
      const updated = await update('updateAnnouncement', { body: { text } }, version)
      void client.invalidateQueries({ queryKey: announcementKey })
      return versionIn(updated, 'announcement')
    },
    said: ({ text }) => (text === null ? 'Announcement removed' : 'Announcement saved'),
    failure: 'Failed to save the announcement',
  })
}

export function useUpdateTerms() {
  const client = useQueryClient()
  return useChange({
    send: async ({ text, version }: TextChange) => {
      const saved = versionIn(await update('updateTerms', { body: { text } }, version), 'terms')
      const changedAt = new Date().toISOString()
      // So that the form does not give way to a skeleton until they are read.
      if (text !== null)
        client.setQueryData(termsQuery.queryKey, { text, html: '', changedAt, version: saved })
      return saved
    },
    said: ({ text }) => (text === null ? 'Terms removed' : 'Terms saved'),
    failure: 'Failed to save the terms',
  })
}

/** Sends an email to oneself; the result says how that went. */
export function useSendTestEmail() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (_input: void) => request('sendTestEmail', {}),
    onError: (error) => toastError(error, 'Failed to send a test email'),
    onSettled: () => client.invalidateQueries({ queryKey: auditQuery.queryKey }),
  })
}
