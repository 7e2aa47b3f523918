/** What a migration may need that is not in the database. */
export type MigrationDeps = {
  /** Encrypts the token of an invitation. Absent: tokens can no longer be shown, and their links still work. */
  encryptInviteToken?: (token: string, collaboratorId: string) => Buffer
}
