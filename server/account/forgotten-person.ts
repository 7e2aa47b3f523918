/** An account that is being deleted. */
export type ForgottenPerson = {
  userId: string
  name: string
  /** Its email and former ones. */
  emails: readonly string[]
  /** Those that can be its owner's. One that was not proven, also a former one, may be another person's. */
  ownEmails: readonly { email: string; isProven: boolean }[]
}
