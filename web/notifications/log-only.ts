/** What becomes of a failure to read, mark or delete notifications. */
export function logOnly(error: unknown): void {
  // oxlint-disable-next-line no-console -- specified: these failures are logged, not shown
  console.error(error)
}
