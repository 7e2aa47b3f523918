import { Link } from '#web/ui/controls/link.tsx'

type MilestoneDividerProps = { to: string; label: string; title: string }

/** The border between two milestones of a story: a stop on its line, with a link to the milestone that begins. */
export function MilestoneDivider({ to, label, title }: MilestoneDividerProps) {
  return (
    <div className="relative mt-10 border-t-2 border-dashed border-edge pt-6">
      <span
        className="absolute -top-2 left-1/2 size-4 -translate-x-1/2 rounded-full border-[3px] border-accent bg-surface"
        aria-hidden="true"
      />
      <p className="text-center text-sm text-muted">{label}</p>
      <p className="text-center font-reading text-2xl font-medium">
        <Link to={to} className="rounded-sm hover:text-accent">
          {title}
        </Link>
      </p>
    </div>
  )
}
