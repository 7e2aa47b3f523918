import { Globe, Link2 } from 'lucide-react'
import { Badge } from '#web/ui/badge.tsx'

/** A project as the world sees it, and the link that leads there. */
export function SharingPicture() {
  return (
    <div className="max-w-md rounded-lg border border-line bg-raised shadow-md">
      <div className="flex items-center gap-2 border-b border-line px-4 py-2.5 text-sm text-muted">
        <Link2 className="size-4" />
        <span>/world/a-pond-for-frogs</span>
        <span className="ml-auto rounded-md bg-success-soft px-2 py-0.5 text-xs font-semibold text-success">
          Copied!
        </span>
      </div>
      <div className="p-6">
        <Badge tone="success" icon={<Globe />}>
          Public Project
        </Badge>
        <p className="mt-3 font-reading text-2xl font-medium">A pond for frogs</p>
        <p className="mt-1 text-sm text-muted">Created by a pond digger</p>
        <svg viewBox="0 0 320 44" fill="none" className="mt-5 w-full">
          <path d="M10 30C50 30 60 12 100 14" className="stroke-ink" strokeWidth="2.5" />
          <path d="M100 14c44 2 52 22 96 20" className="stroke-ink" strokeWidth="2.5" />
          <path
            d="M196 34c50-2 60-22 112-22"
            className="stroke-edge [stroke-dasharray:1_7]"
            strokeWidth="2.5"
            strokeLinecap="round"
          />
          <circle cx="10" cy="30" r="6" className="fill-ink" />
          <circle cx="100" cy="14" r="6" className="fill-ink" />
          <circle cx="196" cy="34" r="10" className="fill-accent-soft" />
          <circle cx="196" cy="34" r="6" className="fill-accent" />
          <circle cx="308" cy="12" r="6" className="fill-raised stroke-edge" strokeWidth="2.5" />
        </svg>
      </div>
    </div>
  )
}
