type Id = { _id: string }

/** The names under which drafts are stored. Each identifies one form, also after a reload. */
export const formNames = {
  newProject: () => 'project/new',
  project: ({ _id }: Id) => `project/${_id}`,
  newMilestone: (projectId: string) => `milestone/new/${projectId}`,
  milestone: ({ _id }: Id) => `milestone/${_id}`,
  newEntry: (milestoneId: string) => `entry/new/${milestoneId}`,
  entry: (entryId: string) => `entry/${entryId}`,
  invitation: (projectId: string) => `invitation/${projectId}`,
  revisionName: ({ _id }: Id) => `revision/${_id}`,
  profile: () => 'profile',
  serverInvitation: () => 'server/invitation',
  registration: () => 'server/registration',
}
