import { useQuery } from '@tanstack/react-query'
import { REACTIONS } from '#contract/reactions.ts'
import { reactionNames } from './names.ts'
import { reactionsQuery } from './queries.ts'

/** Tells members how readers reacted to a published entry, if they did. */
export function ReactionLine({ milestoneId, entryId }: { milestoneId: string; entryId: string }) {
  const { data = [] } = useQuery(reactionsQuery(milestoneId, entryId))
  if (data.length === 0) return null
  return (
    <section aria-label="Reactions of readers" className="mt-8 text-sm text-muted" data-print="hidden">
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {REACTIONS.map((kind) => {
          const count = data.find((reaction) => reaction.kind === kind)?.count
          const { name, icon: Icon } = reactionNames[kind]
          return (
            count !== undefined && (
              <li key={kind} className="flex items-center gap-1.5">
                <Icon className="size-4 shrink-0" aria-hidden="true" />
                {name} <span className="text-ink tabular-nums">{count}</span>
              </li>
            )
          )
        })}
      </ul>
    </section>
  )
}
