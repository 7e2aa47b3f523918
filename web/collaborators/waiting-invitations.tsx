import { Link } from 'react-router'
import { useWaitingInvitations } from './queries.ts'

/** Points to the invitations that another filter hides while they wait for an answer. */
export function WaitingInvitations() {
  const count = useWaitingInvitations()
  if (count === 0) return null
  return (
    <Link
      to="?status=pending"
      className="rounded-sm text-sm font-semibold text-accent hover:text-accent-strong pointer-coarse:py-2"
    >
      {count === 1 ? '1 invitation waits for your answer' : `${count} invitations wait for your answer`}
    </Link>
  )
}
