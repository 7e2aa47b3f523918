type Id = { _id: string }

/** The names under which drafts are stored. Each identifies one form, even after a reload. */
export const formNames = {
  newProject: () => 'project/new',
  project: ({ _id }: Id) => `project/${_id}`,
  newMilestone: (projectId: string) => `milestone/new/${projectId}`,
  milestone: ({ _id }: Id) => `milestone/${_id}`,
  invitation: (projectId: string) => `invitation/${projectId}`,
  revisionName: ({ _id }: Id) => `revision/${_id}`,
  profile: () => 'profile',
  ownPage: () => 'account/page',
  newEmail: () => 'account/email',
  personEmail: ({ _id }: Id) => `server/people/${_id}/email`,
  accessToken: () => 'access-token',
  passkey: ({ _id }: Id) => `passkey/${_id}`,
  webhook: (projectId: string) => `webhook/${projectId}`,
  personQuota: ({ _id }: Id) => `server/people/${_id}/quota`,
  serverInvitation: () => 'server/invitation',
  registration: () => 'server/registration',
  announcement: () => 'server/announcement',
  terms: () => 'server/terms',
}
