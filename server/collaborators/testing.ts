import type { Acceptance, Collaboration, Collaborator } from '#contract/collaborators.ts'
import type { TestApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

export type Calls = ReturnType<typeof callsOf>

/** Shorthands for the calls of collaborators. */
export function callsOf(t: TestApp) {
  const list = (as: Person, projectId: string) =>
    t.call('listCollaborators', { params: { projectId } }, { as })
  const notices = async (as: Person) => (await t.call('listNotifications', {}, { as })).notifications

  return {
    list,
    notices,
    /** The collaborator of a project with an email. */
    async of(as: Person, projectId: string, { email }: { email: string }): Promise<Collaborator> {
      const found = (await list(as, projectId)).find((row) => row.email === email)
      if (!found) throw new Error(`${email} is no collaborator`)
      return found
    },
    refusedInvite: (as: Person, projectId: string, email: string) =>
      t.refused('inviteCollaborator', { params: { projectId }, body: { email, role: 'viewer' } }, { as }),
    lookUp: (inviteToken: string) => t.call('acceptInvitation', { params: { inviteToken } }),
    accept: async (as: Person, inviteToken: string) =>
      (await t.call('acceptInvitation', { params: { inviteToken } }, { as })) as Acceptance,
    refusedAccept: (as: Person | undefined, inviteToken: string) =>
      t.refused('acceptInvitation', { params: { inviteToken } }, { as }),
    decline: (inviteToken: string, as?: Person) =>
      t.call('declineInvitation', { params: { inviteToken } }, { as }),
    typesOf: async (as: Person) => (await notices(as)).map(({ type }) => type),
    mine: async (as: Person, query: object = {}): Promise<Collaboration[]> =>
      (await t.call('listMyCollaborations', { query: { status: 'all', ...query } }, { as })).collaborations,

    /** Signs a person in again, because tokens expire as the clock advances; `claims` are added to the ID token. */
    async signedInAgain(
      person: Person,
      claims: { email?: string; emailVerified?: boolean } = {},
    ): Promise<Person> {
      const { rows } = await t.pool.query<{ issuer: string; subject: string; email: string }>(
        'select issuer, subject, email from users where id = $1',
        [person.userId],
      )
      const said = { ...rows[0], emailVerified: false, name: null, picture: null, session: null, ...claims }
      const { token, user } = await t.deps.identity.exchange({ idToken: JSON.stringify(said) })
      return { ...person, email: user.email, headers: { authorization: `Bearer ${token}` } }
    },
  }
}
