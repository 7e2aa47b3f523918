import { Eye, PenLine, ShieldCheck } from 'lucide-react'
import type { CollaboratorRole } from '#contract/permissions.ts'

const icons = { admin: ShieldCheck, editor: PenLine, viewer: Eye }

/** The sign of a role, beside its name. */
export function roleIcon(role: CollaboratorRole) {
  const Icon = icons[role]
  return <Icon aria-hidden="true" />
}
