import { Link } from 'react-router'
import { EntryTags } from '#web/entries/reading/entry-tags.tsx'
import { Time } from '#web/ui/time.tsx'
import { worldEntryPath } from './paths.ts'
import type { EntryLine } from './project-page.ts'

const TAGS_SHOWN = 5

/** The entries of a milestone as a table of contents that one would like to read on from. */
export function EntryLines({ projectId, entries }: { projectId: string; entries: EntryLine[] }) {
  return (
    <ul className="mt-6">
      {entries.map(({ _id, title, createdAt, excerpt, tags }) => (
        <li key={_id} className="break-inside-avoid border-t border-line">
          <article className="group relative py-6">
            <p className="text-sm text-muted">
              <Time iso={createdAt} />
            </p>
            <h3 className="mt-1 font-reading text-xl font-medium">
              <Link
                to={worldEntryPath(projectId, _id)}
                className="rounded-sm group-hover:text-accent after:absolute after:inset-0"
              >
                {title}
              </Link>
            </h3>
            <p className="mt-1.5 mb-3 text-muted">{excerpt}</p>
            <EntryTags tags={tags} shown={TAGS_SHOWN} />
          </article>
        </li>
      ))}
    </ul>
  )
}
