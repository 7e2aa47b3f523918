import type { ReactNode } from 'react'
import type { Entry } from '#contract/entries.ts'
import { Time } from '#web/ui/time.tsx'
import { EntryTags } from './entry-tags.tsx'

/** When an entry was written and last changed, of which milestone it tells, and its tags. */
export function EntryFacts({ entry, milestoneTitle }: { entry: Entry; milestoneTitle: string }) {
  const { createdAt, updatedAt, tags } = entry
  return (
    <div className="mt-4 flex flex-col gap-3">
      <dl className="flex flex-wrap gap-x-6 gap-y-1 text-sm text-muted">
        <Fact name="Milestone">
          <bdi>{milestoneTitle}</bdi>
        </Fact>
        <Fact name="Created">
          <Time iso={createdAt} format="datetime" />
        </Fact>
        {updatedAt !== createdAt && (
          <Fact name="Updated">
            <Time iso={updatedAt} format="datetime" />
          </Fact>
        )}
      </dl>
      <EntryTags tags={tags} />
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 gap-1.5">
      <dt>{name}</dt>
      <dd className="min-w-0 text-ink">{children}</dd>
    </div>
  )
}
