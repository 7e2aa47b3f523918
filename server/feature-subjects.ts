/** A project in the download of all data. Of a project of others, people get only their own part. */
export type ExportedProject = { projectId: string; isOwn: boolean }

/** An account that is being deleted. */
export type ForgottenPerson = {
  userId: string
  name: string
  /** Its email and former ones. */
  emails: readonly string[]
  /** Those that can be its owner's. One that was not proven, also a former one, may be another person's. */
  ownEmails: readonly { email: string; isProven: boolean }[]
}
