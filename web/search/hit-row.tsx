import { FileText, Flag, Folder } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { MarkedText, SearchHit } from '#contract/search.ts'
import { entryPath, milestonePath } from '#web/entries/paths.ts'
import { Badge, TagChip } from '#web/ui/layout/badge.tsx'
import { Day, Time } from '#web/ui/layout/time.tsx'

const icons = { project: Folder, milestone: Flag, entry: FileText }
const kindNames = { project: 'Project', milestone: 'Milestone', entry: 'Entry' }

/** A result: its title, the passage that matches, and where it is. */
export function HitRow({ hit }: { hit: SearchHit }) {
  const Icon = icons[hit.kind]
  return (
    <article className="relative flex items-start gap-4 p-4 hover:bg-hover sm:p-5">
      <Icon className="mt-1 size-5 shrink-0 text-muted" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <h2 className="font-reading text-lg font-medium break-words">
          <Link to={pathOf(hit)} dir="auto" className="after:absolute after:inset-0">
            <Marked {...hit.title} />
          </Link>
          {hit.isDraft && <Badge className="ml-2 align-middle">Draft</Badge>}
        </h2>
        <p className="mt-0.5 text-sm text-muted">
          <Origin hit={hit} />
        </p>
        {hit.snippet.text !== '' && (
          <p dir="auto" className="mt-1.5 line-clamp-3 text-ink break-words">
            <Marked {...hit.snippet} />
          </p>
        )}
        {hit.tags.length > 0 && (
          <p className="mt-2 flex flex-wrap gap-1.5">
            {hit.tags.map((tag) => (
              <TagChip key={tag} tag={tag} />
            ))}
          </p>
        )}
      </div>
    </article>
  )
}

function pathOf({ kind, _id, project, milestone }: SearchHit): string {
  if (kind === 'project') return `/projects/${_id}`
  if (kind === 'milestone') return milestonePath(project._id, _id)
  return entryPath(project._id, { _id, milestone: milestone?._id ?? '' })
}

/** The kind of a result, where it is, its author and its day. */
function Origin({ hit: { kind, project, milestone, author, happenedAt, happenedOn } }: { hit: SearchHit }) {
  return (
    <>
      {kindNames[kind]}
      {kind !== 'project' && (
        <>
          {' in '}
          <bdi>{project.title}</bdi>
        </>
      )}
      {milestone && (
        <>
          {' › '}
          <bdi>{milestone.title}</bdi>
        </>
      )}
      {author && (
        <>
          {' by '}
          <bdi>{author.name}</bdi>
        </>
      )}
      {', '}
      {happenedOn === null ? <Time iso={happenedAt} /> : <Day on={happenedOn} zone="UTC" />}
    </>
  )
}

/** A text whose matches are marked. */
function Marked({ text, marks }: MarkedText) {
  const parts: ReactNode[] = []
  let at = 0
  for (const { start, length } of marks) {
    parts.push(text.slice(at, start))
    parts.push(
      <mark key={start} className="rounded-xs bg-accent-soft text-accent-strong">
        {text.slice(start, start + length)}
      </mark>,
    )
    at = start + length
  }
  return [...parts, text.slice(at)]
}
