import { ArrowUp } from 'lucide-react'
import { EntryLines } from './entry-lines.tsx'
import { PageLinks } from './page-links.tsx'
import { SHOWN_ANCHOR } from './paths.ts'
import type { ShownMilestone as Shown } from './project-page.ts'
import { TRAIL_ID } from './trail.tsx'

/**
 * The milestone that was chosen, and its entries. On a phone the anchor is its beginning; beside the trail it is
 * the beginning of the page, so that choosing another milestone there moves nothing.
 */
export function ShownMilestone({ projectId, milestone }: { projectId: string; milestone: Shown }) {
  const { title, description, entries } = milestone
  return (
    <section aria-labelledby="shown-title" className="min-w-0 max-w-reading max-lg:relative">
      <span id={SHOWN_ANCHOR} className="absolute top-0" />
      <a
        href={`#${TRAIL_ID}`}
        data-print="hidden"
        className="mb-4 inline-flex items-center gap-1.5 rounded-sm py-1 text-sm text-muted hover:text-ink hover:underline lg:hidden"
      >
        <ArrowUp className="size-4" aria-hidden="true" />
        All milestones
      </a>
      <h2 id="shown-title" className="font-reading text-2xl font-medium">
        {title}
      </h2>
      <p className="mt-1.5 whitespace-pre-line text-muted">{description}</p>
      {entries.length === 0 ? (
        <p className="mt-8 border-t border-line pt-8 text-muted">Nothing has been written here yet.</p>
      ) : (
        <EntryLines projectId={projectId} entries={entries} />
      )}
      <PageLinks projectId={projectId} milestone={milestone} />
    </section>
  )
}
