import { ArrowLeft } from 'lucide-react'
import { Link } from '#web/ui/controls/link.tsx'

/** The link at the head of a page that leads back to its project. */
export const BackToProject = ({ to, title }: { to: string; title: string }) => (
  <Link
    to={to}
    data-print="hidden"
    className="mb-7 flex w-fit max-w-full items-center gap-1.5 rounded-sm py-1 text-sm text-muted hover:text-ink hover:underline pointer-coarse:mb-5.5 pointer-coarse:py-2.5"
  >
    <ArrowLeft className="size-4 shrink-0" aria-hidden="true" />
    <bdi className="truncate">{title}</bdi>
  </Link>
)
