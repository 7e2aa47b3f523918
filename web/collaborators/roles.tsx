import { Eye, PenLine, ShieldCheck, User } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CollaboratorRole, Role } from '#contract/permissions.ts'
import { Badge } from '#web/ui/layout/badge.tsx'

const faces = {
  admin: { tone: 'admin', icon: ShieldCheck },
  editor: { tone: 'editor', icon: PenLine },
  viewer: { tone: 'viewer', icon: Eye },
  owner: { tone: 'neutral', icon: User },
} as const

type RoleBadgeProps = { role: Role; className?: string; children?: ReactNode }

/** A role, with its color and icon. */
export function RoleBadge({ role, className, children }: RoleBadgeProps) {
  const { tone, icon: Icon } = faces[role]
  return (
    <Badge tone={tone} icon={<Icon aria-hidden="true" />} {...(className !== undefined && { className })}>
      {children ?? role.charAt(0).toUpperCase() + role.slice(1)}
    </Badge>
  )
}

/** The roles that a collaborator can have, from the fewest to the most rights, as options of a select. */
export const roleChoices: readonly { value: CollaboratorRole; label: string }[] = [
  { value: 'viewer', label: 'Viewer' },
  { value: 'editor', label: 'Editor' },
  { value: 'admin', label: 'Admin' },
]

/** A description of each role's rights. */
export const roleRights: { [role in CollaboratorRole]: string } = {
  viewer: 'You can view the project and its entries.',
  editor:
    'You can view the project, and create and edit milestones and entries. Editors can also delete entries and milestones.',
  admin: 'You have full access, including managing collaborators and project settings.',
}

const withArticles: { [role in CollaboratorRole]: string } = {
  viewer: 'a viewer',
  editor: 'an editor',
  admin: 'an admin',
}

/** Returns a role with its article, for use in a sentence. */
export const withArticle = (role: CollaboratorRole) => withArticles[role]
