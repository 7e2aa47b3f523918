import { Fetched, onDemand } from '#web/ui/dialogs/on-demand.tsx'

/** Logs that a part of the navigation could not be loaded: it is missing until the page is reloaded. */
export function logLoadFailure(error: unknown): void {
  // oxlint-disable-next-line no-console -- the missing part only links to screens
  console.warn(error)
}

/** Loaded on demand, so that visitors do not download it. */
const dot = onDemand(async () => (await import('#web/collaborators/invitation-dot.tsx')).InvitationDot)

/** Marks the link to the collaborations while an invitation is pending. */
export function InvitationMark() {
  return <Fetched of={dot} with={{}} fallback={null} onFailed={logLoadFailure} />
}
