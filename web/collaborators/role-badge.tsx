import { Eye, PenLine, ShieldCheck, User } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Role } from '#contract/permissions.ts'
import { Badge } from '#web/ui/layout/badge.tsx'

const faces = {
  admin: { tone: 'admin', icon: ShieldCheck },
  editor: { tone: 'editor', icon: PenLine },
  viewer: { tone: 'viewer', icon: Eye },
  owner: { tone: 'neutral', icon: User },
} as const

type RoleBadgeProps = { role: Role; className?: string; children?: ReactNode }

/** A role, with its colour and icon. */
export function RoleBadge({ role, className, children }: RoleBadgeProps) {
  const { tone, icon: Icon } = faces[role]
  return (
    <Badge tone={tone} icon={<Icon aria-hidden="true" />} {...(className !== undefined && { className })}>
      {children ?? role.charAt(0).toUpperCase() + role.slice(1)}
    </Badge>
  )
}
