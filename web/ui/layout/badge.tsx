import { clsx } from 'clsx'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'

const tones = {
  neutral: 'bg-other-soft text-other',
  accent: 'bg-accent-soft text-accent',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
  admin: 'bg-admin-soft text-admin',
  editor: 'bg-editor-soft text-editor',
  viewer: 'bg-viewer-soft text-viewer',
}

type BadgeProps = { tone?: keyof typeof tones; icon?: ReactNode; className?: string; children: ReactNode }

/** A label for a status or role, which never depends on color alone. */
export function Badge({ tone = 'neutral', icon, className, children }: BadgeProps) {
  return (
    <span
      className={clsx(
        'inline-flex w-max max-w-full shrink-0 items-center gap-1 rounded-sm border border-transparent px-1.5 py-0.5 text-xs font-semibold',
        '[&_svg]:size-3.5 [&_svg]:shrink-0',
        tones[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  )
}

export const tagChipClass =
  'inline-flex max-w-full items-center rounded-full border border-line bg-surface text-xs text-muted'

/** A tag; with `onRemove`, a button removes it. */
export function TagChip({ tag, onRemove }: { tag: string; onRemove?: () => void }) {
  return (
    <span className={tagChipClass}>
      <span dir="auto" className="truncate px-2.5 py-0.5">
        {tag}
      </span>
      {onRemove && (
        <button
          type="button"
          aria-label={`Remove tag ${tag}`}
          className="-ml-1.5 grid size-6 place-items-center rounded-full hover:bg-hover hover:text-ink pointer-coarse:size-10"
          onClick={onRemove}
        >
          <X className="size-3.5" aria-hidden="true" />
        </button>
      )}
    </span>
  )
}
