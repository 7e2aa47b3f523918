import type { SearchHit } from '#contract/search.ts'
import { Link } from '#web/ui/controls/link.tsx'
import { Badge, TagChip } from '#web/ui/layout/badge.tsx'
import { Day, Time } from '#web/ui/layout/time.tsx'
import { hitIcons } from './hits.ts'
import { Marked } from './marked.tsx'

const kindNames = { project: 'Project', milestone: 'Milestone', entry: 'Entry' }

type HitRowProps = {
  hit: SearchHit
  path: string
  /** Whether all results are of one project, which is not named then. */
  isInProject?: true
}

/** A result: its title, the passage that matches, and where it is. */
export function HitRow({ hit, path, isInProject }: HitRowProps) {
  const Icon = hitIcons[hit.kind]
  return (
    <article className="relative flex items-start gap-4 p-4 hover:bg-hover sm:p-5">
      <Icon className="mt-1 size-5 shrink-0 text-muted" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <h2 dir="auto" className="font-reading text-lg font-medium break-words">
          <Link to={path} className="after:absolute after:inset-0">
            <Marked {...hit.title} />
          </Link>
          {hit.isDraft && <Badge className="ml-2 align-middle">Draft</Badge>}
        </h2>
        <p className="mt-0.5 text-sm text-muted">
          <Origin hit={hit} isInProject={isInProject} />
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

/** The kind of a result, where it is, its author and its day. */
function Origin({ hit, isInProject }: Pick<HitRowProps, 'hit'> & { isInProject: true | undefined }) {
  const { kind, project, milestone, author, happenedAt, happenedOn } = hit
  const place = [
    ...(kind === 'project' || isInProject ? [] : [project.title]),
    ...(milestone ? [milestone.title] : []),
  ]
  return (
    <>
      {kindNames[kind]}
      {place.length > 0 && (
        <>
          {' in '}
          <bdi>{place.join(' › ')}</bdi>
        </>
      )}
      {author && (
        <>
          {' by '}
          <bdi>{author.name}</bdi>
        </>
      )}
      {', '}
      <span className="whitespace-nowrap">
        {happenedOn === null ? <Time iso={happenedAt} /> : <Day on={happenedOn} zone="UTC" />}
      </span>
    </>
  )
}
