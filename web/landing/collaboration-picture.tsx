import { Eye, Pencil, Shield } from 'lucide-react'
import { Badge } from '#web/ui/badge.tsx'

const crew = [
  {
    who: 'The sailmaker',
    initial: 'S',
    badge: (
      <Badge tone="admin" icon={<Shield />}>
        admin
      </Badge>
    ),
  },
  {
    who: 'The carpenter',
    initial: 'C',
    badge: (
      <Badge tone="editor" icon={<Pencil />}>
        editor
      </Badge>
    ),
  },
  {
    who: 'The harbour master',
    initial: 'H',
    badge: (
      <Badge tone="viewer" icon={<Eye />}>
        viewer
      </Badge>
    ),
  },
]

/** A crew with its roles, and the word that somebody came aboard. */
export function CollaborationPicture() {
  return (
    <div className="max-w-md">
      <ul className="divide-y divide-line rounded-lg border border-line bg-raised shadow-md">
        {crew.map(({ who, initial, badge }) => (
          <li key={who} className="flex items-center gap-3 px-4 py-3">
            <span className="grid size-8 place-items-center rounded-full bg-sunken text-sm font-semibold">
              {initial}
            </span>
            <span className="mr-auto font-medium">{who}</span>
            {badge}
          </li>
        ))}
      </ul>
      <div className="relative -mt-2 mr-4 ml-auto flex w-fit items-start gap-3 rounded-lg border border-line bg-raised px-4 py-3 shadow-lg">
        <span className="mt-1.5 size-2 rounded-full bg-accent" />
        <p className="text-sm">
          The carpenter accepted your invitation
          <span className="block text-muted">5m ago</span>
        </p>
      </div>
    </div>
  )
}
