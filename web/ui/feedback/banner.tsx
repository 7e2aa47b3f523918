import { clsx } from 'clsx'
import { CircleAlert, Info } from 'lucide-react'
import type { ReactNode } from 'react'

const tones = {
  danger: { role: 'alert', icon: CircleAlert, face: 'border-danger/30 bg-danger-soft text-danger' },
  info: { role: 'status', icon: Info, face: 'border-line bg-sunken text-ink' },
}

/** A persistent message: an error (red, announced immediately) or information. A short one has its `action` beside it. */
export function Banner({
  tone = 'danger',
  className,
  action,
  children,
}: {
  tone?: keyof typeof tones
  className?: string
  action?: ReactNode
  children: ReactNode
}) {
  const { role, icon: Icon, face } = tones[tone]
  return (
    <div
      role={role}
      className={clsx(
        'flex flex-wrap items-center gap-x-3 gap-y-1.5 rounded-md border px-3.5 py-2.5 text-sm',
        face,
        className,
      )}
    >
      <div className="flex min-w-0 gap-2.5">
        <Icon className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
        <div className="min-w-0">{children}</div>
      </div>
      {action && <div className="max-sm:ml-6.5">{action}</div>}
    </div>
  )
}
