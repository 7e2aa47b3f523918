/** What migrations need besides the database. */
export type MigrationDeps = {
  /** Encrypts the token of an invitation. If absent, existing tokens can no longer be shown, but their links still work. */
  encryptInviteToken?: (token: string, collaboratorId: string) => Buffer
}
